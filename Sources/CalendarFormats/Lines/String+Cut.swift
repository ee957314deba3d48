extension String {
  /// The beginning of a text that is to be shown.
  ///
  /// - Parameter limit: The bytes that it may have in UTF-8.
  /// - Returns: The text, or its first whole characters and “…”. Of a character with more marks than that, the first ones.
  func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var result = ""
    var count = "…".utf8.count
    for character in self {
      count += character.utf8.count
      if count > limit { break }
      result.append(character)
    }
    if result.isEmpty {
      for scalar in unicodeScalars.prefix(limit / 4 - 1) { result.unicodeScalars.append(scalar) }
    }
    return result + "…"
  }
}
