/// The name that distinguishes several instances of one extension: 1 to 64 of the characters
/// `A`–`Z`, `a`–`z`, `0`–`9`, `.`, `_` and `-`.
public struct InstanceName: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public let rawValue: String

  /// The most bytes of a name.
  public static let byteLimit = 64
  /// The rule for names, worded to follow "expected".
  public static let rule = "1 to \(byteLimit) of the characters A-Z, a-z, 0-9, “.”, “_” and “-”"

  /// Creates a name; returns nil if the text is not a valid one.
  public init?(rawValue: String) {
    guard (1...Self.byteLimit).contains(rawValue.utf8.count),
      rawValue.utf8.allSatisfy(FileNameCoding.isPlain)
    else { return nil }
    self.rawValue = rawValue
  }
}
