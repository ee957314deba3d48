import WidgetCards
import WidgetKitCore

/// A text of several lines that is typed.
nonisolated struct ComposeText: Hashable, Sendable {
  private var lines: [LineEditor]
  private(set) var row: Int

  /// How many characters of the last key had no room.
  private(set) var leftOut = 0

  /// The most bytes of UTF-8 that can be typed; what an extension has set is there whole.
  private static let byteLimit = 256 * 1024

  /// A text with the cursor behind it.
  init(_ text: String = "") {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { LineEditor(String($0), limit: .max) }
    row = lines.count - 1
  }

  /// The text, with line feeds.
  var text: String { lines.map(\.text).joined(separator: "\n") }

  var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }

  /// Takes a key that edits the text or moves the cursor within it; false for any other.
  mutating func take(_ key: Key) -> Bool {
    leftOut = 0
    switch key {
    case .enter: insert("\n")
    case .up where row > 0: move(to: row - 1)
    case .down where row < lines.count - 1: move(to: row + 1)
    case .backspace where lines[row].cursor == 0:
      guard row > 0 else { return false }
      join(row - 1)
    case .delete where lines[row].cursor == lines[row].text.count && row < lines.count - 1:
      join(row)
    case .left where lines[row].cursor == 0 && row > 0:
      row -= 1
      lines[row].apply(.end)
    case .right where lines[row].cursor == lines[row].text.count && row < lines.count - 1:
      row += 1
      lines[row].apply(.start)
    case .paste(let text):
      insert(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
    case .character(let scalar): insert(String(scalar))
    default: return lines[row].take(key)
    }
    return true
  }

  /// Inserts as much of a text as there is room for, and counts the rest.
  private mutating func insert(_ text: String) {
    var room = Self.byteLimit - lines.reduce(-1) { $0 + $1.text.utf8.count + 1 }
    let end = text.indices.first { index in
      room -= text[index].utf8.count
      return room < 0
    }
    let kept = text[..<(end ?? text.endIndex)]
    leftOut = end.map { text[$0...].count } ?? 0
    for (index, part) in kept.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { split() }
      lines[row].apply(.insert(String(part)))
    }
  }

  private mutating func split() {
    let characters = Array(lines[row].text)
    let cursor = lines[row].cursor
    lines[row].setText(String(characters[..<cursor]))
    var next = LineEditor(String(characters[cursor...]), limit: .max)
    next.apply(.start)
    row += 1
    lines.insert(next, at: row)
  }

  /// Joins a line with the next one; the cursor is between them.
  private mutating func join(_ first: Int) {
    let before = lines[first].text
    lines[first] = LineEditor(before + lines[first + 1].text, limit: .max)
    lines.remove(at: first + 1)
    row = first
    setCursor(before.count)
  }

  private mutating func move(to next: Int) {
    let cursor = lines[row].cursor
    row = next
    setCursor(cursor)
  }

  private mutating func setCursor(_ count: Int) {
    lines[row].apply(.start)
    for _ in 0..<min(count, lines[row].text.count) { lines[row].apply(.right) }
  }

  /// Removes characters before the cursor and inserts a text in their place.
  mutating func complete(_ text: String, replacing count: Int) {
    for _ in 0..<max(0, min(count, lines[row].cursor)) { lines[row].apply(.backspace) }
    lines[row].apply(.insert(text))
  }

  // MARK: - Drawing

  /// The text in rows of at most `columns` cells, and the place of the cursor in them.
  func rows(columns: Int) -> (rows: [TextLine], cursor: Position) {
    var rows: [TextLine] = []
    var cursor = Position.zero
    for (index, line) in lines.enumerated() {
      let pieces = TextLine(glyphs: Glyph.glyphs(of: SafeText(line.text).string))
        .pieces(of: max(1, columns))
      if index == row {
        let before = SafeText(String(line.text.prefix(line.cursor))).string
        var column = Glyph.glyphs(of: before).reduce(0) { $0 + $1.width }
        var piece = 0
        while piece < pieces.count - 1, column >= pieces[piece].width {
          column -= pieces[piece].width
          piece += 1
        }
        cursor = Position(column: min(column, max(0, columns - 1)), row: rows.count + piece)
      }
      rows += pieces
    }
    return (rows, cursor)
  }
}
