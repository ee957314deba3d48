import WidgetKitCore

/// The picture that hides the page on a shared screen.
nonisolated enum Cover {
  /// Draws it over everything.
  static func draw(on canvas: inout Canvas) {
    canvas.fill(canvas.bounds, style: .plain, in: canvas.bounds)
    let lines: [(SafeText, CellStyle)] = [
      ("The page is hidden.", CellStyle(foreground: .label, attributes: .bold)),
      ("Press any key to show it.", CellStyle(foreground: .secondary)),
    ]
    var row = max(0, (canvas.size.rows - lines.count) / 2)
    for (words, style) in lines {
      let line = TextLine(words)
      let place = Position(column: max(0, (canvas.size.columns - line.width) / 2), row: row)
      canvas.write(line, style: style, at: place, in: canvas.bounds)
      row += 1
    }
  }
}
