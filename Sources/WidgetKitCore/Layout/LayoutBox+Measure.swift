extension LayoutBox {
  /// Returns the size of the box if it is offered `width` columns: at most that many columns, and the
  /// rows that its content needs then.
  ///
  /// The result for the last width is cached; a pass uses only one width.
  @discardableResult
  func measure(_ width: Int) -> Size {
    if let measured, measured.width == width { return measured.size }
    let offered = min(width, maxColumns)
    let content = measureContent(max(0, offered - padding.columns))
    var size = Size(
      columns: growsColumns || frame.width != nil ? offered : content.columns + padding.columns,
      rows: content.rows + padding.rows
    )
    if let least = frame.minWidth { size.columns = max(size.columns, least) }
    size.columns = min(size.columns, offered)
    if let height = frame.height {
      size.rows = height
    } else {
      if let most = frame.maxHeight { size.rows = min(size.rows, most) }
      if let least = frame.minHeight { size.rows = max(size.rows, least) }
    }
    measured = (width, size)
    return size
  }

  private func measureContent(_ width: Int) -> Size {
    switch kind {
    case .text(let flow, _, let content):
      lines = flow.lines(
        width: width,
        limit: lineLimit(content.lineLimit),
        truncation: content.truncation
      )
      return Size(columns: lines.reduce(0) { max($0, $1.columns) }, rows: lines.count)
    case .ansi(let flow, _):
      lines = flow.paragraphs.map { TextLine(head: $0.range, columns: $0.columns) }
      return Size(columns: min(width, flow.idealColumns), rows: lines.count)
    case .column(let children, let spacing, _):
      var size = Size(columns: 0, rows: Self.gaps(children, spacing).reduce(0, +))
      for child in children {
        let part = child.measure(width)
        size.columns = max(size.columns, part.columns)
        size.rows += part.rows
      }
      return size
    case .row(let children, let spacing, _):
      return measureRow(children, spacing, width)
    case .layers(let children, _):
      return children.reduce(into: Size.zero) { size, child in
        let part = child.measure(width)
        size.columns = max(size.columns, part.columns)
        size.rows = max(size.rows, part.rows)
      }
    case .grid(let grid):
      return measureGrid(grid, width)
    case .spacer(let length):
      return Size(
        columns: container == .row ? width : 0,
        rows: container == .column ? length : 0
      )
    case .divider:
      return Size(columns: min(1, width), rows: 1)
    case .gauge:
      return Size(columns: width, rows: 1)
    case .sparkline(let content):
      return Size(columns: width, rows: content.height.boundedExtent)
    case .chart(let chart):
      return Size(columns: width, rows: chart.rows)
    case .picture(let box, let rows):
      let size = box?.measure(width) ?? .zero
      return Size(columns: size.columns, rows: rows ?? size.rows)
    case .control(let label, let mark, let end):
      let ends = Self.isBare(label, mark, end, width) ? 0 : mark.count + end.count
      let size = label.measure(max(0, width - ends))
      return Size(columns: min(width, size.columns + ends), rows: max(1, size.rows))
    case .empty:
      return .zero
    }
  }

  /// Whether a button's text has no room next to its brackets, and is shown without them.
  static func isBare(_ label: LayoutBox, _ mark: [Glyph], _ end: [Glyph], _ width: Int) -> Bool {
    !end.isEmpty && width < mark.count + end.count + min(1, label.idealColumns)
  }

  /// Returns the limit on the lines of a text, which is at most the rows of its frame.
  private func lineLimit(_ stated: Int?) -> Int? {
    let limits = [stated, frame.height, frame.maxHeight].compactMap { $0 }
    return limits.min().map { max(0, $0) }
  }

  private func measureRow(_ children: [LayoutBox], _ spacing: Int, _ width: Int) -> Size {
    slots = Sharing.share(
      width,
      spacing: spacing,
      among: children.map { child in
        Sharing.Claim(
          minimum: child.minColumns,
          ideal: child.idealColumns,
          maximum: child.growsColumns ? child.maxColumns : child.idealColumns,
          priority: child.isSpacer ? -.infinity : child.node.layoutPriority,
          isSpacer: child.isSpacer,
          least: child.leastColumns
        )
      }
    )
    let gaps = Self.gaps(children, spacing, slots: slots).reduce(0, +)
    var size = Size(columns: gaps, rows: 0)
    for (child, slot) in zip(children, slots) {
      size.rows = max(size.rows, child.measure(slot).rows)
      size.columns += slot
    }
    size.columns = min(size.columns, width)
    return size
  }

  private func measureGrid(_ grid: GridBoxes, _ width: Int) -> Size {
    slots = Sharing.share(width, spacing: grid.columnSpacing, among: grid.claims)
    let gaps = max(0, slots.count { $0 > 0 } - 1) * grid.columnSpacing
    rowHeights = grid.rows.map { row in
      zip(row, slots).reduce(0) { max($0, $1.0.measure($1.1).rows) }
    }
    let spaces = max(0, grid.rows.count - 1) * grid.rowSpacing
    return Size(
      columns: min(width, slots.reduce(gaps, +)),
      rows: rowHeights.reduce(spaces, +)
    )
  }
}
