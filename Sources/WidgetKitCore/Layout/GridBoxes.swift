/// The cells of a grid during one layout pass, with the requirements of each column.
struct GridBoxes {
  /// One column.
  struct Column {
    var alignment: Alignment
    /// The width below which the column does not shrink while others can.
    var floor: Int
    var ideal: Int
    /// The width below which none of its cells shows anything.
    var least: Int
    var grows: Bool
    var priority: Double
  }

  let rows: [[LayoutBox]]
  let columns: [Column]
  let columnSpacing: Int
  let rowSpacing: Int

  init(rows: [[LayoutBox]], content: GridContent) {
    self.rows = rows
    columnSpacing = content.columnSpacing.boundedExtent
    rowSpacing = content.rowSpacing.boundedExtent
    let count = rows.reduce(0) { max($0, $1.count) }
    columns = (0..<count).map { index in
      let spec = index < content.columns.count ? content.columns[index] : GridColumn()
      let cells = rows.compactMap { index < $0.count ? $0[index] : nil }
      return Self.column(spec, cells)
    }
  }

  private static func column(_ spec: GridColumn, _ cells: [LayoutBox]) -> Column {
    if let width = spec.width?.boundedExtent {
      return Column(
        alignment: spec.alignment,
        floor: width,
        ideal: width,
        least: min(width, Self.least(of: cells)),
        grows: false,
        priority: spec.priority
      )
    }
    let least = spec.minWidth?.boundedExtent ?? 0
    let floor = cells.reduce(least) { max($0, $1.minColumns) }
    return Column(
      alignment: spec.alignment,
      floor: floor,
      ideal: cells.reduce(floor) { max($0, $1.idealColumns) },
      least: Self.least(of: cells),
      grows: cells.contains { $0.growsColumns },
      priority: spec.priority
    )
  }

  private static func least(of cells: [LayoutBox]) -> Int {
    cells.lazy.map(\.leastColumns).filter { $0 > 0 }.min() ?? 0
  }

  /// The spacing between all columns together, if there is room for all.
  var gaps: Int { max(0, columns.count { $0.ideal > 0 || $0.grows } - 1) * columnSpacing }

  /// The requirements of each column.
  var claims: [Sharing.Claim] {
    columns.map { column in
      Sharing.Claim(
        minimum: column.floor,
        ideal: column.ideal,
        maximum: column.grows ? Size.limit.upperBound : column.ideal,
        priority: column.priority,
        least: column.least
      )
    }
  }
}
