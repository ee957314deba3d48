/// A URL that was checked: its scheme is in lower case, and it contains nothing that could act
/// elsewhere.
public nonisolated struct CheckedURL: Hashable, Sendable {
  /// The scheme, in lower case.
  public let scheme: String
  /// The whole URL as it is passed on, as one argument.
  public let text: String

  /// The default limit on the bytes of a URL.
  public static let byteLimit = HostLimits().urlBytes

  /// Checks a URL of a widget or a user: only the characters of RFC 3986, a scheme, and a limit on its
  /// length.
  ///
  /// It is nil if the text is not a URL that may be opened: too long, without a scheme, or with a
  /// character that is not allowed in a URL.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - byteLimit: The limit on its bytes.
  public init?(_ text: String, byteLimit: Int = CheckedURL.byteLimit) {
    guard text.utf8.count <= byteLimit, let colon = text.utf8.firstIndex(of: 0x3A) else {
      return nil
    }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, Self.isLetter(first),
      scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"\"<>\\^`{|}".utf8.contains($0) })
    else { return nil }
    self.scheme = scheme.lowercased()
    self.text = self.scheme + text[colon...]
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
