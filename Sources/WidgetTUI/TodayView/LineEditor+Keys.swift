import WidgetCards
import WidgetKitCore

nonisolated extension LineEditor.Edit {
  /// What a key does to a line; nil for a key that does not edit.
  init?(_ key: Key) {
    switch key {
    case .character(let scalar): self = .insert(String(Character(scalar)))
    case .paste(let text): self = .insert(text)
    case .left: self = .left
    case .right: self = .right
    case .wordLeft, .alt("b"): self = .wordLeft
    case .wordRight, .alt("f"): self = .wordRight
    case .home, .control("a"): self = .start
    case .end, .control("e"): self = .end
    case .backspace: self = .backspace
    case .delete, .control("d"): self = .delete
    case .control("u"): self = .deleteToStart
    case .control("k"): self = .deleteToEnd
    case .control("w"): self = .deleteWord
    case .alt("d"): self = .deleteNextWord
    default: return nil
    }
  }
}

nonisolated extension LineEditor {
  /// The most bytes of a text by which a command or a card is found.
  static let nameLimit = 200

  /// Takes a key that edits the text; false for any other.
  mutating func take(_ key: Key) -> Bool {
    guard let edit = Edit(key) else { return false }
    apply(edit)
    return true
  }

  /// Draws the part of the text that fits, with marks where it goes on, and the cursor.
  func draw(
    on canvas: inout Canvas,
    at position: Position,
    columns: Int,
    _ glyphs: GlyphSet,
    in clip: Rect
  ) {
    let window = TextWindow(text, cursor: cursor, columns: columns)
    let style = CellStyle(foreground: .label)
    let ellipsis = FrameGlyphs(glyphs).ellipsis
    let marks = ellipsis.count == 1 ? ellipsis + ellipsis : Glyph.glyphs(of: "<>")
    let line = TextLine(glyphs: window.glyphs(markedAtStart: marks[0], atEnd: marks[1]))
    canvas.write(line, style: style, at: position, in: clip)
    guard columns > 0 else { return }
    let place = Position(column: position.column + window.cursorColumn, row: position.row)
    let cell = Rect(origin: place, size: Size(columns: 1, rows: 1)).intersection(clip)
    if line.width <= window.cursorColumn {
      canvas.put(.space, style: style, at: place, in: clip)
    }
    canvas.restyle(cell) { style in
      style.foreground = .accent
      style.attributes.formUnion([.reverse, .cursor])
    }
  }
}
