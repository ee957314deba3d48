import WidgetCards
import WidgetKitCore

/// What is asked about something on the page, at the row of the page that it is about.
///
/// It is below the row if there is room, else above it, else as low as it must be. The page around it stays as it is.
nonisolated struct PlacedPane: Sendable {
  var canvas = Canvas(size: .zero)
  /// Whether it has the whole screen.
  var fillsScreen = false

  /// The fewest rows beside the first and the last line of the page; on a lower screen it may have all rows.
  private static let leastRows = 8

  /// The rows of a screen that a pane may have.
  static func room(on model: TodayModel) -> Rect {
    let viewport = model.viewport
    return viewport.size.rows >= leastRows ? viewport : Rect(origin: .zero, size: model.size)
  }

  /// Where it is on the screen.
  func area(on model: TodayModel) -> Rect {
    let screen = Rect(origin: .zero, size: model.size)
    guard !fillsScreen else { return screen }
    let room = Self.room(on: model)
    let size = Size(
      columns: min(canvas.size.columns, room.size.columns),
      rows: min(canvas.size.rows, room.size.rows)
    )
    let (frame, rows) = model.focusedRows ?? (room, room.maxRow..<room.maxRow)
    let column = min(max(0, frame.minColumn), room.maxColumn - size.columns)
    let row: Int
    if rows.upperBound + size.rows <= room.maxRow {
      row = rows.upperBound
    } else if rows.lowerBound - size.rows >= room.minRow {
      row = rows.lowerBound - size.rows
    } else {
      row = room.maxRow - size.rows
    }
    return Rect(origin: Position(column: column, row: row), size: size)
  }

  /// Draws it over the page.
  func draw(_ model: TodayModel, on page: inout Canvas) {
    let area = area(on: model)
    for row in 0..<min(area.size.rows, canvas.size.rows) {
      let place = Position(column: area.minColumn, row: area.minRow + row)
      let cells = Array(canvas.row(row))
      page.put(CellRun(position: place, cells: cells, element: nil), in: area)
    }
  }
}

nonisolated extension TodayModel {
  /// The frame of the card with the focus, and the rows of its element with the focus, or of the whole card, as far as
  /// they are on the screen; nil if none is.
  fileprivate var focusedRows: (frame: Rect, rows: Range<Int>)? {
    guard let focus = place.focus, let card = card(focus.card),
      let frame = frameOnScreen(focus.card), let shown = areaOnScreen(focus.card)
    else { return nil }
    guard let target = focusedTarget?.frame else { return (frame, shown.minRow..<shown.maxRow) }
    let first = view(of: card).bodyOrigin(in: frame).row + target.minRow
    let rows = first..<max(first, first + target.size.rows)
    let visible = rows.clamped(to: shown.minRow..<shown.maxRow)
    return (frame, visible)
  }
}
