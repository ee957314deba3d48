/// Reads values of the protocol that are one of a few words; where another one is found, the error names all of them.
enum WireWord {
  /// How much of another text is named.
  private static let limit = 40

  /// Reads a word.
  ///
  /// - Throws: `DecodingError` that names the words, and what was found.
  static func read<Word: RawRepresentable & CaseIterable>(
    _: Word.Type,
    from decoder: any Decoder
  ) throws -> Word where Word.RawValue == String {
    let container = try decoder.singleValueContainer()
    let found = try? container.decode(String.self)
    if let word = found.flatMap(Word.init(rawValue:)) { return word }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingError.dataCorruptedError(
      in: container,
      debugDescription: "expected one of \(words), found \(found.map(excerpt) ?? "no string")"
    )
  }

  private static func excerpt(_ text: String) -> String {
    let rest = text.count > limit ? "…" : ""
    return "“\(SafeText(String(text.prefix(limit))).string)\(rest)”"
  }
}
