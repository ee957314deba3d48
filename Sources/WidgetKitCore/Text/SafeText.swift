/// Text that cannot act on a terminal; no other text can be drawn.
///
/// Created from any string, of a widget, a file or a network; what could act on a terminal is made
/// visible or removed **character by character** (never by matching sequences, which has been
/// defeated again and again, see CVE-2022-46663). `\n` stays and parts lines; layout never hands it
/// to a cell.
public struct SafeText: Hashable, Sendable {
  /// The cleaned text: valid Unicode without controls other than `\n`.
  public let string: String

  /// Cleans `raw`.
  public init(_ raw: String) {
    string = Sanitizer.clean(raw)
  }

  /// Takes a text as it is: a part of clean ones, or several of them joined.
  private init(clean: String) {
    string = clean
  }

  /// Joins texts with another one between each two.
  init(joining texts: some Collection<SafeText>, with separator: SafeText) {
    self.init(clean: texts.map(\.string).joined(separator: separator.string))
  }

  /// The beginning: at most `count` characters.
  func prefix(_ count: Int) -> SafeText {
    SafeText(clean: String(string.prefix(count)))
  }

  /// Whether there is nothing to show.
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
  /// Reads a string and cleans it; one longer than the decoder's ``ViewBudget`` allows is refused.
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
