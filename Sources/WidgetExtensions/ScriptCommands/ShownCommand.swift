package import WidgetKitCore

/// A command as a question shows it: no character of it is left out, and none looks like another place of the text.
package struct ShownCommand: Hashable, Sendable {
  /// The text, with `\u{202E}` for a character that cannot be seen.
  package let text: SafeText
  /// Whether each character stands for itself.
  package let isPlain: Bool

  /// The most marks on one character that are shown; see ``SafeText``.
  private static let markLimit = 4

  package init(_ command: String) {
    var (text, isPlain, marks) = ("", true, 0)
    for scalar in command.unicodeScalars {
      let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
      marks = isMark ? marks + 1 : 0
      guard marks > Self.markLimit || !Self.isVisible(scalar) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      isPlain = false
      text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    self.text = SafeText(text)
    self.isPlain = isPlain
  }

  /// Whether a character can be seen, or is a space.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == " " { return true }
    let properties = scalar.properties
    // The empty Braille pattern counts as a symbol in Unicode.
    guard !properties.isDefaultIgnorableCodePoint, !properties.isWhitespace,
      !properties.isBidiControl, scalar.value != 0x2800
    else { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      return false
    // What is drawn is the same character.
    default: return SafeText(String(scalar)).string == String(scalar)
    }
  }
}
