import WidgetExtensions
import WidgetKitCore

/// Where everything of a form of settings is on a screen.
///
/// The settings scroll; below them are an empty line, the buttons, an empty line and what is said about the setting with
/// the focus.
nonisolated struct SettingsFormPlan {
  /// A line of the form.
  struct Line {
    /// The setting.
    var index: Int
    /// The whole line.
    var area: Rect
    /// The control in it.
    var control: Rect
    /// Whether it is the error of the setting.
    var isError: Bool
  }

  /// The size that shows all of it.
  let wantedSize: Size
  /// The form without its frame.
  let inside: Rect
  /// The columns for titles, the same in all lines: as many as the values can spare.
  let labelColumns: Int
  /// What is said about the setting with the focus.
  let detail: Rect
  /// The lines that are shown.
  private(set) var lines: [Line] = []
  /// Save and Cancel, where there is room for them.
  private(set) var buttons: [Rect] = []

  static let buttonWords = [TextLine("[ Save ]"), TextLine("[ Cancel ]")]

  /// The most rows of details.
  private static let detailLimit = 6
  /// Columns that a value has at least, where there is room.
  private static let valueColumns = 24
  /// Columns that a value has where there is room.
  private static let usualValueColumns = 64
  private static let leastColumns = 72

  /// Plans a form with the focus on a row, or behind the last one on a button.
  init(_ rows: [SettingsFormRow], selection: Int, on screen: Size) {
    let widest = rows.reduce(0) { max($0, TextLine($1.declaration.title).width) }
    // Beside the titles there is room for a value of usual length, where the screen has it.
    let wanted = max(
      Self.leastColumns,
      min(widest, Self.leastColumns) + 4 + Self.usualValueColumns
    )
    let shown = min(wanted, OverlayBox.columns(on: screen))
    wantedSize = Size(
      columns: wanted,
      rows: rows.count + rows.count { $0.error != nil } + 3 + Self.detailRows(rows, widest, shown)
    )
    inside = OverlayBox.inside(of: wantedSize, on: screen)
    let size = inside.size
    labelColumns = Self.labelColumns(widest, size.columns)
    // On a small screen a few settings are worth more than all of the details.
    let spare = size.rows - 3 - min(rows.count, 3)
    let details = min(Self.detailRows(rows, widest, size.columns), max(1, spare))
    detail = Rect(
      column: inside.minColumn,
      row: inside.maxRow - min(details, size.rows),
      columns: size.columns,
      rows: min(details, size.rows)
    )
    let hasButtons = size.rows >= 5
    placeLines(rows, selection, room: max(0, size.rows - details - (hasButtons ? 3 : 0)))
    if hasButtons { placeButtons() }
  }

  private static func labelColumns(_ widest: Int, _ columns: Int) -> Int {
    min(widest, max(columns / 3, columns - 4 - valueColumns))
  }

  /// The rows for the details of any setting, so that the form stays as large as it is when the focus moves.
  private static func detailRows(_ rows: [SettingsFormRow], _ widest: Int, _ columns: Int) -> Int {
    let labels = labelColumns(widest, columns)
    let counts = rows.map { row in
      let details = row.details(columns: columns, besideTitles: labels)
      return details.title.count + details.words.count
    }
    return min(max(1, counts.max() ?? 1), detailLimit)
  }

  private mutating func placeLines(_ rows: [SettingsFormRow], _ selection: Int, room: Int) {
    let start = inside.minColumn + labelColumns + 4
    let width = max(0, inside.maxColumn - start)
    let columns = inside.size.columns
    var all: [Line] = []
    for (index, row) in rows.enumerated() {
      for isError in row.error == nil ? [false] : [false, true] {
        let area = Rect(column: inside.minColumn, row: all.count, columns: columns, rows: 1)
        let control = Rect(column: start, row: all.count, columns: width, rows: 1)
        all.append(Line(index: index, area: area, control: control, isError: isError))
      }
    }
    let last = all.lastIndex { $0.index == min(selection, rows.count - 1) } ?? 0
    let first = min(max(0, last - room + 1), max(0, all.count - room))
    for var line in all.dropFirst(first).prefix(room) {
      line.area.origin.row += inside.minRow - first
      line.control.origin.row += inside.minRow - first
      lines.append(line)
    }
  }

  private mutating func placeButtons() {
    var column = inside.minColumn
    for words in Self.buttonWords {
      buttons.append(Rect(column: column, row: detail.minRow - 2, columns: words.width, rows: 1))
      column += words.width + 2
    }
  }
}
