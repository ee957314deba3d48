import WidgetKitCore

/// A line of text that is typed at the bottom of the page or in the palette.
nonisolated struct TextEntry: Hashable, Sendable {
  private(set) var text = ""

  private static let limit = 200

  /// Takes a key that edits the text; false for any other.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .character(let scalar):
      if text.unicodeScalars.count < Self.limit { text.unicodeScalars.append(scalar) }
    case .backspace: if !text.isEmpty { text.removeLast() }
    case .control("u"): text = ""
    case .control("w"):
      while text.last == " " { text.removeLast() }
      while let last = text.last, last != " " { text.removeLast() }
    default: return false
    }
    return true
  }

  /// Draws the end of the text that fits, and the cursor behind it.
  func draw(on canvas: inout Canvas, at position: Position, columns: Int, in clip: Rect) {
    var line = TextLine(SafeText(text))
    while line.width > max(0, columns - 1) {
      line = TextLine(glyphs: Array(line.glyphs.dropFirst()))
    }
    var place = position
    place.column = canvas.write(line, style: CellStyle(foreground: .label), at: place, in: clip)
    let cursor = CellStyle(foreground: .accent, attributes: .reverse)
    canvas.put(.space, style: cursor, at: place, in: clip)
  }
}
