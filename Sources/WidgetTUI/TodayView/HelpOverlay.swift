import WidgetKitCore
import WidgetPages

/// The list of the keys of a mode, in a box over the page.
nonisolated enum HelpOverlay {
  private static func entries(
    _ below: TodayModel.ModeBelow,
    _ model: TodayModel
  ) -> [(SafeText, SafeText)] {
    let isASCII = model.look.glyphs == .ascii
    switch below {
    case .edit:
      let isInWidget = model.editedCard != nil
      return EditKeyList.lines(model.keyMap, inWidget: isInWidget, isASCII: isASCII)
        .map { ($0.names, $0.words) }
    case .inspector: return Inspector.keyLines(model.keyMap, isASCII: isASCII)
    case .page: return pageEntries(model, isASCII: isASCII)
    }
  }

  private static func title(_ below: TodayModel.ModeBelow, _ model: TodayModel) -> SafeText {
    switch below {
    case .edit where model.editedCard != nil: " Keys while a widget is edited "
    case .edit: " Keys of edit mode "
    case .inspector: " Keys of the inspector "
    case .page: " Keys "
    }
  }

  private static func pageEntries(
    _ model: TodayModel,
    isASCII: Bool
  ) -> [(SafeText, SafeText)] {
    model.keyMap.own.map { key, command in
      let place: SafeText = command.widget.map { " (on \(SafeText($0)))" } ?? ""
      return (key.name, "\(command.listedWords)\(place)")
    }
      + model.keyMap.lines.compactMap { line in
        guard let names = model.keyMap.names(of: line, isASCII: isASCII) else { return nil }
        guard line.intent == .toggleDisplayMode else {
          return (names, line.words)
        }
        return switch model.nextForm {
        case .more?: (names, "show more of the card")
        case .less?: (names, "show less of the card")
        case .automatic?: (names, "size the card automatically")
        case nil: (names, line.words)
        }
      }
  }

  /// The names of the keys, and what they do in as many lines as it takes.
  private struct List {
    var keyWidth: Int
    var rows: [(key: TextLine, words: TextLine)]

    init(_ entries: [(SafeText, SafeText)], on screen: Size) {
      let keys = entries.map { TextLine($0.0) }
      keyWidth = keys.reduce(0) { max($0, $1.width) }
      let room = OverlayBox.columns(on: screen) - keyWidth - HelpOverlay.gap
      rows = zip(keys, entries).flatMap { key, entry in
        TextLine.wrapped(entry.1, columns: max(HelpOverlay.fewestColumns, room)).enumerated().map {
          index,
          words in
          (index == 0 ? key : TextLine(glyphs: []), words)
        }
      }
    }

    func lastScroll(_ screen: Size) -> Int { max(0, rows.count - HelpOverlay.room(screen)) }
  }

  /// The columns between the names and the words.
  private static let gap = 3
  /// Words are not wrapped in less; they are cut there.
  private static let fewestColumns = 12

  private static func list(_ keys: TodayModel.KeyList, _ model: TodayModel) -> List {
    List(entries(keys.below, model), on: model.size)
  }

  /// The lines of the list that fit on the screen, over the footer.
  private static func room(_ screen: Size) -> Int {
    max(1, screen.rows - (PageChrome(size: screen).showsFooter ? 3 : 2))
  }

  /// The largest first line; 0 if the whole list fits.
  static func lastScroll(_ keys: TodayModel.KeyList, _ model: TodayModel) -> Int {
    list(keys, model).lastScroll(model.size)
  }

  /// Draws the box in the middle; on a small screen a part of the list, which is scrolled.
  static func draw(_ keys: TodayModel.KeyList, _ model: TodayModel, on canvas: inout Canvas) {
    let glyphs = FrameGlyphs(model.look.glyphs)
    let list = list(keys, model)
    let (all, keyWidth) = (list.rows, list.keyWidth)
    let first = min(keys.scroll, list.lastScroll(model.size))
    let entries = all[first...].prefix(room(canvas.size))
    let wordWidth = all.reduce(0) { max($0, $1.words.width) }
    let inside = OverlayBox.draw(
      TextLine(title(keys.below, model)),
      size: Size(columns: keyWidth + wordWidth + 2, rows: entries.count),
      glyphs: glyphs,
      on: &canvas
    )
    var place = inside.origin
    for (key, word) in entries {
      let style = CellStyle(foreground: .accent)
      canvas.write(key, style: style, at: place, in: inside)
      let wordPlace = Position(column: place.column + keyWidth + gap, row: place.row)
      let room = max(0, inside.maxColumn - wordPlace.column)
      let line = word.truncated(to: room, glyphSet: model.look.glyphs)
      canvas.write(line, style: CellStyle(foreground: .label), at: wordPlace, in: inside)
      place.row += 1
    }
    let below = all.count - first - entries.count
    OverlayBox.drawHidden(above: first, below: below, inside, glyphs, on: &canvas)
  }
}

nonisolated extension TodayModel {
  /// The lines by which a command of the page scrolls the list of keys.
  func helpStep(_ intent: Intent) -> Int {
    let page = max(1, size.rows - 4)
    return switch intent {
    case .nextCard: 1
    case .previousCard: -1
    case .pageDown: page
    case .pageUp: -page
    case .bottom: .max
    case .top: -.max
    default: 0
    }
  }

  /// Scrolls the list of keys; false if it is not to be scrolled, or fits.
  mutating func scrollHelp(by step: Int) -> Bool {
    guard case .help(var keys) = mode else { return false }
    let last = HelpOverlay.lastScroll(keys, self)
    guard step != 0, last > 0 else { return false }
    let target = min(keys.scroll, last).addingReportingOverflow(step)
    keys.scroll = target.overflow ? last : max(0, min(last, target.partialValue))
    mode = .help(keys)
    return true
  }
}
