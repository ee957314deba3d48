/// The members of a `grid`.
public struct GridContent: Hashable, Sendable {
  /// Rows of cells; a short row has empty cells at its end.
  public var rows: [[ViewNode]]
  /// The columns; those not described have the size of their content.
  public var columns: [GridColumn]
  /// Cells between two columns; 1 by default.
  public var columnSpacing: Int
  /// Rows between two rows; 0 by default.
  public var rowSpacing: Int

  /// Creates the content of a grid.
  public init(
    rows: [[ViewNode]],
    columns: [GridColumn] = [],
    columnSpacing: Int = 1,
    rowSpacing: Int = 0
  ) {
    self.rows = rows
    self.columns = columns
    self.columnSpacing = columnSpacing
    self.rowSpacing = rowSpacing
  }
}

extension GridContent: NodeContent {
  static let type = "grid"
  var wrapped: ViewNode.Content { .grid(self) }

  enum Member: Int, ViewMemberKey {
    case rows, columns, columnSpacing, rowSpacing
    static let names = listNames()
  }

  /// Reads rows one at a time, so that a limit stops the reading early.
  init(_ members: borrowing Reader) throws {
    let columns: [GridColumn] = try members.list(.columns, of: "columns")
    try members.budget?.check(gridColumns: columns.count)
    self.init(
      rows: try Self.rows(members),
      columns: columns,
      columnSpacing: try members.extent(.columnSpacing) ?? 1,
      rowSpacing: try members.extent(.rowSpacing) ?? 0
    )
  }

  private static func rows(_ members: borrowing Reader) throws -> [[ViewNode]] {
    guard let value = members[.rows] else { return [] }
    guard let lists = value.items else { throw members.expected("an array of rows", forKey: .rows) }
    let budget = members.budget
    var rows: [[ViewNode]] = []
    for list in lists {
      try budget?.check(gridRows: rows.count + 1)
      guard let cells = list.items else { throw value.expected("an array of nodes") }
      var row: [ViewNode] = []
      for cell in cells {
        try budget?.check(gridColumns: row.count + 1)
        row.append(try ViewNode(cell))
      }
      rows.append(row)
    }
    return rows
  }

  func write(to members: inout Writer) throws {
    try members.encode(rows, forKey: .rows, unless: [])
    try members.encode(columns, forKey: .columns, unless: [])
    try members.encode(columnSpacing, forKey: .columnSpacing, unless: 1)
    try members.encode(rowSpacing, forKey: .rowSpacing, unless: 0)
  }

  var nodes: [ViewNode] { rows.flatMap(\.self) }

  mutating func changeNodes(_ change: (inout ViewNode) -> Void) {
    for row in rows.indices { rows[row].changeEach(change) }
  }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    GridBox(origin, rows.map { builder.boxes($0, in: .grid, of: origin) }, self)
  }
}

/// One column of a grid.
public struct GridColumn: Hashable, Sendable {
  /// The alignment of cells in the column.
  public var alignment: Alignment
  /// The exact width in cells; nil for the size of the content.
  public var width: Int?
  /// The smallest width in cells.
  public var minWidth: Int?
  /// The priority for its width if there is too little room; 0 by default.
  public var priority: Double

  /// Creates a column.
  public init(
    alignment: Alignment = .leading,
    width: Int? = nil,
    minWidth: Int? = nil,
    priority: Double = 0
  ) {
    self.alignment = alignment
    self.width = width
    self.minWidth = minWidth
    self.priority = priority
  }
}

extension GridColumn: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case alignment, width, minWidth, priority
    static let names = listNames()
  }

  /// Reads a column; every member is optional.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      alignment: try members.choice(.alignment) ?? .leading,
      width: try members.extent(.width),
      minWidth: try members.extent(.minWidth),
      priority: try members.number(.priority) ?? 0
    )
  }

  /// Writes the members that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(alignment, forKey: .alignment, unless: .leading)
    try members.encodeIfPresent(width, forKey: .width)
    try members.encodeIfPresent(minWidth, forKey: .minWidth)
    try members.encode(priority, forKey: .priority, unless: 0)
  }
}

/// Rows whose cells lie in common columns.
///
/// ```swift
/// Grid(columns: [GridColumn(), GridColumn(alignment: .trailing)]) {
///   for disk in disks {
///     GridRow {
///       Text(disk.name)
///       Text(disk.free)
///     }
///   }
/// }
/// ```
public struct Grid: ElementView {
  /// The grid as one element.
  public let nodes: [ViewNode]

  /// Creates a grid; a view outside a ``GridRow`` is a row of one cell.
  ///
  /// - Parameters:
  ///   - columns: The columns; those not described have the size of their content.
  ///   - columnSpacing: Cells between two columns.
  ///   - rowSpacing: Rows between two rows.
  ///   - content: The rows, from top to bottom.
  public init(
    columns: [GridColumn] = [],
    columnSpacing: Int = 1,
    rowSpacing: Int = 0,
    @ViewBuilder content: () -> Group
  ) {
    let rows = content().nodes.map { node in
      if case .unknown(let row) = node.content, row.type == GridRow.type { return row.children }
      return [node]
    }
    let grid = GridContent(
      rows: rows,
      columns: columns,
      columnSpacing: columnSpacing,
      rowSpacing: rowSpacing
    )
    nodes = [ViewNode(.grid(grid))]
  }
}

/// One row of a ``Grid``; outside a grid its cells are stacked vertically.
public struct GridRow: ElementView {
  /// This type is never sent from inside a grid, which takes the cells out of the row.
  static let type = "gridRow"

  /// The row as one element.
  public let nodes: [ViewNode]

  /// Creates a row of cells, from left to right.
  public init(@ViewBuilder content: () -> Group) {
    nodes = [ViewNode(.unknown(UnknownContent(type: Self.type, children: content().nodes)))]
  }
}
