/// Which links a page for everybody may have.
package enum WebLink {
  /// The bytes of the longest one, as of those that are opened.
  package static let byteLimit = 2048

  /// Whether it leads to the web: its scheme is `http` or `https`, and nothing in it can be anything else.
  package static func isAllowed(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return ["http", "https"].contains(scheme) && url.dropFirst(scheme.count).hasPrefix("://")
      && url.utf8.count <= byteLimit
      && url.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}
