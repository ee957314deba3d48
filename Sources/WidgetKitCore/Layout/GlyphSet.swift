/// Which characters lines, bars and marks are drawn with.
public enum GlyphSet: String, Hashable, Sendable, CaseIterable {
  /// Box drawing with round corners, blocks in eighths, braille dots.
  case unicode
  /// Nothing beyond what the Linux console's font has: square corners, whole blocks.
  case console
  /// Plain ASCII.
  case ascii
}
