import WidgetPlatform

/// A URL that was checked: its scheme is in lower case, and it has only the characters of RFC 3986.
public struct CheckedURL: Hashable, Sendable {
  /// The scheme, in lower case.
  public let scheme: String
  /// The whole URL as it is passed on, as one argument.
  public let text: String

  /// The default limit on the bytes of a URL.
  public static let byteLimit = HostLimits().urlBytes

  /// Checks a URL of a widget or a user: a scheme, no control characters, and a limit on its length.
  ///
  /// Characters that a URL cannot have, such as blanks, quotes and letters outside of ASCII, are written
  /// as percent signs with two digits (RFC 3986, 2.1), and so is a percent sign that begins no such
  /// sequence.
  ///
  /// It is nil if the text is not a URL that may be opened: too long, without a scheme, or with a control
  /// character.
  ///
  /// - Parameters:
  ///   - text: The URL.
  ///   - byteLimit: The limit on its bytes as it was given.
  public init?(_ text: String, byteLimit: Int = CheckedURL.byteLimit) {
    guard text.utf8.count <= byteLimit, let colon = text.utf8.firstIndex(of: 0x3A) else {
      return nil
    }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, Self.isLetter(first),
      scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    self.scheme = scheme.lowercased()
    self.text = self.scheme + Self.escaped(text[colon...])
  }

  /// The part between `//` and the path, without a user and a password; nil if there is none.
  package var host: String? {
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let host =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return host.isEmpty ? nil : String(host)
  }

  /// The path of a `file:` URL on this machine; nil for any other URL.
  var filePath: String? {
    guard scheme == "file" else { return nil }
    var rest = text.dropFirst("file:".count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    }
    rest = rest.prefix { $0 != "?" && $0 != "#" }
    guard rest.hasPrefix("/") else { return nil }
    return Self.unescaped(rest)
  }

  private static func escaped(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isSequence =
        index + 2 < bytes.count && hexValue(bytes[index + 1]) != nil
        && hexValue(bytes[index + 2]) != nil
      if byte == UInt8(ascii: "%") ? isSequence : isAllowed(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result += [byte >> 4, byte & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text that percent sequences stand for; nil if that is not UTF-8, or has a zero byte.
  static func unescaped(_ text: Substring) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether a URL may have a character as it is (RFC 3986, 2.2 and 2.3).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
