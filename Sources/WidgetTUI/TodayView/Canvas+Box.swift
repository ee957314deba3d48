import WidgetKitCore

nonisolated extension Canvas {
  /// Draws the border of `box` in the characters of `glyphs`.
  mutating func drawBox(_ box: Rect, _ glyphs: FrameGlyphs, style: CellStyle, in clip: Rect) {
    guard !box.size.isEmpty else { return }
    let last = Position(column: box.maxColumn - 1, row: box.maxRow - 1)
    for row in [box.minRow, last.row] {
      let line = Rect(column: box.minColumn, row: row, columns: box.size.columns, rows: 1)
      fill(line, with: glyphs.horizontal, style: style, in: clip)
    }
    for column in [box.minColumn, last.column] {
      let line = Rect(column: column, row: box.minRow, columns: 1, rows: box.size.rows)
      fill(line, with: glyphs.vertical, style: style, in: clip)
    }
    let places = [
      box.origin, Position(column: last.column, row: box.minRow), last,
      Position(column: box.minColumn, row: last.row),
    ]
    for (corner, place) in zip(glyphs.corners, places) {
      put(corner, style: style, at: place, in: clip)
    }
  }
}
