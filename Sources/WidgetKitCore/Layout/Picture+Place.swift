extension Picture {
  /// The context in which a box is drawn.
  struct Surroundings {
    /// Cells outside of it are not drawn.
    var clip: Rect
    /// The index of the nearest element with an `id`.
    var element: Int?
  }

  /// Draws `box`, which was measured, with its frame at `rect`.
  mutating func place(_ box: LayoutBox, at rect: Rect, in outer: Surroundings) {
    let visible = rect.intersection(outer.clip)
    guard !visible.size.isEmpty || rect.size.isEmpty else { return }
    var here = Surroundings(clip: visible, element: outer.element)
    if let id = box.node.id {
      here.element = add(
        LaidOutElement(
          id: id,
          frame: rect,
          parent: outer.element,
          transition: box.node.transition
        )
      )
    }
    guard !visible.size.isEmpty else { return }
    addTarget(of: box, visible, elementID: here.element.map { elements[$0].id })
    if box.node.style.background != nil {
      fill(rect, style: box.style, clip: here.clip, element: here.element)
    }
    if let change = box.nextChange { note(change: change) }
    let content = Rect(
      column: rect.minColumn + box.padding.left,
      row: rect.minRow + box.padding.top,
      columns: max(0, rect.size.columns - box.padding.columns),
      rows: max(0, rect.size.rows - box.padding.rows)
    )
    here.clip = here.clip.intersection(content)
    guard !here.clip.size.isEmpty else { return }
    placeContent(of: box, at: content, in: here)
  }

  private mutating func placeContent(of box: LayoutBox, at rect: Rect, in here: Surroundings) {
    switch box.kind {
    case .text(let flow, let styles, let content):
      drawText(box, flow, styles, content.spans, content.alignment, at: rect, in: here)
    case .ansi(let flow, let styles):
      drawText(box, flow, styles, [], .leading, at: rect, in: here)
    case .column(let children, let spacing, let alignment):
      placeColumn(children, spacing, alignment, at: rect, in: here)
    case .row(let children, let spacing, let alignment):
      placeRow(box, children, spacing, alignment, at: rect, in: here)
    case .layers(let children, let alignment):
      for child in children {
        let size = child.measured?.size ?? .zero
        let rows = child.growsRows ? min(rect.size.rows, child.maxRows) : size.rows
        let column = alignment.offset(of: size.columns, in: rect.size.columns)
        let row = alignment.offset(of: rows, in: rect.size.rows)
        let origin = Position(column: rect.minColumn + column, row: rect.minRow + row)
        let frame = Rect(origin: origin, size: Size(columns: size.columns, rows: rows))
        place(child, at: frame, in: here)
      }
    case .grid(let grid):
      placeGrid(box, grid, at: rect, in: here)
    case .spacer, .empty:
      break
    case .divider:
      drawDivider(box, at: rect, in: here)
    case .gauge(let gauge):
      drawGauge(gauge, box, at: rect, in: here)
    case .sparkline(let sparkline):
      drawSparkline(sparkline, box, at: rect, in: here)
    case .chart(let chart):
      drawChart(chart, at: rect, in: here)
    case .picture(let alt, _):
      guard let alt else { return }
      let frame = Rect(origin: rect.origin, size: alt.measured?.size ?? .zero)
      place(alt, at: frame, in: here)
    case .control(let label, let mark, let end):
      placeControl(box, label, mark, end, at: rect, in: here)
    }
  }

  private mutating func placeColumn(
    _ children: [LayoutBox],
    _ spacing: Int,
    _ alignment: Alignment,
    at rect: Rect,
    in here: Surroundings
  ) {
    let gaps = LayoutBox.gaps(children, spacing)
    var heights = children.map { $0.measured?.size.rows ?? 0 }
    let room = rect.size.rows - gaps.reduce(0, +)
    if children.contains(where: \.growsRows) && heights.reduce(0, +) < room {
      heights = Sharing.share(
        room,
        among: zip(children, heights).map { child, rows in
          Sharing.Claim(
            minimum: rows,
            ideal: rows,
            maximum: child.growsRows ? child.maxRows : rows,
            isSpacer: child.isSpacer
          )
        }
      )
    }
    var row = rect.minRow
    for (index, child) in children.enumerated() where row < here.clip.maxRow {
      row += gaps[index]
      let columns = min(child.measured?.size.columns ?? 0, rect.size.columns)
      let indent = alignment.offset(of: columns, in: rect.size.columns)
      place(
        child,
        at: Rect(
          column: rect.minColumn + indent,
          row: row,
          columns: columns,
          rows: heights[index]
        ),
        in: here
      )
      row += heights[index]
    }
  }

  private mutating func placeRow(
    _ box: LayoutBox,
    _ children: [LayoutBox],
    _ spacing: Int,
    _ alignment: Alignment,
    at rect: Rect,
    in here: Surroundings
  ) {
    let gaps = LayoutBox.gaps(children, spacing, slots: box.slots)
    var column = rect.minColumn
    for (index, child) in children.enumerated() where column < here.clip.maxColumn {
      column += gaps[index]
      let size = child.measured?.size ?? .zero
      let isTall = child.isVerticalDivider || child.growsRows
      let rows = isTall ? min(rect.size.rows, child.maxRows) : size.rows
      place(
        child,
        at: Rect(
          column: column,
          row: rect.minRow + alignment.offset(of: rows, in: rect.size.rows),
          columns: size.columns,
          rows: rows
        ),
        in: here
      )
      column += box.slots[index]
    }
  }

  private mutating func placeGrid(
    _ box: LayoutBox,
    _ grid: GridBoxes,
    at rect: Rect,
    in here: Surroundings
  ) {
    var row = rect.minRow
    for (index, cells) in grid.rows.enumerated() where row < here.clip.maxRow {
      var column = rect.minColumn
      for (place, cell) in cells.enumerated() where column < here.clip.maxColumn {
        let slot = box.slots[place]
        var size = cell.measured?.size ?? .zero
        // Text that is aligned in its frame needs the whole column.
        if cell.isPlacedText { size.columns = slot }
        let indent = grid.columns[place].alignment.offset(of: size.columns, in: slot)
        let origin = Position(column: column + indent, row: row)
        self.place(cell, at: Rect(origin: origin, size: size), in: here)
        if slot > 0 { column += slot + grid.columnSpacing }
      }
      row += box.rowHeights[index] + grid.rowSpacing
    }
  }

  private mutating func placeControl(
    _ box: LayoutBox,
    _ label: LayoutBox,
    _ mark: [Glyph],
    _ end: [Glyph],
    at rect: Rect,
    in here: Surroundings
  ) {
    guard !LayoutBox.isBare(label, mark, end, rect.size.columns) else {
      place(label, at: Rect(origin: rect.origin, size: label.measured?.size ?? .zero), in: here)
      return
    }
    draw(Cell.cells(mark, box.style), at: rect.origin, clip: here.clip, element: here.element)
    let size = label.measured?.size ?? .zero
    let start = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    place(label, at: Rect(origin: start, size: size), in: here)
    let last = Position(column: start.column + size.columns, row: rect.minRow)
    draw(Cell.cells(end, box.style), at: last, clip: here.clip, element: here.element)
  }
}

extension Alignment {
  /// Returns the distance of something of `extent` from the start of `room`; 0 if it is too large.
  func offset(of extent: Int, in room: Int) -> Int {
    let free = max(0, room - extent)
    return switch self {
    case .leading: 0
    case .center: free / 2
    case .trailing: free
    }
  }
}
