import WidgetHost
import WidgetKitCore

/// The list of the keys of a mode, in a box over the page.
nonisolated enum HelpOverlay {
  private static func entries(_ model: TodayModel) -> [(SafeText, SafeText)] {
    let isASCII = model.look.glyphs == .ascii
    switch model.modeBehind {
    case .edit?:
      let isInWidget = model.editedCard != nil
      return EditKeyList.lines(model.keyMap, inWidget: isInWidget, isASCII: isASCII)
        .map { ($0.names, $0.words) }
    case .inspector?: return Inspector.keyLines(model.keyMap, isASCII: isASCII)
    default: return pageEntries(model, isASCII: isASCII)
    }
  }

  private static func title(_ model: TodayModel) -> SafeText {
    switch model.modeBehind {
    case .edit? where model.editedCard != nil: " Keys while a widget is edited "
    case .edit?: " Keys of edit mode "
    case .inspector?: " Keys of the inspector "
    default: " Keys "
    }
  }

  private static func pageEntries(
    _ model: TodayModel,
    isASCII: Bool
  ) -> [(SafeText, SafeText)] {
    KeyMap.lines.compactMap { line in
      guard let names = model.keyMap.names(of: line, isASCII: isASCII) else { return nil }
      guard line.entries.contains(where: { $0.intent == .toggleDisplayMode }) else {
        return (names, line.words)
      }
      return switch model.focusedDisplayMode {
      case .compact?: (names, "show more of the card")
      case .expanded?: (names, "show less of the card")
      case nil: (names, line.words)
      }
    }
  }

  /// Draws the box in the middle; on a small screen as much of it as fits.
  static func draw(_ model: TodayModel, on canvas: inout Canvas) {
    let glyphs = FrameGlyphs(model.look.glyphs)
    let entries = entries(model).map { (TextLine($0), TextLine($1)) }
    let keyWidth = entries.reduce(0) { max($0, $1.0.width) }
    let wordWidth = entries.reduce(0) { max($0, $1.1.width) }
    let inside = OverlayBox.draw(
      TextLine(title(model)),
      size: Size(columns: keyWidth + wordWidth + 2, rows: entries.count),
      glyphs: glyphs,
      on: &canvas
    )
    var place = inside.origin
    for (key, word) in entries {
      let style = CellStyle(foreground: .accent)
      canvas.write(key, style: style, at: place, in: inside)
      let wordPlace = Position(column: place.column + keyWidth + 3, row: place.row)
      let room = max(0, inside.maxColumn - wordPlace.column)
      let line = word.truncated(to: room, glyphSet: model.look.glyphs)
      canvas.write(line, style: CellStyle(foreground: .label), at: wordPlace, in: inside)
      place.row += 1
    }
  }
}
