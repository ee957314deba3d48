/// What tells a card apart at first sight: a sign before its name, and the colour of the sign.
///
/// It is part of the look alone: in ASCII and on the Linux console there is none.
public struct CardMark: Hashable, Sendable {
  /// The sign, of one or two cells (`TodayGlyph`, or `icon` of a script); nil for none.
  public var glyph: SafeText?
  /// Its colour (`TodayTint`, or `tint` of a script); nil for that of secondary text.
  public var tint: Color?

  /// Creates a mark.
  public init(glyph: SafeText? = nil, tint: Color? = nil) {
    self.glyph = glyph
    self.tint = tint
  }

  /// The colour as ``tint(_:)`` reads it; nil without one.
  package var tintText: String? {
    switch tint {
    case .semantic(let name)?: name.rawValue
    case .rgb(let red, let green, let blue)?:
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .indexed?, nil: nil
    }
  }

  /// What a sign must be.
  package static let glyphExpectation = "a sign of one or two cells"
  /// What a colour of a sign must be.
  package static let tintExpectation = "the name of a colour, such as orange, or #rrggbb"

  /// Returns a text that can be a sign; nil if it takes up no cell, or more than two.
  package static func glyph(_ text: String) -> SafeText? {
    let glyph = SafeText(text)
    guard 1...2 ~= glyph.columns, glyph.string.contains(where: { !$0.isWhitespace }) else {
      return nil
    }
    return glyph
  }

  /// Returns the colour that a text names; nil if it names none.
  package static func tint(_ text: String) -> Color? {
    SemanticColor(rawValue: text).map { .semantic($0) } ?? Color(hex: text)
  }
}
