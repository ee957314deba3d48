/// The characters that lines, bars and marks are drawn with.
public enum GlyphSet: String, Hashable, Sendable, CaseIterable {
  /// Box drawing with round corners, blocks in eighths, braille dots.
  case unicode
  /// Only characters of the Linux console's font: square corners, whole blocks.
  case console
  /// Plain ASCII.
  case ascii
}

extension GlyphSet {
  /// The mark for omitted text; one cell.
  public var ellipsis: Glyph {
    self == .unicode ? Glyph("…", width: 1) : Glyph("~", width: 1)
  }
}
