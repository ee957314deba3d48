import WidgetKitCore

/// Writes a canvas as text with SGR sequences (ECMA-48), with the style reset at the end of every line.
nonisolated struct ANSIWriter: Sendable {
  /// The colours.
  var theme: Theme

  /// One line for each row, each with a line feed.
  func text(_ canvas: Canvas) -> String {
    (0..<canvas.size.rows).map {
      line(canvas.styledText(inRow: $0, isPainted: theme.paintsBackground)) + "\n"
    }.joined()
  }

  private func line(_ runs: [StyledText]) -> String {
    var result = ""
    var isPlain = true
    for run in runs {
      let codes = codes(theme.resolve(run.style))
      if !isPlain || !codes.isEmpty {
        result += "\u{1B}[" + (["0"] + codes).joined(separator: ";") + "m"
      }
      isPlain = codes.isEmpty
      result += run.text
    }
    return isPlain ? result : result + "\u{1B}[0m"
  }

  private func codes(_ style: TerminalStyle) -> [String] {
    let attributes: [(CellAttributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
      (.strikethrough, "9"),
    ]
    return attributes.filter { style.attributes.contains($0.0) }.map(\.1)
      + (style.foreground.map { code($0, base: 30) } ?? [])
      + (style.background.map { code($0, base: 40) } ?? [])
  }

  private func code(_ color: TerminalColor, base: Int) -> [String] {
    switch color {
    case .indexed(let index) where index < 8: ["\(base + Int(index))"]
    case .indexed(let index) where index < 16: ["\(base + 52 + Int(index))"]
    case .indexed(let index): ["\(base + 8)", "5", "\(index)"]
    case .rgb(let rgb): ["\(base + 8)", "2", "\(rgb.red)", "\(rgb.green)", "\(rgb.blue)"]
    }
  }
}
