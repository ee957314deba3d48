import WidgetKitCore

/// Writes a canvas as an HTML page: one `pre` with a `span` for each style.
nonisolated struct HTMLWriter: Sendable {
  /// The colours.
  var theme: Theme

  /// The whole page.
  func text(_ canvas: Canvas) -> String {
    let lines = (0..<canvas.size.rows).map { row in
      var column = 0
      return canvas.styledText(inRow: row).map { run in
        let gap = String(repeating: " ", count: max(0, run.column - column))
        column = run.column + run.width
        return gap + span(run)
      }.joined()
    }
    let font = "ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,monospace"
    return """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Today</title></head>
      <body style="margin:0;background:\(theme.windowBackground.hexText)">
      <pre style="margin:0;padding:1em;color:\(theme.rgb(.label).hexText);font:14px/1.25 \(font)">
      \(lines.joined(separator: "\n"))
      </pre>
      </body>
      </html>

      """
  }

  private func span(_ run: StyledText) -> String {
    let text = MarkupText.escaped(run.text)
    guard run.style != .plain else { return text }
    let colors = theme.pictureColors(run.style)
    var rules = ["color:\(colors.foreground.hexText)"]
    if let background = colors.background { rules.append("background:\(background.hexText)") }
    if run.style.attributes.contains(.bold) { rules.append("font-weight:bold") }
    if run.style.attributes.contains(.italic) { rules.append("font-style:italic") }
    let lines: [(CellAttributes, String)] = [
      (.underline, "underline"), (.strikethrough, "line-through"),
    ]
    let drawn = lines.filter { run.style.attributes.contains($0.0) }.map(\.1)
    if !drawn.isEmpty { rules.append("text-decoration:" + drawn.joined(separator: " ")) }
    return "<span style=\"\(rules.joined(separator: ";"))\">\(text)</span>"
  }
}
