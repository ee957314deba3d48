extension Picture {
  /// Draws a horizontal line, or a vertical one over the height of a row.
  mutating func drawDivider(_ box: LayoutBox, at rect: Rect, in here: Surroundings) {
    var style = box.style
    style.foreground = box.node.style.foreground ?? .separator
    let isVertical = box.isVerticalDivider
    let glyph = Glyph(
      glyphs == .ascii ? (isVertical ? "|" : "-") : (isVertical ? "│" : "─"),
      width: 1
    )
    let columns = isVertical ? 1 : here.clip.maxColumn - rect.minColumn
    let cells = Array(repeating: Cell(glyph: glyph, style: style), count: max(0, columns))
    let rows = isVertical ? here.clip.minRow..<here.clip.maxRow : rect.minRow..<(rect.minRow + 1)
    for row in rows {
      let start = Position(column: rect.minColumn, row: row)
      draw(cells, at: start, clip: here.clip, element: here.element)
    }
  }

  /// Draws label, bar and value in one row.
  mutating func drawGauge(
    _ gauge: GaugeFigure,
    _ box: LayoutBox,
    at rect: Rect,
    in here: Surroundings
  ) {
    let parts = gauge.parts(rect.size.columns)
    var bar = box.style
    bar.foreground = gauge.color ?? bar.foreground
    var track = box.style
    track.foreground = .tertiary
    track.attributes.insert(.dim)
    var column = rect.minColumn
    if parts.label > 0, let label = gauge.label {
      drawWords(label, box.style, columns: parts.label - 1, at: column, rect.minRow, in: here)
    }
    column += parts.label
    guard take(parts.bar) else { return }
    let (cells, filled) = gauge.bar(parts.bar, glyphs)
    draw(
      Cell.cells(cells[..<filled], bar) + Cell.cells(cells[filled...], track),
      at: Position(column: column, row: rect.minRow),
      clip: here.clip,
      element: here.element
    )
    column += parts.bar + 1
    if parts.value > 0, let value = gauge.value {
      drawWords(value, box.style, columns: parts.value - 1, at: column, rect.minRow, in: here)
    }
  }

  /// Draws the first line of a text, cut to `columns`.
  private mutating func drawWords(
    _ flow: TextFlow,
    _ style: CellStyle,
    columns: Int,
    at column: Int,
    _ row: Int,
    in here: Surroundings
  ) {
    guard let line = flow.lines(width: columns, limit: 1).first else { return }
    var cells = Cell.cells(flow.glyphs[line.head], style)
    if line.isCut { cells.append(Cell(glyph: glyphs.ellipsis, style: style)) }
    let start = Position(column: column, row: row)
    draw(cells, at: start, clip: here.clip, element: here.element)
  }

  /// Draws one bar for each value, the newest on the right.
  mutating func drawSparkline(
    _ sparkline: SparklineContent,
    _ box: LayoutBox,
    at rect: Rect,
    in here: Surroundings
  ) {
    let shown = sparkline.values.suffix(rect.size.columns)
    let present = shown.compactMap { $0 }
    guard let least = present.min(), let most = present.max(),
      take(shown.count * min(rect.size.rows, here.clip.size.rows))
    else { return }
    let lower = sparkline.minimum ?? least
    let upper = sparkline.maximum ?? most
    let ramp = Ramp.upward(glyphs)
    let levels = shown.map { value -> Int in
      guard let value else { return 0 }
      let part = lower < upper ? GaugeFigure.fraction(of: value, from: lower, to: upper) : 0
      return 1 + Int((part * Double(ramp.steps * rect.size.rows - 1)).rounded())
    }
    let start = rect.maxColumn - levels.count
    var cells = Array(repeating: Cell(glyph: .space, style: box.style), count: levels.count)
    for row in here.clip.minRow..<here.clip.maxRow {
      let height = rect.maxRow - 1 - row
      // Most rows of a tall sparkline equal the one above, whose cells they share.
      for (index, level) in levels.enumerated() {
        let glyph = ramp.glyph(level: level, row: height) ?? .space
        if cells[index].glyph != glyph { cells[index].glyph = glyph }
      }
      draw(
        cells,
        at: Position(column: start, row: row),
        clip: here.clip,
        element: here.element
      )
    }
  }
}
