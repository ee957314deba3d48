import WidgetKitCore

/// One line of text as glyphs, measured in cells.
nonisolated struct TextLine: Hashable, Sendable {
  /// The glyphs from left to right, without continuations.
  let glyphs: [Glyph]
  /// Cells taken by all of them.
  let width: Int

  /// Creates a line; a line feed in the text becomes a blank.
  init(_ text: SafeText) {
    let string = text.string.utf8.contains(0x0A) ? text.onOneLine.string : text.string
    self.init(glyphs: Glyph.glyphs(of: string))
  }

  /// Creates a line of glyphs.
  init(glyphs: [Glyph]) {
    self.glyphs = glyphs
    width = glyphs.reduce(0) { $0 + $1.width }
  }

  /// The line in at most `columns` cells: whole if it fits, else its start and an ellipsis.
  func truncated(to columns: Int, glyphSet: GlyphSet) -> TextLine {
    truncated(to: columns, FrameGlyphs(glyphSet))
  }

  /// The same with the ellipsis of a frame.
  func truncated(to columns: Int, _ frame: FrameGlyphs) -> TextLine {
    guard width > columns else { return self }
    let ellipsis = frame.ellipsis
    guard columns >= ellipsis.count else { return TextLine(glyphs: []) }
    var kept: [Glyph] = []
    var room = columns - ellipsis.count
    for glyph in glyphs {
      guard glyph.width <= room else { break }
      kept.append(glyph)
      room -= glyph.width
    }
    while kept.last == .space { kept.removeLast() }
    return TextLine(glyphs: kept + ellipsis)
  }

  /// The lines of `text` at a width, broken at spaces if possible.
  static func wrapped(_ text: SafeText, columns: Int) -> [TextLine] {
    text.string.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      TextLine(glyphs: Glyph.glyphs(of: String($0))).wrapped(to: columns)
    }
  }

  /// The line in pieces of at most `columns` cells, with all of its spaces; one at least.
  func pieces(of columns: Int) -> [TextLine] {
    var pieces: [[Glyph]] = [[]]
    var room = columns
    for glyph in glyphs {
      if glyph.width > room, pieces[pieces.count - 1] != [] {
        pieces.append([])
        room = columns
      }
      pieces[pieces.count - 1].append(glyph)
      room -= glyph.width
    }
    return pieces.map { TextLine(glyphs: $0) }
  }

  /// The line in lines of at most `columns` cells, broken at spaces if possible; none if there are no columns.
  func wrapped(to columns: Int) -> [TextLine] {
    guard columns > 0 else { return [] }
    var lines: [TextLine] = []
    var line: [Glyph] = []
    var used = 0
    for word in glyphs.split(separator: .space) {
      let width = word.reduce(0) { $0 + $1.width }
      if used > 0, used + 1 + width <= columns {
        line.append(.space)
        used += 1
      } else if used > 0 {
        lines.append(TextLine(glyphs: line))
        line = []
        used = 0
      }
      for glyph in word {
        if used + glyph.width > columns, used > 0 {
          lines.append(TextLine(glyphs: line))
          line = []
          used = 0
        }
        line.append(glyph)
        used += glyph.width
      }
    }
    return lines + [TextLine(glyphs: line)]
  }
}

nonisolated extension Canvas {
  /// Writes a line and returns the column after it.
  @discardableResult
  mutating func write(_ line: TextLine, style: CellStyle, at position: Position, in clip: Rect)
    -> Int
  {
    var place = position
    for glyph in line.glyphs {
      put(glyph, style: style, at: place, in: clip)
      place.column += glyph.width
    }
    return place.column
  }

  /// Writes text on one line and returns the column after it.
  @discardableResult
  mutating func write(_ text: SafeText, style: CellStyle, at position: Position, in clip: Rect)
    -> Int
  {
    write(TextLine(text), style: style, at: position, in: clip)
  }
}
