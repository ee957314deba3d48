import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// The last line: the keys that matter now, and how many cards are out of sight.
nonisolated enum PageFooter {
  /// What the line says: on a screen of the same size, the same words look the same.
  struct Words: Hashable {
    fileprivate var entries: [Entry]
    fileprivate var more: SafeText?
    fileprivate var notice: SafeText?
    fileprivate var filter: LineEditor?
    fileprivate var glyphs: GlyphSet
  }

  /// A key, or a text, and what it is for.
  fileprivate struct Entry: Hashable {
    var key: SafeText
    var word: SafeText
    /// Whether it is shown even if other keys have to go.
    var isExit = false
  }

  /// What the line says about a page; the buttons of edit mode are among what can be pressed.
  static func words(_ model: TodayModel, _ hits: HitMap) -> Words {
    let frame = FrameGlyphs(model.look.glyphs)
    var words = Words(entries: [], notice: model.content.notice, glyphs: model.look.glyphs)
    // What is said now needs the whole line.
    if words.notice == nil { words.more = moreWords(model, frame) }
    if case .filter(let entry) = model.mode {
      words.filter = entry
    } else if words.notice == nil {
      words.entries = entries(model, frame, hits)
    }
    return words
  }

  /// Draws the line on the bottom row.
  static func draw(_ words: Words, on canvas: inout Canvas) {
    let clip = canvas.bounds
    let quiet = CellStyle(foreground: .secondary)
    let row = canvas.size.rows - 1
    var room = canvas.size.columns - 2

    if let more = words.more {
      let line = TextLine(more)
      if line.width <= room {
        room -= line.width + 2
        let place = Position(column: canvas.size.columns - 1 - line.width, row: row)
        canvas.write(line, style: quiet, at: place, in: clip)
      }
    }
    var place = Position(column: 1, row: row)
    if let entry = words.filter {
      draw(entry, words.glyphs, room: room, at: place, on: &canvas)
      return
    }
    if let notice = words.notice {
      let line = TextLine(notice.onOneLine).truncated(to: room, glyphSet: words.glyphs)
      canvas.write(line, style: CellStyle(foreground: .orange), at: place, in: clip)
      return
    }
    let entries = words.entries
    // How a mode is left is shown even if other keys have to go.
    let exit = entries.count > 1 ? entries.last { $0.isExit } : nil
    let exitColumns = exit.map { columns(of: $0) + 2 } ?? 0
    let keepsExit = exit != nil && exitColumns <= room
    if keepsExit { room -= exitColumns }
    for entry in entries where !(keepsExit && entry.isExit) {
      // The first one may be long: where a link leads.
      let isFirst = place.column == 1
      let keyColumns = TextLine(entry.key).width + 1
      let wordRoom = isFirst ? max(0, room - keyColumns) : .max
      let word = TextLine(entry.word).truncated(to: wordRoom, glyphSet: words.glyphs)
      guard keyColumns + word.width <= room else { break }
      room -= keyColumns + word.width + 2
      place.column = write(entry.key, word, at: place, on: &canvas) + 2
    }
    if keepsExit, let exit { write(exit.key, TextLine(exit.word), at: place, on: &canvas) }
  }

  private static func columns(of entry: Entry) -> Int {
    TextLine(entry.key).width + 1 + TextLine(entry.word).width
  }

  /// Writes a key and its word; returns the column behind them.
  @discardableResult
  private static func write(
    _ key: SafeText,
    _ word: TextLine,
    at position: Position,
    on canvas: inout Canvas
  ) -> Int {
    let clip = canvas.bounds
    var place = position
    let style = CellStyle(foreground: .label)
    place.column = canvas.write(TextLine(key), style: style, at: place, in: clip) + 1
    return canvas.write(word, style: CellStyle(foreground: .secondary), at: place, in: clip)
  }

  /// Draws what is typed to find cards, and the keys for it.
  private static func draw(
    _ entry: LineEditor,
    _ glyphs: GlyphSet,
    room: Int,
    at start: Position,
    on canvas: inout Canvas
  ) {
    let clip = canvas.bounds
    let hint = TextLine(
      "\(FrameGlyphs(glyphs).name(of: .press)) keep  Esc show all"
    )
    let isHinted = hint.width + 24 <= room
    let columns = max(1, isHinted ? room - hint.width - 4 : room - 2)
    var place = start
    place.column = canvas.write("/", style: CellStyle(foreground: .accent), at: place, in: clip) + 1
    entry.draw(on: &canvas, at: place, columns: columns, glyphs, in: clip)
    guard isHinted else { return }
    let end = Position(column: start.column + room - hint.width, row: start.row)
    canvas.write(hint, style: CellStyle(foreground: .secondary), at: end, in: clip)
  }

  /// The keys that do something now, the most useful ones first.
  private static func entries(
    _ model: TodayModel,
    _ frame: FrameGlyphs,
    _ hits: HitMap
  ) -> [Entry] {
    switch model.mode {
    // The keys of a pane are on its border; the page is as it was.
    case .page, .pane: fieldEntries(model, frame) ?? pageEntries(model, frame)
    case .help(let keys):
      (HelpOverlay.lastScroll(keys, model) > 0
        ? [Entry(key: frame.name(of: .cards), word: "scroll")] : [])
        + [Entry(key: "Esc", word: "close", isExit: true)]
    case .inspector:
      [
        Entry(key: frame.name(of: .cards), word: "scroll")
      ] + (model.keyMap.name(of: .refreshCard).map { [Entry(key: $0, word: "refresh")] } ?? [])
        + [Entry(key: "Esc", word: "close", isExit: true)]
    case .palette:
      [
        Entry(key: frame.name(of: .cards), word: "select"),
        Entry(key: frame.name(of: .press), word: "choose"),
        Entry(key: "Esc", word: "close", isExit: true),
      ]
    case .settings:
      [
        Entry(key: frame.name(of: .press), word: "save"), Entry(key: "Esc", word: "discard"),
        Entry(key: frame.name(of: .elements), word: "next"),
      ]
    case .question(let box):
      (box.scrolls(on: model.size) ? [Entry(key: frame.name(of: .cards), word: "scroll")] : [])
        + marked(box.choices(on: model.size).map { Entry(key: $0.keyName, word: $0.short) })
    case .letters: [Entry(key: "a-z", word: "press"), Entry(key: "Esc", word: "end", isExit: true)]
    case .edit(let editing):
      marked(
        editing.keys(model, press: frame.name(of: .press), hits).map { key, word in
          Entry(key: key, word: word)
        }
      )
    case .filter, .cover: []
    }
  }

  /// The same, of which Esc at the end is the way out.
  private static func marked(_ entries: [Entry]) -> [Entry] {
    var entries = entries
    if let last = entries.indices.last, entries[last].key == "Esc" { entries[last].isExit = true }
    return entries
  }

  /// The keys of a field that has the focus; nil if none has.
  private static func fieldEntries(_ model: TodayModel, _ frame: FrameGlyphs) -> [Entry]? {
    guard case .field? = model.place.focus?.element?.role else { return nil }
    guard let target = model.focusedTarget else {
      return [Entry(key: "Esc", word: "leave the field, which is gone")]
    }
    let next = Entry(key: frame.name(of: .elements), word: "elements")
    let clear = Entry(key: "Esc", word: "clear and leave")
    let enter = Entry(key: frame.name(of: .press), word: "enter")
    return target.action == nil ? [clear, next] : [enter, clear, next]
  }

  private static func pageEntries(_ model: TodayModel, _ frame: FrameGlyphs) -> [Entry] {
    var first: [Entry] = []
    if model.content.isLocked, let key = model.keyMap.name(of: .lock) {
      first.append(Entry(key: key, word: "unlock"))
    }
    if model.place.zoom != nil { first.append(Entry(key: "Esc", word: "all cards")) }
    if let filter = model.place.filter {
      first.append(Entry(key: "/\(SafeText(filter.text))", word: "Esc shows all"))
    }
    let pressLine = model.keyMap.footerLines.first { $0.intent == .press }
    let pressKey = pressLine.flatMap { model.keyMap.footerKey(of: $0, frame.name) }
    let help = model.focusedTarget?.help.flatMap { $0.isEmpty ? nil : $0.onOneLine }
    if let link = model.pressedTarget?.link, !model.content.isLocked, let key = pressKey {
      // Where it leads comes before what the widget says about it.
      var line: SafeText = "opens \(SafeText(link))"
      if let help { line = "\(line) \(frame.dot) \(help)" }
      // A whole line for the element with the focus; less for the only link of a card.
      let words = TextLine(line).truncated(
        to: model.focusedTarget == nil ? 28 : .max,
        glyphSet: model.look.glyphs
      )
      first.append(Entry(key: key, word: SafeText(words.glyphs.map(\.text).joined())))
    } else if let help, let key = pressKey {
      first.append(Entry(key: key, word: help))
    } else if let app = appToOpen(model), let key = pressKey {
      first.append(Entry(key: key, word: "opens \(app.onOneLine)"))
    }
    if model.canRemoveFocusedRow, let key = model.keyMap.name(of: .removeRow) {
      first.append(Entry(key: key, word: "remove"))
    }
    if showsNotices(model), let key = model.keyMap.name(of: .dismissNotices) {
      first.append(Entry(key: key, word: "dismiss all"))
    }
    return first + model.keyMap.footerLines.compactMap { entry(of: $0, model, frame) }
  }

  /// Whether the card with the focus shows notices, and some wait.
  private static func showsNotices(_ model: TodayModel) -> Bool {
    guard let card = model.place.focus?.card, card == model.content.noticeCard else { return false }
    return model.content.waitingNotices > 0 && !model.content.isLocked
  }

  /// The app that a press opens, as the card with the focus has nothing else to press.
  private static func appToOpen(_ model: TodayModel) -> SafeText? {
    guard let focus = model.place.focus, !model.content.isLocked,
      model.targets(of: focus.card).isEmpty
    else {
      return nil
    }
    return model.card(focus.card)?.appName
  }

  /// A key and its word; nil for a key that does nothing on this page, or has no place in the footer.
  private static func entry(
    of line: KeyMap.Line,
    _ model: TodayModel,
    _ frame: FrameGlyphs
  ) -> Entry? {
    guard let footer = line.footer, let key = model.keyMap.footerKey(of: line, frame.name) else {
      return nil
    }
    switch line.intent {
    case .toggleDisplayMode:
      let card = model.place.focus.flatMap { model.card($0.card) }
      guard card?.offersExpanded ?? model.content.cards.contains(where: \.offersExpanded) else {
        return nil
      }
      return Entry(key: key, word: model.focusedDisplayMode == .expanded ? "less" : footer.word)
    case .nextCard where model.place.zoom != nil: return Entry(key: key, word: "scroll")
    case .settings where model.place.focus.flatMap({ model.card($0.card) })?.hasSettings != true:
      return nil
    case .zoom where model.place.zoom != nil || model.place.focus == nil: return nil
    case .retry where !hasStopped(model.place.focus.flatMap { model.card($0.card) }): return nil
    case .press
    where model.pressedTarget?.link != nil || model.focusedTarget?.help?.isEmpty == false
      || model.content.isLocked:
      return nil
    case .press, .nextElement:
      let hasNone = model.place.focus.map { model.targets(of: $0.card).isEmpty } ?? false
      return hasNone ? nil : Entry(key: key, word: footer.word)
    case .pressByLetter where model.content.isLocked, .edit where model.content.isLocked,
      .settings where model.content.isLocked:
      return nil
    default: return Entry(key: key, word: footer.word, isExit: line.intent == .quit)
    }
  }

  /// Whether a widget was stopped, and does not only wait for an answer about its permissions.
  private static func hasStopped(_ card: Card?) -> Bool {
    card?.state == .stopped && card?.asksForPermission == false
  }

  /// How many cards lie out of sight, and on which side.
  private static func moreWords(_ model: TodayModel, _ frame: FrameGlyphs) -> SafeText? {
    guard model.place.zoom == nil else { return nil }
    let end = model.place.scrollRow + model.viewport.size.rows
    let below = model.page.frames.values.count { $0.maxRow > end }
    if below > 0 { return "\(frame.below) \(below) more" }
    let above = model.page.frames.values.count { $0.minRow < model.place.scrollRow }
    return above > 0 ? "\(frame.above) \(above) more" : nil
  }
}
