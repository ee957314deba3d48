/// The characters that lines, bars and marks are drawn with.
public enum GlyphSet: String, Hashable, Sendable, CaseIterable {
  /// Box drawing with round corners, blocks in eighths, braille dots.
  case unicode
  /// Only characters of the Linux console's font: square corners, whole blocks.
  case console
  /// Plain ASCII.
  case ascii
}
