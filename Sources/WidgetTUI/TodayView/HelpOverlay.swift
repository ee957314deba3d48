import WidgetKitCore

/// The list of keys, in a box over the page.
nonisolated enum HelpOverlay {
  private static func entries(_ glyphs: GlyphSet) -> [(SafeText, SafeText)] {
    let arrows: (SafeText, SafeText) =
      glyphs == .ascii ? ("j k  Up Down", "h l  Left Right") : ("↓ ↑  j k", "← →  h l")
    return [
      (arrows.0, "next card, card before"),
      (arrows.1, "column beside"),
      ("Tab  Shift-Tab", "elements of the card"),
      ("Enter  Space", "press"),
      ("m", "show more, show less"),
      ("r  R", "refresh the card, all cards"),
      ("t", "start a stopped widget again"),
      ("PgUp  PgDn", "scroll"),
      ("Home  End", "to the top, to the end"),
      ("Ctrl-L", "draw everything again"),
      ("Ctrl-Z", "leave for the shell, fg returns"),
      ("?  Esc", "close this list"),
      ("q  Ctrl-C", "quit"),
    ]
  }

  /// Draws the box in the middle; on a small screen as much of it as fits.
  static func draw(_ model: TodayModel, on canvas: inout Canvas) {
    let glyphs = FrameGlyphs(model.look.glyphs)
    let entries = entries(model.look.glyphs).map { (TextLine($0), TextLine($1)) }
    let keyWidth = entries.reduce(0) { max($0, $1.0.width) }
    let wordWidth = entries.reduce(0) { max($0, $1.1.width) }
    let width = min(keyWidth + wordWidth + 8, canvas.size.columns)
    let height = min(entries.count + 2, canvas.size.rows)
    let box = Rect(
      column: (canvas.size.columns - width) / 2,
      row: (canvas.size.rows - height) / 2,
      columns: width,
      rows: height
    )
    canvas.restyle(canvas.bounds) { $0.attributes.insert(.dim) }
    canvas.fill(box, style: .plain, in: canvas.bounds)
    let hasBorder = width >= 16 && height >= 5
    if hasBorder { drawBorder(box, glyphs, on: &canvas) }

    let inset = hasBorder ? 1 : 0
    let inside = Rect(
      column: box.minColumn + 2 * inset,
      row: box.minRow + inset,
      columns: max(0, width - 4 * inset),
      rows: max(0, height - 2 * inset)
    )
    var place = inside.origin
    for (key, word) in entries {
      let style = CellStyle(foreground: .accent)
      canvas.write(key, style: style, at: place, in: inside)
      let wordPlace = Position(column: place.column + keyWidth + 3, row: place.row)
      canvas.write(word, style: CellStyle(foreground: .label), at: wordPlace, in: inside)
      place.row += 1
    }
  }

  private static func drawBorder(_ box: Rect, _ glyphs: FrameGlyphs, on canvas: inout Canvas) {
    let style = CellStyle(foreground: .accent)
    canvas.drawBox(box, glyphs, style: style, in: canvas.bounds)
    canvas.write(
      " Keys ",
      style: CellStyle(foreground: .label, attributes: .bold),
      at: Position(column: box.minColumn + 1, row: box.minRow),
      in: box
    )
  }
}
