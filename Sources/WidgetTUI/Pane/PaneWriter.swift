import WidgetKitCore

/// Writes the pictures of a pane for a terminal, each as what it changes of the one before.
///
/// Between two pictures the cursor is where it was before the pane, so that everything below it can be erased without
/// knowing where it is; all other places are relative to that.
nonisolated struct PaneWriter: Sendable {
  let theme: Theme
  let isUTF8: Bool
  /// Whether the terminal shows a picture at once (mode 2026).
  let showsFramesWhole: Bool
  /// The column of the cursor before the pane.
  private var column = 0
  private var shown: Canvas?

  init(_ theme: Theme, isUTF8: Bool, showsFramesWhole: Bool) {
    (self.theme, self.isUTF8, self.showsFramesWhole) = (theme, isUTF8, showsFramesWhole)
  }

  /// The rows between the cursor and the pane.
  var offset: Int { column == 0 ? 0 : 1 }

  /// Begins with nothing below a cursor that is in a column.
  mutating func begin(atColumn column: Int) {
    (self.column, shown) = (column, nil)
  }

  /// Erases the pane; the cursor is as before it.
  ///
  /// What is erased from the upper left cell on goes into the scrollback of tmux (scroll-on-clear), so the first cell is
  /// erased before the others.
  var erasing: String {
    "\u{1B}[m" + (column == 0 ? "\u{1B}[K\u{1B}[C\u{1B}[J\u{1B}[D" : "\u{1B}[J")
  }

  /// What shows a picture.
  mutating func bytes(of canvas: Canvas) -> [UInt8] {
    guard canvas != shown else { return [] }
    var text = showsFramesWhole ? "\u{1B}[?2026h" : ""
    if let shown, shown.size != canvas.size { text += erasing }
    let before = shown?.size == canvas.size ? shown : nil
    if before == nil { text += room(for: canvas.size.rows) }
    for segment in CanvasDiff.segments(from: before, to: canvas) {
      text += down(segment.position.row + offset) + right(to: segment.position.column)
      text += line(segment, of: canvas)
      text += up(segment.position.row + offset)
    }
    text += right(to: column)
    if showsFramesWhole { text += "\u{1B}[?2026l" }
    shown = canvas
    return Array(text.utf8)
  }

  /// Scrolls until there are rows below the cursor.
  private func room(for rows: Int) -> String {
    let below = max(0, rows + offset - 1)
    return String(repeating: "\n", count: below) + up(below)
  }

  private func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }

  /// Moves within the row, as a VT100 can too, which has no column address (CHA).
  private func right(to column: Int) -> String {
    "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
  }

  private func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

  private func line(_ segment: CanvasDiff.Segment, of canvas: Canvas) -> String {
    var cells = segment.cells
    let isToEnd = segment.position.column + cells.count == canvas.size.columns
    // Blanks at the end are not written, so that they are not copied with the text.
    if isToEnd, !theme.paintsBackground {
      while cells.last == .blank { cells.removeLast() }
    }
    var result = ""
    var style: CellStyle?
    for cell in cells where cell.glyph.width > 0 {
      if cell.style != style {
        result += "\u{1B}[" + (["0"] + theme.resolve(cell.style).sgr).joined(separator: ";") + "m"
        style = cell.style
      }
      result += cell.glyph.text
    }
    result += "\u{1B}[m"
    if cells.count < segment.cells.count { result += "\u{1B}[K" }
    return isUTF8 ? result : ASCIIText.text(like: result)
  }
}
