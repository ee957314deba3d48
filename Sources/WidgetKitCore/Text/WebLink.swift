/// Which links a page for everybody may have.
package enum WebLink {
  /// The bytes of the longest one, as of those that are opened.
  package static let byteLimit = 2048

  /// Whether it leads to the web: its scheme is `http` or `https`, nothing in it can be anything else, and it has no user
  /// and password.
  package static func isAllowed(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    guard rest.starts(with: "://".utf8) else { return false }
    let server = rest.dropFirst(3).prefix { ![0x2F, 0x3F, 0x23, 0x5C].contains($0) }
    return ["http", "https"].contains(scheme) && !server.contains(0x40)
      && url.utf8.count <= byteLimit
      && url.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) }
  }
}
