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
      let codes = theme.resolve(run.style).sgr
      if !isPlain || !codes.isEmpty {
        result += "\u{1B}[" + (["0"] + codes).joined(separator: ";") + "m"
      }
      isPlain = codes.isEmpty
      result += run.text
    }
    return isPlain ? result : result + "\u{1B}[0m"
  }
}
