/// The address of a calendar on a server.
struct ServerAddress: Hashable, Sendable {
  private static let byteLimit = 4_000

  /// The scheme, the host and its port, as in `https://example.com:8443`.
  let origin: String
  /// The path and what follows it; begins with a slash.
  let path: String

  /// The whole address.
  var url: String { origin + path }
  /// The host, with its port, for texts.
  var host: String { String(origin.split(separator: "/").last ?? "") }

  /// Reads an address that begins with `https://`, `http://` or, as some calendars are published, `webcal://`.
  init(parsing text: String) throws(ServerError) {
    let (scheme, start) =
      if text.lowercased().hasPrefix("https://") {
        ("https://", 8)
      } else if text.lowercased().hasPrefix("http://") {
        ("http://", 7)
      } else if text.lowercased().hasPrefix("webcal://") {
        ("https://", 9)
      } else { ("", 0) }
    let rest = text.dropFirst(start)
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !scheme.isEmpty, !host.isEmpty, text.utf8.count <= Self.byteLimit,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw ServerError("its address must begin with https:// or http://, and have no spaces")
    }
    guard !host.contains("@") else {
      throw ServerError("user name and password have settings of their own")
    }
    origin = scheme + host.lowercased()
    let path = rest.dropFirst(host.count).prefix { $0 != "#" }
    self.path = path.hasPrefix("/") ? String(path) : "/" + path
  }

  private init(origin: String, path: String) {
    self.origin = origin
    self.path = path
  }

  /// The address that a server names; nil if it is one of another server, which gets no credentials.
  func resolving(_ href: String) -> ServerAddress? {
    if href.hasPrefix("/"), !href.hasPrefix("//"), href.utf8.count <= Self.byteLimit,
      href.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    {
      return ServerAddress(origin: origin, path: href)
    }
    guard let other = try? ServerAddress(parsing: href), other.origin == origin else { return nil }
    return other
  }
}
