extension SafeText {
  /// Cleans a name, which is one line; replaces it if nothing of it is visible.
  ///
  /// The uncleaned name is checked, as cleaning makes control characters visible.
  package init(name: String, orIfInvisible other: String) {
    self.init(lineOf: name.unicodeScalars.contains(where: Self.isVisible) ? name : other)
  }

  /// Cleans a text that others have written and that stands in a sentence or a list of the program: in one line, and
  /// without wide gaps, so that it cannot look like lines of the program itself.
  package init(lineOf text: String) {
    let clean = SafeText(text).string
    self.init(
      clean.split { $0.isWhitespace || $0 == "\u{2800}" }.joined(separator: " ")
    )
  }

  /// A text that others have written, in quotation marks that it cannot close, cut to some columns.
  package init(quoting text: String, columns: Int) {
    let line = SafeText(lineOf: text).truncated(to: columns).string
    let marks: Set<Character> = ["“", "”", "„", "‟"]
    self.init("“" + String(line.map { marks.contains($0) ? "'" : $0 }) + "”")
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
