/// The part of a line of typed text that fits a width, and the cursor in it.
///
/// If the line is longer, the part begins at one of a few places half a width apart, so that it stays
/// where it is while the cursor moves within it.
package struct TextWindow: Hashable, Sendable {
  /// The glyphs from left to right, with blanks for half of a wide character at the start.
  package private(set) var glyphs: [Glyph] = []
  /// The cells before the cursor; less than the width unless that is 0.
  package private(set) var cursorColumn = 0
  /// Whether there is more of the line behind the part.
  private var isCut = false
  /// Cells of the line before the part.
  private var offset = 0
  /// The first cell in the line of each character, and behind the last one; empty if each character
  /// has one cell, and all of them are in the part.
  private var starts: [Int] = []

  /// Finds the part.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - cursor: The number of characters before the cursor.
  ///   - columns: The width.
  /// - Complexity: Linear in the length of the text.
  package init(_ text: String, cursor: Int, columns: Int) {
    if text.utf8.count < columns, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) {
      // Each character is a glyph of one cell, and all of them fit, with the cursor behind them.
      glyphs = Glyph.glyphs(of: text)
      cursorColumn = min(max(0, cursor), glyphs.count)
      return
    }
    let parts = SafeText(text).string.map { Glyph.glyphs(of: String($0)) }
    starts.reserveCapacity(parts.count + 1)
    starts.append(0)
    for part in parts { starts.append(starts[starts.count - 1] + part.reduce(0) { $0 + $1.width }) }
    let cursor = min(max(0, cursor), parts.count)
    let place = starts[cursor]
    // Behind the last character the cursor takes a cell of its own.
    let end = cursor < parts.count ? max(place + 1, starts[cursor + 1]) : place + 1
    guard columns > 0 else { return }
    if end > columns {
      let half = max(1, columns / 2)
      offset = min((end - columns + half - 1) / half * half, place)
    }
    cursorColumn = place - offset
    for (index, part) in parts.enumerated() {
      if starts[index + 1] > offset + columns {
        isCut = true
        break
      }
      if starts[index] >= offset {
        glyphs += part
      } else if starts[index + 1] > offset {
        glyphs += Array(repeating: .space, count: starts[index + 1] - offset)
      }
    }
  }

  /// The glyphs with marks of one cell in place of the first and the last one where the line goes on, but never in
  /// place of the one at the cursor.
  package func glyphs(markedAtStart start: Glyph, atEnd end: Glyph) -> [Glyph] {
    var marked = glyphs
    let columns = glyphs.reduce(0) { $0 + $1.width }
    if isCut, let last = marked.last, cursorColumn < columns - last.width {
      marked.replaceSubrange(
        (marked.count - 1)...,
        with: [end] + Array(repeating: .space, count: last.width - 1)
      )
    }
    if offset > 0, let first = marked.first, cursorColumn >= first.width {
      marked.replaceSubrange(
        0...0,
        with: [start] + Array(repeating: .space, count: first.width - 1)
      )
    }
    return marked
  }

  /// Returns the number of characters before the one that is drawn at a column, at most all of them.
  package func character(at column: Int) -> Int {
    let cell = offset + max(0, column)
    guard !starts.isEmpty else { return min(cell, glyphs.count) }
    return starts.dropFirst().firstIndex { $0 > cell }.map { $0 - 1 } ?? starts.count - 1
  }
}
