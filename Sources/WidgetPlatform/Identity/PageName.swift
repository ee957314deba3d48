import WidgetKitCore

/// The name of a page: 1 to 40 visible characters on one line, without blanks at its ends.
public struct PageName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name as the user wrote it.
  public let rawValue: String

  /// The most characters of a name.
  public static let characterLimit = 40
  /// The rule for names, worded to follow "expected".
  public static let rule =
    "1 to \(characterLimit) visible characters on one line, without blanks at the ends"

  /// The page that exists before the user has named any.
  public static let home = PageName(checked: "Home")

  private init(checked name: String) {
    rawValue = name
  }

  /// Creates a name; returns nil if the text is not a valid one.
  public init?(rawValue: String) {
    guard rawValue.utf8.count <= 4 * Self.characterLimit,
      (1...Self.characterLimit).contains(rawValue.count), rawValue.first != " ",
      rawValue.last != " ", !rawValue.contains(where: \.isNewline),
      SafeText(name: rawValue, orIfInvisible: "").string == rawValue
    else { return nil }
    self.rawValue = rawValue
  }

  /// The name as text.
  public var description: String { rawValue }

  /// Whether two names stand for the same page: capital letters make no difference.
  public func isSame(as other: PageName) -> Bool {
    rawValue == other.rawValue || rawValue.lowercased() == other.rawValue.lowercased()
  }
}

extension PageName: Codable {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let name = PageName(rawValue: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected \(Self.rule)"
      )
    }
    self = name
  }

  /// Writes a name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
