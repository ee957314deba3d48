import WidgetKitCore

/// A screen as a value: rows of cells, without halves of wide glyphs.
///
/// It consists only of ``Glyph`` values, which cannot act on a terminal. Anything outside the canvas
/// or the clip is dropped; a wide glyph that is cut at an edge becomes a blank.
nonisolated struct Canvas: Hashable, Sendable {
  /// The size; neither side is negative.
  let size: Size
  /// All cells, row by row, `size.columns` a row.
  private(set) var cells: [Cell]

  /// Creates a canvas of blanks; a negative side counts as none.
  init(size: Size) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
  }

  /// The whole canvas as a rectangle.
  var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The cells of one row, which must lie on the canvas.
  func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

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
    let line = position.row * size.columns
    freeHalves(from: start, to: end, line: line)
    guard end - start == glyph.width else {
      cells[line + start] = Cell(glyph: .space, style: style)
      return
    }
    cells[line + start] = Cell(glyph: glyph, style: style)
    if glyph.width == 2 {
      cells[line + start + 1] = Cell(glyph: .continuation, style: style)
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
    let line = row * size.columns
    freeHalves(from: start, to: end, line: line)
    cells.replaceSubrange(
      line + start..<line + end,
      with: run.cells[start - column..<end - column]
    )
    // Of a wide glyph that the clip cuts in two, neither half is shown but a space.
    if cells[line + start].glyph == .continuation { cells[line + start].glyph = .space }
    if cells[line + end - 1].glyph.width == 2 { cells[line + end - 1].glyph = .space }
  }

  /// Fills the part of `rect` inside `clip` with one glyph of width 1.
  mutating func fill(_ rect: Rect, with glyph: Glyph = .space, style: CellStyle, in clip: Rect) {
    let area = rect.intersection(clip).intersection(bounds)
    guard !area.size.isEmpty else { return }
    let cell = Cell(glyph: glyph, style: style)
    for row in area.minRow..<area.maxRow {
      let line = row * size.columns
      freeHalves(from: area.minColumn, to: area.maxColumn, line: line)
      for index in line + area.minColumn..<line + area.maxColumn { cells[index] = cell }
    }
  }

  /// Puts a cell of one column, which must lie on the canvas, in place of another such cell.
  mutating func set(_ cell: Cell, at position: Position) {
    cells[position.row * size.columns + position.column] = cell
  }

  /// Changes the style of all cells in `rect`.
  mutating func restyle(_ rect: Rect, _ change: (inout CellStyle) -> Void) {
    let area = rect.intersection(bounds)
    for row in area.minRow..<max(area.minRow, area.maxRow) {
      for column in area.minColumn..<max(area.minColumn, area.maxColumn) {
        change(&cells[row * size.columns + column].style)
      }
    }
  }

  /// Blanks the other halves of wide glyphs that cells from `start` to `end` will overwrite.
  private mutating func freeHalves(from start: Int, to end: Int, line: Int) {
    if start > 0, cells[line + start].glyph.width == 0 {
      cells[line + start - 1].glyph = .space
    }
    if end < size.columns, cells[line + end].glyph.width == 0 {
      cells[line + end].glyph = .space
    }
  }
}
