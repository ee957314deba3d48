import WidgetKitCore

/// A screen as a value: rows of cells, without halves of wide glyphs.
///
/// It consists only of ``Glyph`` values, which cannot act on a terminal. Anything outside the canvas
/// or the clip is dropped; a wide glyph that is cut at an edge becomes a blank.
///
/// A picture that is made from another one shares the rows that were not drawn on, so that comparing both visits
/// only the others.
nonisolated struct Canvas: Hashable, Sendable {
  /// The size; neither side is negative.
  let size: Size
  private var rows: [[Cell]]

  /// Creates a canvas of blanks; a negative side counts as none.
  init(size: Size) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    rows = Array(
      repeating: Array(repeating: .blank, count: self.size.columns),
      count: self.size.rows
    )
  }

  /// The whole canvas as a rectangle.
  var bounds: Rect { Rect(origin: .zero, size: size) }

  /// All cells, row by row, `size.columns` a row.
  var cells: [Cell] { Array(rows.joined()) }

  /// The cells of one row, which must lie on the canvas.
  func row(_ row: Int) -> [Cell] { rows[row] }

  /// The cell at an index of ``cells``.
  func cell(at index: Int) -> Cell { rows[index / size.columns][index % size.columns] }

  /// Puts one glyph, clipped to `clip`.
  ///
  /// A continuation is ignored: it is written with its wide glyph.
  mutating func put(_ glyph: Glyph, style: CellStyle, at position: Position, in clip: Rect) {
    guard glyph.width > 0 else { return }
    let visible = clip.intersection(bounds)
    guard position.row >= visible.minRow, position.row < visible.maxRow else { return }
    let start = max(position.column, visible.minColumn)
    let end = min(position.column + glyph.width, visible.maxColumn)
    guard start < end else { return }
    freeHalves(from: start, to: end, row: position.row)
    guard end - start == glyph.width else {
      rows[position.row][start] = Cell(glyph: .space, style: style)
      return
    }
    rows[position.row][start] = Cell(glyph: glyph, style: style)
    if glyph.width == 2 {
      rows[position.row][start + 1] = Cell(glyph: .continuation, style: style)
    }
  }

  /// Puts a run of cells, moved by `offset` and clipped to `clip`.
  ///
  /// In a run each wide glyph is followed by its continuation.
  mutating func put(_ run: CellRun, offset: Position = .zero, in clip: Rect) {
    let visible = clip.intersection(bounds)
    let row = run.position.row + offset.row
    let column = run.position.column + offset.column
    let start = max(column, visible.minColumn)
    let end = min(column + run.cells.count, visible.maxColumn)
    guard row >= visible.minRow, row < visible.maxRow, start < end else { return }
    freeHalves(from: start, to: end, row: row)
    rows[row].replaceSubrange(start..<end, with: run.cells[start - column..<end - column])
    // Of a wide glyph that the clip cuts in two, neither half is shown but a space.
    if rows[row][start].glyph == .continuation { rows[row][start].glyph = .space }
    if rows[row][end - 1].glyph.width == 2 { rows[row][end - 1].glyph = .space }
  }

  /// Fills the part of `rect` inside `clip` with one glyph of width 1.
  mutating func fill(_ rect: Rect, with glyph: Glyph = .space, style: CellStyle, in clip: Rect) {
    let area = rect.intersection(clip).intersection(bounds)
    guard !area.size.isEmpty else { return }
    let cell = Cell(glyph: glyph, style: style)
    for row in area.minRow..<area.maxRow {
      freeHalves(from: area.minColumn, to: area.maxColumn, row: row)
      for column in area.minColumn..<area.maxColumn { rows[row][column] = cell }
    }
  }

  /// Puts a cell of one column, which must lie on the canvas, in place of another such cell.
  mutating func set(_ cell: Cell, at position: Position) {
    rows[position.row][position.column] = cell
  }

  /// Changes the style of all cells in `rect`.
  mutating func restyle(_ rect: Rect, _ change: (inout CellStyle) -> Void) {
    let area = rect.intersection(bounds)
    for row in area.minRow..<max(area.minRow, area.maxRow) {
      for column in area.minColumn..<max(area.minColumn, area.maxColumn) {
        change(&rows[row][column].style)
      }
    }
  }

  /// Blanks the other halves of wide glyphs that cells from `start` to `end` will overwrite.
  private mutating func freeHalves(from start: Int, to end: Int, row: Int) {
    if start > 0, rows[row][start].glyph.width == 0 { rows[row][start - 1].glyph = .space }
    if end < size.columns, rows[row][end].glyph.width == 0 { rows[row][end].glyph = .space }
  }
}
