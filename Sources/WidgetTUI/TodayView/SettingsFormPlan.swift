import WidgetExtensions
import WidgetKitCore

/// Where everything of a form of settings is on a screen.
///
/// Each setting has its title, and below it a line for its value, or a line for each text of a list. They scroll; below
/// them are an empty line, the buttons, an empty line and what is said about the setting with the focus.
nonisolated struct SettingsFormPlan {
  /// A line of the form.
  struct Line {
    /// What is in it.
    enum Content {
      case title(TextLine)
      /// A line of the control, for a toggle with the title behind its box.
      case control(line: Int, title: TextLine?)
      case fault(TextLine)
      case gap
    }

    /// The setting.
    var index: Int
    var content: Content
    /// The columns for it, without those of the mark of the focus.
    var area = Rect(column: 0, row: 0, columns: 0, rows: 1)

    /// The line of the control; nil for what is around it.
    var controlLine: Int? { if case .control(let line, _) = content { line } else { nil } }
  }

  /// The size that shows all of it.
  let wantedSize: Size
  /// The form without its frame.
  let inside: Rect
  /// What is said about the setting with the focus.
  let detail: Rect
  /// The lines that are shown.
  private(set) var lines: [Line] = []
  /// How many lines are above those that are shown, and below.
  private(set) var hidden = (above: 0, below: 0)
  /// Save and Cancel, where there is room for them.
  private(set) var buttons: [Rect] = []

  static let buttonWords = [TextLine("[ Save ]"), TextLine("[ Cancel ]")]
  /// The columns of the mark before the line with the focus.
  static let markColumns = 2

  /// The most rows of details.
  private static let detailLimit = 6
  /// The most rows of what is wrong with a setting.
  private static let faultLimit = 3
  private static let leastColumns = 72
  /// Columns of the longest values, where the screen has them.
  private static let mostColumns = 104

  /// Plans a form with the focus on a line of a row, or behind the last row on a button.
  init(
    _ rows: [SettingsFormRow],
    selection: Int,
    line: Int,
    on screen: Size,
    _ glyphs: GlyphSet
  ) {
    let widest = rows.map(\.columnsBefore).max() ?? 0
    let wanted = min(max(Self.leastColumns, widest + Self.markColumns + 1), Self.mostColumns)
    let columns = min(wanted, OverlayBox.columns(on: screen))
    let detailRows = Self.detailRows(rows, columns)
    var all = Self.lines(of: rows, columns: columns - Self.markColumns, glyphs)
    let others = 3 + detailRows
    if all.count + others > OverlayBox.inside(of: screen, on: screen).size.rows {
      all = all.filter { if case .gap = $0.content { false } else { true } }
    }
    wantedSize = Size(columns: wanted, rows: all.count + others)
    inside = OverlayBox.inside(of: wantedSize, on: screen)
    let size = inside.size
    // On a small screen a few settings are worth more than all of the details.
    let spare = size.rows - 3 - min(all.count, 3)
    let details = min(detailRows, max(1, spare), size.rows)
    detail = Rect(
      column: inside.minColumn,
      row: inside.maxRow - details,
      columns: size.columns,
      rows: details
    )
    let hasButtons = size.rows >= 5
    place(all, selection, line, room: max(0, size.rows - details - (hasButtons ? 3 : 0)))
    if hasButtons { placeButtons() }
  }

  /// The rows for the details of any setting, so that the form stays as large as it is when the focus moves.
  private static func detailRows(_ rows: [SettingsFormRow], _ columns: Int) -> Int {
    let counts = rows.map { TextLine.wrapped($0.detail, columns: columns).count }
    return min(max(1, counts.max() ?? 1), detailLimit)
  }

  /// The lines of all settings, one below the other.
  private static func lines(
    of rows: [SettingsFormRow],
    columns: Int,
    _ glyphs: GlyphSet
  ) -> [Line] {
    let frame = FrameGlyphs(glyphs)
    var lines: [Line] = []
    for (index, row) in rows.enumerated() {
      if index > 0 { lines.append(Line(index: index, content: .gap)) }
      let boxColumns = row.boxColumns(glyphs)
      var titles = TextLine(row.declaration.title).wrapped(to: columns - (boxColumns ?? 0))
      if boxColumns == nil {
        lines += titles.map { Line(index: index, content: .title($0)) }
        titles = []
      }
      for number in 0..<row.lineCount {
        lines.append(
          Line(index: index, content: .control(line: number, title: titles.first))
        )
        for title in titles.dropFirst() {
          var line = Line(index: index, content: .title(title))
          line.area.origin.column = boxColumns ?? 0
          lines.append(line)
        }
        guard let fault = row.fault, min(fault.line, row.lineCount - 1) == number else { continue }
        let words = TextLine.wrapped("\(frame.warning) \(fault.words)", columns: columns)
        lines += words.prefix(faultLimit).map { Line(index: index, content: .fault($0)) }
      }
    }
    return lines
  }

  private mutating func place(_ all: [Line], _ selection: Int, _ line: Int, room: Int) {
    let end = all.count - 1
    let focus = all.lastIndex { $0.index == selection && $0.controlLine == line }
    var last = focus ?? end
    if focus != nil {
      // What is wrong with it is shown too, as much of it as there is room for below the line.
      while last < end, case .fault = all[last + 1].content { last += 1 }
    }
    let first = min(max(0, last - room + 1), max(0, all.count - room), focus ?? end)
    for (row, var line) in all.dropFirst(first).prefix(room).enumerated() {
      let indent = Self.markColumns + line.area.minColumn
      line.area = Rect(
        column: inside.minColumn + indent,
        row: inside.minRow + row,
        columns: max(0, inside.size.columns - indent),
        rows: 1
      )
      lines.append(line)
    }
    hidden = (first, max(0, all.count - first - room))
  }

  private mutating func placeButtons() {
    var column = inside.minColumn
    for words in Self.buttonWords {
      buttons.append(Rect(column: column, row: detail.minRow - 2, columns: words.width, rows: 1))
      column += words.width + 2
    }
  }
}
