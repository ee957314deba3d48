extension SafeText {
  /// Cleans a name; replaces it if nothing of it is visible.
  ///
  /// The uncleaned name is checked, as cleaning makes control characters visible.
  package init(name: String, orIfInvisible other: String) {
    self.init(name.unicodeScalars.contains(where: Self.isVisible) ? name : other)
  }

  /// Whether a character is not a blank, a control or format character, or a mark without a base.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // The empty Braille pattern counts as a symbol in Unicode.
    guard !scalar.properties.isWhitespace, !scalar.properties.isDefaultIgnorableCodePoint,
      scalar.value != 0x2800
    else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .spaceSeparator,
      .nonspacingMark, .enclosingMark:
      return false
    default: return true
    }
  }
}
