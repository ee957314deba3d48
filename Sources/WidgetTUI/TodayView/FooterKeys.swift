import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// The keys that the last line names, in each mode.
nonisolated enum FooterKeys {
  /// A key, or a text, and what it is for.
  struct Entry: Hashable {
    var key: SafeText
    var word: SafeText
    /// Whether it is shown even if other keys have to go.
    var isExit = false
  }

  /// The keys that do something now, the most useful ones first.
  static func entries(
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
    case .settings(let form):
      [Entry(key: frame.name(of: .press), word: "save"), Entry(key: "Esc", word: "discard")]
        + (form.isInList
          ? [
            Entry(key: "Ctrl-X", word: "remove"),
            Entry(key: "Shift-\(frame.arrows)", word: "move"),
          ] : [])
        + [Entry(key: frame.name(of: .elements), word: "next")]
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
    if model.isLookingBack, let key = model.keyMap.name(of: .now) {
      first.append(Entry(key: key, word: "to the present"))
    }
    if model.place.focus?.element != nil {
      first.append(Entry(key: "Esc", word: "back"))
    } else if model.place.zoom != nil {
      first.append(Entry(key: "Esc", word: "all cards"))
    }
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
      let word: SafeText =
        switch model.nextForm {
        case .less?: "less"
        case .automatic?: "automatic"
        case .more?, nil: footer.word
        }
      return Entry(key: key, word: word)
    case .nextCard where model.isCardAlone || model.place.focus?.element != nil:
      return Entry(key: key, word: hasElements(model) ? "move" : "scroll")
    case .settings where model.place.focus.flatMap({ model.card($0.card) })?.hasSettings != true:
      return nil
    case .zoom where model.place.zoom != nil || model.place.focus == nil: return nil
    case .retry where !hasStopped(model.place.focus.flatMap { model.card($0.card) }): return nil
    case .press
    where model.pressedTarget?.link != nil || model.focusedTarget?.help?.isEmpty == false
      || model.content.isLocked:
      return nil
    case .press, .nextElement:
      guard hasElements(model) else { return nil }
      let isEntered = line.intent == .press && model.pressedTarget == nil
      return Entry(key: key, word: isEntered ? "go in" : footer.word)
    case .edit where model.content.isLocked, .settings where model.content.isLocked,
      .share where model.content.isLocked:
      return nil
    default:
      let isExit = line.intent == .quit || line.intent == .help
      return Entry(key: key, word: footer.word, isExit: isExit)
    }
  }

  /// Whether the card with the focus has something to press, or no card has the focus.
  private static func hasElements(_ model: TodayModel) -> Bool {
    model.place.focus.map { !model.targets(of: $0.card).isEmpty } ?? true
  }

  /// Whether a widget was stopped, and does not only wait for an answer about its permissions.
  private static func hasStopped(_ card: Card?) -> Bool {
    card?.state == .stopped && card?.asksForPermission == false
  }
}
