/// Text that cannot act on a terminal; no other text can be drawn.
///
/// Created from any string, from a widget, a file or a network; characters that could act on a terminal
/// are made visible or removed **character by character** (not by matching sequences, which has been
/// defeated repeatedly, see CVE-2022-46663). `\n` stays and separates lines; layout never puts it into
/// a cell.
public struct SafeText: Hashable, Sendable {
  /// The cleaned text: valid Unicode without controls other than `\n`.
  public let string: String

  /// Cleans `raw`.
  public init(_ raw: String) {
    string = Sanitizer.clean(raw)
  }

  /// Uses a text that is clean already: a part of a clean one, or several joined.
  private init(clean: String) {
    string = clean
  }

  /// Joins texts with a separator.
  init(joining texts: some Collection<SafeText>, with separator: SafeText) {
    self.init(clean: texts.map(\.string).joined(separator: separator.string))
  }

  /// Returns at most the first `count` characters.
  func prefix(_ count: Int) -> SafeText {
    SafeText(clean: String(string.prefix(count)))
  }

  /// Whether there is no text.
  public var isEmpty: Bool { string.isEmpty }
}

extension SafeText: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Cleans a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The cleaned text.
  public var description: String { string }
}

extension SafeText: Codable {
  /// Reads a string and cleans it; throws if it is longer than the decoder's ``ViewBudget`` allows.
  public init(from decoder: any Decoder) throws {
    let raw = try decoder.singleValueContainer().decode(String.self)
    try decoder.viewBudget?.check(textBytes: raw.utf8.count)
    self.init(raw)
  }

  /// Writes the cleaned text as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
