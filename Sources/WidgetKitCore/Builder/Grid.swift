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
public struct Grid: View {
  /// A grid is one element and has no body.
  public typealias Body = Never

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
public struct GridRow: View {
  /// A row is one element and has no body.
  public typealias Body = Never

  /// This type is never sent from inside a grid, which takes the cells out of the row.
  static let type = "gridRow"

  /// The row as one element.
  public let nodes: [ViewNode]

  /// Creates a row of cells, from left to right.
  public init(@ViewBuilder content: () -> Group) {
    nodes = [ViewNode(.unknown(UnknownContent(type: Self.type, children: content().nodes)))]
  }
}
