import WidgetCards
import WidgetKitCore

/// A text of several lines that is typed.
nonisolated struct ComposeText: Hashable, Sendable {
  private var lines: [LineEditor]
  private(set) var row: Int

  /// The columns that it is shown in, by which Up and Down move.
  var columns = Int.max

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
    case .up, .down: return moveRow(key == .up ? -1 : 1)
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

  /// Moves the cursor to the row above or below, as rows are shown; false if there is none.
  private mutating func moveRow(_ step: Int) -> Bool {
    let pieces = Self.pieces(of: lines[row], columns: columns)
    let (piece, column) = place(in: pieces)
    if pieces.indices.contains(piece + step) {
      setCursor(pieces[piece + step], column, isLast: piece + step == pieces.count - 1)
      return true
    }
    guard lines.indices.contains(row + step) else { return false }
    row += step
    let others = Self.pieces(of: lines[row], columns: columns)
    let index = step < 0 ? others.count - 1 : 0
    setCursor(others[index], column, isLast: index == others.count - 1)
    return true
  }

  /// Puts the cursor into a piece of its line, at most so many columns behind its start.
  private mutating func setCursor(_ piece: Range<Int>, _ column: Int, isLast: Bool) {
    // Behind the last character of any other piece the next one begins.
    let end = isLast ? piece.upperBound : piece.upperBound - 1
    var count = piece.lowerBound
    while count < end, width(of: lines[row], piece.lowerBound..<(count + 1)) <= column {
      count += 1
    }
    setCursor(count)
  }

  /// The piece of its line in which the cursor is, and its column there.
  private func place(in pieces: [Range<Int>]) -> (piece: Int, column: Int) {
    let cursor = lines[row].cursor
    let piece = pieces.lastIndex { $0.lowerBound <= cursor } ?? 0
    return (piece, width(of: lines[row], pieces[piece].lowerBound..<cursor))
  }

  /// The characters in each of the rows of at most `columns` cells in which a line is shown.
  private static func pieces(of line: LineEditor, columns: Int) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var (start, width) = (0, 0)
    for (index, character) in line.text.enumerated() {
      let own = Self.width(of: character)
      if width + own > columns, index > start {
        pieces.append(start..<index)
        (start, width) = (index, 0)
      }
      width += own
    }
    return pieces + [start..<line.text.count]
  }

  private func width(of line: LineEditor, _ characters: Range<Int>) -> Int {
    line.text.dropFirst(characters.lowerBound).prefix(characters.count)
      .reduce(0) { $0 + Self.width(of: $1) }
  }

  private static func width(of character: Character) -> Int {
    if let ascii = character.asciiValue, 0x20...0x7E ~= ascii { return 1 }
    return TextLine(SafeText(String(character))).width
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
        let (piece, column) = place(in: Self.pieces(of: line, columns: max(1, columns)))
        cursor = Position(column: min(column, max(0, columns - 1)), row: rows.count + piece)
      }
      rows += pieces
    }
    return (rows, cursor)
  }
}
