/// An extent on the screen, in terminal cells.
///
/// On the wire it is `{"width":40,"height":6}`. Both are in ``limit``.
public struct Size: Hashable, Sendable {
  /// The range of a width or a height on the wire: whole numbers from 0 to 10,000.
  public static let limit = 0...10_000

  /// An empty extent.
  public static let zero = Size(columns: 0, rows: 0)

  /// The width, in columns.
  public var columns: Int

  /// The height, in rows.
  public var rows: Int

  /// Creates an extent of `columns` by `rows` cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Whether the extent contains no cell.
  public var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

extension Size: Codable {
  enum CodingKeys: String, CodingKey {
    case columns = "width"
    case rows = "height"
  }

  /// Reads `{"width":…,"height":…}` and throws if a number is outside ``limit``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    columns = try container.decodeExtent(forKey: .columns)
    rows = try container.decodeExtent(forKey: .rows)
  }
}

/// A position on the screen, counted from the upper left corner, which is column 0 and row 0.
public struct Position: Hashable, Sendable {
  /// The upper left corner.
  public static let zero = Position(column: 0, row: 0)

  /// The column, from the left.
  public var column: Int

  /// The row, from the top.
  public var row: Int

  /// Creates the position at `column` and `row`.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A rectangle of cells, such as a view's frame in its card or a card's frame on the page.
public struct Rect: Hashable, Sendable {
  /// The empty rectangle in the upper left corner.
  public static let zero = Rect(origin: .zero, size: .zero)

  /// The upper left cell.
  public var origin: Position

  /// The extent.
  public var size: Size

  /// Creates the rectangle of `size` whose upper left cell is `origin`.
  public init(origin: Position, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from four numbers.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(
      origin: Position(column: column, row: row),
      size: Size(columns: columns, rows: rows)
    )
  }

  /// The first column.
  public var minColumn: Int { origin.column }
  /// The first row.
  public var minRow: Int { origin.row }
  /// The column after the last.
  public var maxColumn: Int { origin.column + size.columns }
  /// The row after the last.
  public var maxRow: Int { origin.row + size.rows }

  /// Whether the cell at `position` is inside.
  public func contains(_ position: Position) -> Bool {
    position.column >= minColumn && position.column < maxColumn
      && position.row >= minRow && position.row < maxRow
  }

  /// Returns the cells that are in both rectangles, or an empty rectangle.
  public func intersection(_ other: Rect) -> Rect {
    let column = max(minColumn, other.minColumn)
    let row = max(minRow, other.minRow)
    return Rect(
      column: column,
      row: row,
      columns: max(0, min(maxColumn, other.maxColumn) - column),
      rows: max(0, min(maxRow, other.maxRow) - row)
    )
  }

  /// The rectangle moved by a number of columns and rows.
  public func offset(columns: Int, rows: Int) -> Rect {
    Rect(
      origin: Position(column: origin.column + columns, row: origin.row + rows),
      size: size
    )
  }
}

/// Distances from the four edges of a rectangle, in cells.
///
/// On the wire it is `{"top":0,"left":1,"bottom":0,"right":1}`, where a missing member is 0; as
/// `padding`, one number for all four edges is also allowed.
public struct EdgeInsets: Hashable, Sendable {
  /// No distance on any edge.
  public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

  /// Rows above.
  public var top: Int
  /// Columns on the left.
  public var left: Int
  /// Rows below.
  public var bottom: Int
  /// Columns on the right.
  public var right: Int

  /// Creates insets from the four distances.
  public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The sum of the columns on both sides.
  public var columns: Int { left + right }
  /// The sum of the rows above and below.
  public var rows: Int { top + bottom }
}
