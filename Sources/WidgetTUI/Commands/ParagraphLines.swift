import WidgetKitCore

/// The lines of a text on a terminal that is narrower than it.
nonisolated enum ParagraphLines {
  /// The columns of text that there are at least in a line.
  private static let leastColumns = 20

  /// Breaks a line between words; what follows is below its text.
  ///
  /// The text begins where the line is indented, or behind the last gap of two blanks or more in its first half, as
  /// in a list of options.
  static func lines(of line: String, columns: Int) -> [String] {
    let text = SafeText(line)
    guard text.columns > columns else { return [line] }
    let indent = indent(of: line, columns: columns)
    let first = line.prefix(indent)
    let width = columns - SafeText(String(first)).columns
    guard width >= leastColumns else { return [line] }
    let rest = SafeText(String(line.dropFirst(indent))).wrapped(to: width)
    let margin = String(repeating: " ", count: indent)
    return rest.enumerated().map { ($0.offset == 0 ? String(first) : margin) + $0.element.string }
  }

  /// How many characters stand before the text.
  private static func indent(of line: String, columns: Int) -> Int {
    var start = line.prefix { $0 == " " }.count
    var blanks = 0
    for (index, character) in line.enumerated() where index <= columns / 2 {
      if character == " " {
        blanks += 1
      } else {
        if blanks >= 2 { start = index }
        blanks = 0
      }
    }
    return start
  }
}
