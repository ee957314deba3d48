import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// What keys and the mouse act on.
protocol DashboardKeysOwner: AnyObject {
  var center: WidgetCenter { get }
  var model: TodayModel { get set }
  var keyMap: KeyMap { get }
  var themes: ThemeSwitch { get }
  var clipboard: Clipboard { get }
  /// What can be pressed on the picture on the screen.
  var shownHits: HitMap { get }
  /// What a click at a position of the screen presses.
  func hit(_ position: Position) -> PageHit?
  /// What a click at a position beside the cards presses.
  func chromeHit(_ position: Position) -> ChromeHit?
  /// Other cards are shown, or in other sizes.
  func pageDidChange()
  /// The cards are in other places, and the one with the focus is to be seen.
  func cardsDidMove()
  /// The present moment.
  var now: ContinuousClock.Instant { get }
  /// Takes what has changed in the engine into the model, without drawing it.
  func takeChanges()
  /// Calls `work` later, and draws what it has changed.
  func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any HostTimer
  func setLocked(_ isLocked: Bool)
  /// What the page was opened with.
  var base: CenterConfiguration { get }
  func repaint()
  func suspend()
  func quit()
}

/// The actions of keys and the mouse, in each mode of the page.
final class DashboardKeys {
  private unowned let owner: any DashboardKeysOwner
  private lazy var elements = ElementKeys(owner: owner, fields: fields)
  /// The fields that presses open.
  private(set) lazy var fields = OpenedFields(owner: owner) { [weak self] in self?.handle($0) }
  private let settings: SettingsKeys
  /// How many notices there were after the last key that has caused one.
  private var countAfterKey: Int?
  private let undoing: UndoKeys
  private lazy var contents = ContentKeys(owner: owner) { [weak self] in self?.copy($0) }
  /// The questions of the page.
  private(set) lazy var questions = QuestionKeys(owner: owner) { [weak self] in self?.perform($0) }
  private lazy var editing = EditKeys(
    owner: owner,
    elements: elements,
    fields: fields,
    undoing: undoing
  ) {
    [weak self] in self?.perform($0)
  }
  private lazy var palettes = PaletteKeys(owner: owner, undoing: undoing) { [weak self] in
    self?.perform($0)
  }

  /// The card whose text is copied when it has one: a widget of another page starts when its page is shown.
  private var awaited: CardID?

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
    settings = SettingsKeys(owner: owner)
    undoing = UndoKeys(owner: owner)
  }

  private var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  /// The page has ended.
  func end() { contents.end() }

  /// Handles one key; the caller draws.
  func handle(_ key: Key) {
    let (mode, notice, count) = (model.mode, owner.center.notice, owner.center.noticeCount)
    let changes = owner.center.edits.changeCount
    if case .mouse(let event) = key { handle(event) } else { take(key) }
    // What was said before would be where the keys of the new mode are, or be about another change.
    let isOther = !model.mode.isLike(mode) || owner.center.edits.changeCount != changes
    // What a key has come to is over with the next one.
    let isOver = isOther || count == countAfterKey && !key.isMouse
    if owner.center.noticeCount != count {
      countAfterKey = owner.center.noticeCount
    } else if isOver, owner.center.notice == notice {
      owner.center.clearNotice()
    }
    questions.keyWasHandled()
  }

  private func take(_ key: Key) {
    if model.takesCardKeys, fields.keep(key) { return }
    let intent = owner.keyMap.intent(of: key)
    switch model.mode {
    case .page: handleOnPage(key, intent)
    case .help:
      // Any key closes the list and does nothing else, but those that scroll a long one.
      if let intent, intent.appliesEverywhere {
        perform(intent)
      } else if !model.scrollHelp(by: intent.map(model.helpStep) ?? 0) {
        model.closeOverlay()
      }
    case .inspector(let inspector): handle(key, intent, in: inspector)
    case .filter(let entry): handle(key, intent, in: entry)
    case .palette(let palette): palettes.handle(key, in: palette)
    case .letters(let letters): handle(key, in: letters)
    case .settings(let form):
      if case .control = key, LineEditor.Edit(key) == nil, let intent { return perform(intent) }
      settings.handle(key, in: form)
    case .edit: editing.handle(key, intent)
    case .question(let box): questions.handle(key, intent, in: box)
    case .cover:
      // The key only uncovers the page, except that it can be quit or suspended as it is.
      if case .control = key, let intent { perform(intent) } else { model.mode = .page }
    }
  }

  private func handleOnPage(_ key: Key, _ intent: Intent?) {
    if elements.take(key, intent) {
      return
    } else if key == .escape, model.place.zoom != nil {
      perform(.zoom)
    } else if key == .escape, model.place.filter != nil {
      setFilter(nil)
    } else if let intent {
      perform(intent)
    }
  }

  // MARK: - The inspector

  private func handle(_ key: Key, _ intent: Intent?, in inspector: Inspector) {
    var inspector = inspector
    if case .control = key, let intent {
      perform(intent)
    } else if scroll(&inspector, intent, key) {
      model.mode = .inspector(inspector)
    } else {
      inspect(inspector.card, intent)
    }
  }

  /// Scrolls the inspector or turns its leaves; false for a key that does something else.
  private func scroll(_ inspector: inout Inspector, _ intent: Intent?, _ key: Key) -> Bool {
    let page = max(1, model.viewport.size.rows - 2)
    switch intent {
    case .nextCard: inspector.scroll(by: 1)
    case .previousCard: inspector.scroll(by: -1)
    case .pageDown: inspector.scroll(by: page)
    case .pageUp: inspector.scroll(by: -page)
    case .press where key == .character(" "): inspector.scroll(by: page)
    case .nextElement: inspector.turn(by: 1)
    case .previousElement: inspector.turn(by: -1)
    case .top: inspector.scroll(by: -10_000)
    case .bottom: inspector.scroll(by: 10_000)
    default: return false
    }
    return true
  }

  /// What the other keys do in the inspector of a card: most of them close it.
  private func inspect(_ card: CardID, _ intent: Intent?) {
    switch intent {
    case .refreshCard: owner.center.updates.refresh(card)
    case .retry: owner.center.retry(card)
    case .hide: perform(.hide)
    case .help:
      (model.mode, model.modeBehind) = (.help, model.mode)
    default: model.mode = .page
    }
  }

  // MARK: - Finding cards

  private func handle(_ key: Key, _ intent: Intent?, in entry: LineEditor) {
    var entry = entry
    switch key {
    case .escape:
      model.mode = .page
      setFilter(nil)
    case .enter: model.mode = .page
    case .backspace where entry.isEmpty: model.mode = .page
    case .down, .up, .tab, .backTab, .pageDown, .pageUp:
      if let intent { perform(intent) }
    case .character, .control, .alt, .function, .insert, .backspace, .delete, .left, .right,
      .wordLeft, .wordRight, .home,
      .end, .shiftUp, .shiftDown, .mouse, .paste:
      if entry.take(key) {
        model.mode = .filter(entry)
        setFilter(PageFilter(entry.text))
      } else if let intent, intent.appliesEverywhere {
        perform(intent)
      }
    }
  }

  private func setFilter(_ filter: PageFilter?) {
    guard filter != model.place.filter else { return }
    model.place.filter = filter
    model.place.scrollRow = 0
    owner.pageDidChange()
  }

  // MARK: - Letters

  private func giveLetters() {
    let hits = TodayView.picture(of: model).hits.pressable { id in
      model.card(id).map { $0.offersExpanded || $0.isInTrouble } ?? false
    }
    guard !hits.isEmpty else {
      owner.center.say("Nothing on the screen can be pressed.")
      return
    }
    model.mode = .letters(PressLetters(hits))
  }

  private func handle(_ key: Key, in letters: PressLetters) {
    var letters = letters
    switch letters.take(key) {
    case .stays: model.mode = .letters(letters)
    case .ends:
      model.mode = .page
      if case .control = key, let intent = owner.keyMap.intent(of: key) { perform(intent) }
    case .presses(let hit):
      model.mode = .page
      press(hit)
    }
  }

  // MARK: - Commands

  private func perform(_ intent: Intent) {
    let page = max(1, model.viewport.size.rows - 1)
    switch intent {
    case .nextCard: model.moveFocus(.down)
    case .previousCard: model.moveFocus(.up)
    case .columnLeft: model.moveFocus(.left)
    case .columnRight: model.moveFocus(.right)
    case .nextElement: model.moveElementFocus(forward: true)
    case .previousElement: model.moveElementFocus(forward: false)
    case .press: press()
    case .pressByLetter: giveLetters()
    case .zoom:
      model.toggleZoom()
      owner.pageDidChange()
    case .filter:
      if model.place.zoom != nil { perform(.zoom) }
      model.mode = .filter(LineEditor(model.place.filter?.text ?? "", limit: LineEditor.nameLimit))
    case .palette: palettes.open()
    case .toggleDisplayMode: onFocus { owner.center.toggleDisplayMode($0) }
    case .refreshCard: onFocus { owner.center.updates.refresh($0) }
    case .refreshAll: owner.center.updates.refresh(nil)
    case .retry: onFocus { owner.center.retry($0) }
    case .inspect: onFocus { model.mode = .inspector(Inspector(card: $0)) }
    case .settings: onFocus { settings.open($0) }
    case .edit:
      if model.content.isLocked {
        owner.center.say(owner.center.lockedWords)
      } else {
        editing.begin()
      }
    case .undo:
      if model.content.isLocked {
        owner.center.say(owner.center.lockedWords)
      } else {
        undoing.undo()
      }
    case .copy: copy()
    case .share: contents.begin(.share)
    case .act: contents.begin(.act)
    case .previousPage: show(model.tabs.page(after: -1))
    case .nextPage: show(model.tabs.page(after: 1))
    case .page1, .page2, .page3, .page4, .page5, .page6, .page7, .page8, .page9:
      show(intent.pageNumber.flatMap(model.tabs.page(numbered:)))
    case .removeRow: elements.removeRow()
    case .pageDown: model.scroll(by: page)
    case .pageUp: model.scroll(by: -page)
    case .top: model.scroll(by: -model.contentRows)
    case .bottom: model.scroll(by: model.contentRows)
    case .hide: model.mode = .cover
    case .lock: owner.setLocked(!model.content.isLocked)
    case .redraw: owner.repaint()
    case .suspend: owner.suspend()
    case .help: (model.mode, model.modeBehind) = (.help, nil)
    case .quit: owner.quit()
    }
  }

  /// Shows another page.
  private func show(_ page: PageName?) {
    guard let page, owner.center.show(page: page) else { return }
    model.show(page)
    owner.pageDidChange()
  }

  /// Does something with the card that has the focus.
  private func onFocus(_ body: (CardID) -> Void) {
    if let card = model.place.focus?.card { body(card) }
  }

  /// Presses the element with the focus; a card without any opens its app.
  private func press() {
    guard let card = model.place.focus?.card else { return }
    if let target = model.pressedTarget {
      fields.willPress(target, on: card)
      owner.center.press(target, on: card)
    } else if model.targets(of: card).isEmpty {
      openApp(of: card)
    }
  }

  private func openApp(of card: CardID) {
    guard !model.content.isLocked else { return owner.center.say(owner.center.lockedWords) }
    owner.center.urls.openApp(of: card)
  }

  private func copy() {
    awaited = nil
    guard let text = model.textToCopy, !text.isEmpty else {
      guard let card = model.place.focus?.card, model.text(of: card) == nil, isAwaitingContent(card)
      else { return owner.center.say("There is no text to copy.") }
      awaited = card
      return owner.center.say("The text is copied as soon as the card has it.")
    }
    copy(text)
  }

  private func copy(_ text: String) {
    let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
    let lines: SafeText = count == 1 ? "1 line" : "\(count) lines"
    let words =
      owner.clipboard.copy(text).map { SafeText("Copied \(lines) to \($0).") }
      ?? "Nothing to copy to: the terminal has no OSC 52, and wl-copy and xclip are missing."
    owner.center.say(words)
  }

  private func isAwaitingContent(_ id: CardID) -> Bool {
    model.card(id).map { $0.state == .starting || !owner.center.isSettled(id) } ?? false
  }

  /// The page has other contents: copies the text that was asked for before the card had it.
  func contentDidChange() {
    guard let card = awaited else { return }
    if let text = model.text(of: card), !text.isEmpty {
      awaited = nil
      copy(text)
    } else if !isAwaitingContent(card) {
      awaited = nil
      owner.center.say("There is no text to copy.")
    }
  }

  // MARK: - The mouse

  private func handle(_ event: MouseEvent) {
    let position = Position(column: event.column, row: event.row)
    if case .edit = model.mode {
      switch (event.action, owner.chromeHit(position)) {
      case (.press, .edit(let control)?): editing.press(control)
      case (.press, .page(let page)?): show(page)
      default: editing.handle(event, hit: owner.hit(position))
      }
      return
    }
    switch (model.mode, event.action) {
    case (.edit, _), (_, .release), (_, .drag): break
    case (.page, .press), (.filter, .press): click(Position(column: event.column, row: event.row))
    case (.page, .wheelDown), (.filter, .wheelDown): model.scroll(by: 3)
    case (.page, .wheelUp), (.filter, .wheelUp): model.scroll(by: -3)
    case (.help, .wheelDown): if !model.scrollHelp(by: 3) { model.closeOverlay() }
    case (.help, .wheelUp): if !model.scrollHelp(by: -3) { model.closeOverlay() }
    case (.help, .press): model.closeOverlay()
    case (.letters, _): model.mode = .page
    case (.cover, .press): model.mode = .page
    case (.inspector, .press), (.cover, _), (.question, _): break
    case (.settings(let form), .press):
      settings.click(Position(column: event.column, row: event.row), in: form)
    case (.settings(var form), .wheelDown), (.settings(var form), .wheelUp):
      form.scroll(forward: event.action == .wheelDown)
      model.mode = .settings(form)
    case (.inspector, .wheelDown): model.inspector?.scroll(by: 3)
    case (.inspector, .wheelUp): model.inspector?.scroll(by: -3)
    case (.palette, .press): palettes.close()
    case (.palette(let palette), .wheelDown): palettes.handle(.down, in: palette)
    case (.palette(let palette), .wheelUp): palettes.handle(.up, in: palette)
    }
  }

  /// Presses the element that is drawn under the pointer, even if it is moving.
  private func click(_ position: Position) {
    switch owner.chromeHit(position) {
    case .page(let page)?: show(page)
    case nil:
      guard let hit = owner.hit(position) else { return }
      press(hit)
      elements.setCursor(at: position)
    case .newWidgets?:
      if !model.content.isLocked { editing.begin(withGallery: true) }
    case .problems?:
      if model.place.zoom != nil { perform(.zoom) }
      perform(.bottom)
    case .edit?: break
    }
  }

  private func press(_ hit: PageHit) {
    guard let card = model.card(hit.card) else { return }
    model.place.focus = PageFocus(card: hit.card)
    switch hit.part {
    case .card:
      // As Enter does.
      if card.appName != nil, model.targets(of: hit.card).isEmpty { openApp(of: hit.card) }
    case .target(let target):
      let targets = model.targets(of: hit.card)
      if let match = targets.match(target), let index = targets.firstIndex(of: match) {
        model.place.focus?.element = PageFocus.Element(match, at: index)
      }
      fields.willPress(target, on: hit.card)
      owner.center.press(target, on: hit.card)
    case .removal(let target): owner.center.input.removeRow(target, on: hit.card)
    case .state where card.state == .stopped || card.state == .failed:
      owner.center.retry(hit.card)
    case .state where card.isInTrouble: owner.center.updates.refresh(hit.card)
    case .state: owner.center.toggleDisplayMode(hit.card)
    }
  }
}
