import WidgetKitCore

/// The list of keys, in a box over the page.
nonisolated enum HelpOverlay {
  private static func entries(_ model: TodayModel) -> [(SafeText, SafeText)] {
    let glyphs = model.look.glyphs
    let modeWords: SafeText =
      switch model.focusedDisplayMode {
      case .compact?: "show more of the card"
      case .expanded?: "show less of the card"
      case nil: "show more, show less"
      }
    let arrows: (SafeText, SafeText) =
      glyphs == .ascii ? ("j k  Up Down", "h l  Left Right") : ("↓ ↑  j k", "← →  h l")
    return [
      (arrows.0, "next, previous card"),
      (arrows.1, "the column beside"),
      ("Tab  Shift-Tab", "elements of the card"),
      ("Enter  Space", "press"),
      ("m", modeWords),
      ("r  R", "refresh the card, all cards"),
      ("t", "start a stopped widget again"),
      ("i", "inspect the card: runs, log"),
      ("PgUp  PgDn", "scroll"),
      ("Home  End", "to the top, to the end"),
      ("Ctrl-L", "redraw the screen"),
      ("Ctrl-Z", "suspend; fg continues"),
      ("?  Esc", "close this list"),
      ("q  Ctrl-C", "quit"),
    ]
  }

  /// Draws the box in the middle; on a small screen as much of it as fits.
  static func draw(_ model: TodayModel, on canvas: inout Canvas) {
    let glyphs = FrameGlyphs(model.look.glyphs)
    let entries = entries(model).map { (TextLine($0), TextLine($1)) }
    let keyWidth = entries.reduce(0) { max($0, $1.0.width) }
    let wordWidth = entries.reduce(0) { max($0, $1.1.width) }
    let inside = OverlayBox.draw(
      TextLine(" Keys "),
      size: Size(columns: keyWidth + wordWidth + 2, rows: entries.count),
      glyphs: glyphs,
      on: &canvas
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
}
