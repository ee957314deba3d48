/// Children in rows and columns.
final class GridBox: LayoutBox {
  /// The requirements of one column.
  private struct Column {
    var alignment: Alignment
    /// The width below which the column does not shrink while others can.
    var floor: Int
    var ideal: Int
    /// The width below which none of its cells shows anything.
    var least = 0
    var grows = false
    var priority: Double
    /// Whether its width is stated, so that its cells do not change it.
    var isFixed: Bool

    init(_ content: GridColumn) {
      let width = content.width?.boundedExtent
      floor = width ?? content.minWidth?.boundedExtent ?? 0
      ideal = floor
      alignment = content.alignment
      priority = content.priority
      isFixed = width != nil
    }

    mutating func add(_ cell: LayoutBox) {
      least = Wish.least(least, cell.leastColumns)
      guard !isFixed else { return }
      floor = max(floor, cell.minColumns)
      ideal = max(ideal, cell.idealColumns)
      grows = grows || cell.growsColumns
    }

    /// Its claim to a part of the grid's width.
    var claim: Sharing.Claim {
      Sharing.Claim(
        minimum: floor,
        ideal: ideal,
        maximum: grows ? Size.limit.upperBound : ideal,
        priority: priority,
        least: isFixed ? min(floor, least) : least
      )
    }
  }

  private let rows: [[LayoutBox]]
  private let columns: [Column]
  private let columnSpacing: Int
  private let rowSpacing: Int
  /// The columns that each column got when the grid was measured.
  private var slots: [Int] = []
  /// The rows of each row then.
  private var heights: [Int] = []

  init(_ origin: Origin, _ rows: [[LayoutBox]], _ content: GridContent) {
    self.rows = rows
    columnSpacing = content.columnSpacing.boundedExtent
    rowSpacing = content.rowSpacing.boundedExtent
    let count = rows.reduce(0) { max($0, $1.count) }
    var columns = (0..<count).map { index in
      Column(index < content.columns.count ? content.columns[index] : GridColumn())
    }
    for row in rows {
      for index in row.indices { columns[index].add(row[index]) }
    }
    self.columns = columns
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish()
    var shown = 0
    for column in columns {
      wish.minimum += column.floor
      wish.ideal += column.ideal
      wish.least = Wish.least(wish.least, column.claim.least ?? 0)
      wish.grows = wish.grows || column.grows
      if column.ideal > 0 || column.grows { shown += 1 }
    }
    let gaps = max(0, shown - 1) * columnSpacing
    wish.minimum += gaps
    wish.ideal += gaps
    return wish
  }

  override func measureContent(_ width: Int) -> Size {
    slots = Sharing.share(width, spacing: columnSpacing, among: columns.map(\.claim))
    heights.removeAll(keepingCapacity: true)
    heights.reserveCapacity(rows.count)
    var size = Size(
      columns: max(0, slots.count { $0 > 0 } - 1) * columnSpacing,
      rows: max(0, rows.count - 1) * rowSpacing
    )
    for row in rows {
      var height = 0
      for index in row.indices { height = max(height, row[index].measure(slots[index]).rows) }
      heights.append(height)
      size.rows += height
    }
    size.columns = min(width, slots.reduce(size.columns, +))
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var row = rect.minRow
    for (index, cells) in rows.enumerated() where row < here.clip.maxRow {
      var column = rect.minColumn
      for (place, cell) in cells.enumerated() where column < here.clip.maxColumn {
        let slot = slots[place]
        var size = cell.size
        if cell.isPlacedText { size.columns = slot }
        let indent = columns[place].alignment.offset(of: size.columns, in: slot)
        let origin = Position(column: column + indent, row: row)
        cell.place(on: &picture, at: Rect(origin: origin, size: size), in: here)
        if slot > 0 { column += slot + columnSpacing }
      }
      row += heights[index] + rowSpacing
    }
  }
}
