import WidgetKitCore
import WidgetRequests

nonisolated extension ContentPreview {
  /// The rows that it takes at a height.
  func rows(limit: Int) -> Int {
    let (lines, rest) = shown(rows: limit)
    return min(lines.count + (rest == nil ? 0 : 1), limit)
  }

  /// Draws it, with a line that counts what is cut.
  func draw(on canvas: inout Canvas, in area: Rect, _ look: PaneLook) {
    guard area.size.rows > 0 else { return }
    let (lines, rest) = shown(rows: area.size.rows)
    for (index, line) in lines.enumerated() {
      let text = TextLine(line).truncated(to: area.size.columns, glyphSet: look.glyphs)
      canvas.write(
        text,
        style: CellStyle(foreground: .secondary),
        at: Position(column: area.minColumn, row: area.minRow + index),
        in: area
      )
    }
    guard let rest else { return }
    canvas.write(
      SafeText("\(look.glyphs == .ascii ? "..." : "…") \(rest)"),
      style: CellStyle(foreground: .tertiary),
      at: Position(column: area.minColumn, row: area.minRow + lines.count),
      in: area
    )
  }
}
