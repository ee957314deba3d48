extension SafeText {
  /// Takes a name over, or another one where there is nothing to be seen in it.
  ///
  /// It is looked at as it came: what acts on a terminal becomes a sign that can be seen.
  package init(name: String, orIfInvisible other: String) {
    self.init(name.unicodeScalars.contains(where: Self.isVisible) ? name : other)
  }

  /// Whether a character is no blank, control or format character, and no mark that stands alone.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // The pattern of Braille without a dot is a symbol to Unicode.
    guard !scalar.properties.isWhitespace, !scalar.properties.isDefaultIgnorableCodePoint,
      scalar.value != 0x2800
    else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator, .nonspacingMark, .enclosingMark:
      return false
    default: return true
    }
  }
}
