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
  /// The user's environment, which says where the program's files are.
  var environment: [String: String] { get }
  /// What can be pressed on the pictures on the screen.
  var hits: ShownHits { get }
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
  /// Gives content of the page to extensions; nil if nothing does.
  var sharing: (any PageSharing)? { get }
  /// Draws the model, which something else than a key has changed.
  func showModel()
  func repaint()
  func suspend()
  func quit()
}

/// The actions of keys and the mouse, in each mode of the page.
///
/// What a command does that is the same in all modes is in its entry (``KeyCommand``), which calls the parts here.
final class DashboardKeys {
  unowned let owner: any DashboardKeysOwner
  private(set) lazy var elements = ElementKeys(owner: owner, fields: fields)
  /// The fields that presses open.
  private(set) lazy var fields = OpenedFields(owner: owner) { [weak self] in self?.handle($0) }
  let settings: SettingsKeys
  /// How many notices there were after the last key that has caused one.
  private var countAfterKey: Int?
  private(set) lazy var undoing = UndoKeys(owner: owner) { [weak self] in
    self?.presses.press(buttonNamed: "undo") == true
  }
  private(set) lazy var own = OwnKeys(owner: owner)
  private(set) lazy var copying = CopyKeys(owner: owner)
  private(set) lazy var past = PastKeys(owner: owner)
  private(set) lazy var presses = PressKeys(owner: owner, fields: fields) { [weak self] in
    self?.perform($0)
  }
  private(set) lazy var contents = ContentKeys(
    owner: owner,
    copy: { [weak self] in self?.copying.copy($0) },
    replay: { [weak self] in self?.handle($0) }
  )
  /// The questions of the page.
  private(set) lazy var questions = QuestionKeys(owner: owner) { [weak self] in self?.perform($0) }
  private lazy var direct = DirectEdits(owner: owner)
  private lazy var inspection = InspectorKeys(owner: owner) { [weak self] in self?.perform($0) }
  private(set) lazy var editing = EditKeys(
    owner: owner,
    elements: elements,
    fields: fields,
    undoing: undoing,
    direct: direct
  ) {
    [weak self] in self?.perform($0)
  }
  private(set) lazy var palettes = PaletteKeys(owner: owner, undoing: undoing) { [weak self] in
    self?.take($0)
  }

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
    settings = SettingsKeys(owner: owner)
  }

  /// The page begins.
  func begin() {
    owner.center.noticeDesk.onDismiss = { [weak self] in self?.undoing.didDismiss(notices: $0) }
  }

  var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  /// The engine.
  var center: WidgetCenter { owner.center }

  /// The page ends; `completion` is called when nothing of it is on its way to an extension any more.
  func end(on clock: any HostClock, completion: @escaping () -> Void) {
    contents.end(on: clock, completion: completion)
  }

  /// The page has other contents.
  func contentDidChange() {
    contents.contentDidChange()
    copying.contentDidChange()
    editing.contentDidChange()
  }

  /// The screen has another size.
  func sizeDidChange() { contents.sizeDidChange() }

  /// Handles one key; the caller draws.
  func handle(_ key: Key) {
    // Pasted text is typed where a line is typed, and is a key nowhere else.
    if case .paste = key, !model.takesText(key) {
      if model.takesCardKeys { _ = fields.keep(key) }
      return
    }
    let (mode, notice, count) = (
      model.mode, owner.center.notices.current, owner.center.notices.count
    )
    let changes = owner.center.edits.changeCount
    if case .mouse(let event) = key { handle(event) } else { take(key) }
    // What was said before would be where the keys of the new mode are, or be about another change.
    let isOther = !model.mode.isLike(mode) || owner.center.edits.changeCount != changes
    // What a key has come to is over with the next one, and what came by itself once it could be read, unless it is
    // about what is typed.
    let wasSeen = owner.center.notices.said.map { $0.duration(to: owner.now) >= Self.readingTime }
    let isOver =
      isOther
      || !key.isMouse
        && (count == countAfterKey || wasSeen == true && model.place.focus?.isField != true)
    if owner.center.notices.count != count {
      countAfterKey = owner.center.notices.count
    } else if isOver, owner.center.notices.current == notice {
      owner.center.notices.clear()
    }
    questions.keyWasHandled()
  }

  /// How long a message is shown, whatever is typed, that no key has caused.
  private static let readingTime: Duration = .seconds(2)

  private func take(_ key: Key) {
    if model.takesCardKeys, fields.keep(key) { return }
    let intent = owner.keyMap.intent(of: key)
    switch model.mode {
    case .page: handleOnPage(key, intent)
    case .help:
      // Any key closes the list and does nothing else, but those that scroll a long one. The letter that quits closes
      // it, too; Ctrl-C quits.
      if let intent, owner.keyMap.holds(intent, in: .overlay), intent != .quit || key.isControl {
        perform(intent)
      } else if !model.scrollHelp(by: intent.map(model.helpStep) ?? 0) {
        model.closeOverlay()
      }
    case .inspector(let inspector): inspection.handle(key, intent, in: inspector)
    case .filter(let entry): handle(key, intent, in: entry)
    case .palette(let palette): palettes.handle(key, in: palette)
    case .letters(let letters): presses.handle(key, in: letters)
    case .settings(let form):
      if case .control = key, LineEditor.Edit(key) == nil, let intent { return perform(intent) }
      settings.handle(key, in: form)
    case .edit: editing.handle(key, intent)
    case .question(let box): questions.handle(key, intent, in: box)
    case .pane:
      if case .control = key, let intent, intent == .suspend || intent == .redraw {
        perform(intent)
      } else {
        contents.take(key)
      }
    case .cover:
      // The key only uncovers the page, except that it can be quit or suspended as it is.
      if case .control = key, let intent { perform(intent) } else { model.mode = .page }
    }
  }

  private func handleOnPage(_ key: Key, _ intent: Intent?) {
    if key == .escape, model.place.focus?.isField != true, presses.press(buttonNamed: "cancel") {
      return
    } else if elements.take(key, intent) || own.take(key) {
      return
    } else if key == .escape, model.place.zoom != nil {
      toggleZoom()
    } else if key == .escape, model.place.filter != nil {
      setFilter(nil)
    } else if key == .escape, model.isLookingBack {
      past.end()
    } else if let intent {
      perform(intent)
    } else if !own.run(key), key != .escape, let words = owner.keyMap.uselessWords(key) {
      owner.center.notices.say(words)
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
      } else if let intent, owner.keyMap.holds(intent, in: .overlay) {
        perform(intent)
      }
    }
  }

  private func setFilter(_ filter: PageFilter?) {
    guard filter != model.place.filter else { return }
    model.place.filter = filter
    model.place.scrollRow = 0
    owner.pageDidChange()
    if let filter { focusNamed(filter) }
  }

  /// Gives the focus to the first card whose name was typed, where another one has the text only in its content.
  private func focusNamed(_ filter: PageFilter) {
    let named = model.content.cards.filter { filter.matchesName(of: $0) }.map(\.id)
    guard let first = named.first, !named.contains(where: { $0 == model.place.focus?.card })
    else { return }
    model.place.focus = PageFocus(card: first)
    owner.cardsDidMove()
  }

  // MARK: - Commands

  private func perform(_ intent: Intent) { KeyCommand.named(intent)?.run(self) }

  /// Does what a line of the palette is for.
  private func take(_ action: Palette.Item.Action) {
    switch action {
    case .perform(let intent): perform(intent)
    case .theme(let id, _): undoing.choose(theme: id)
    case .own(let key): _ = own.run(key)
    case .page(let page): show(page)
    case .card(let card, let page): go(to: card, on: page)
    case .settings(let card, let page):
      go(to: card, on: page)
      settings.open(card)
    case .permissions(let card): palettes.openPermissions(of: card)
    case .leaveForm(let card): owner.center.input.leaveDisplayMode(card)
    case .permission(let card, let permission, let isGranted):
      palettes.set(permission, isGranted, of: card)
    // The palette takes it itself.
    case .types: break
    case .add(let card): unlessLocked { direct.add(card) }
    case .remove(let card): unlessLocked { direct.remove(card) }
    case .rename(let name): unlessLocked { direct.rename(to: name) }
    case .problems: showProblems()
    case .gallery(let text): unlessLocked { editing.begin(withGallery: true, finding: text) }
    case .move(let card, let page):
      unlessLocked { if direct.move(card, to: page) { go(to: card, on: page) } }
    case .quiet(let length): QuietKeys(owner: owner).begin(for: length)
    case .endQuiet: QuietKeys(owner: owner).end()
    case .past(let moment): past.show(at: moment)
    }
  }

  /// Goes to a card, on whichever page it is.
  private func go(to card: CardID, on page: PageName) {
    if model.place.zoom != nil { toggleZoom() }
    setFilter(nil)
    show(page)
    model.place.focus = PageFocus(card: card)
    owner.cardsDidMove()
  }

  /// The rows by which a key scrolls the page.
  var screenfulRows: Int { max(1, model.viewport.size.rows - 1) }

  /// Shows one card alone, or all of them again.
  func toggleZoom() {
    model.toggleZoom()
    owner.pageDidChange()
  }

  /// Begins to find cards by what is typed.
  func beginFilter() {
    if model.place.zoom != nil { toggleZoom() }
    model.mode = .filter(LineEditor(model.place.filter?.text ?? "", limit: LineEditor.nameLimit))
  }

  /// Does something with the page, unless it is locked.
  func unlessLocked(_ body: () -> Void) {
    if model.content.isLocked { owner.center.notices.say(owner.center.lock.words) } else { body() }
  }

  /// Shows another page.
  func show(_ page: PageName?) {
    guard let page, owner.center.screen.show(page: page) else { return }
    model.show(page)
    owner.pageDidChange()
  }

  /// Shows the page that is `step` pages after the shown one.
  func turnPage(by step: Int) {
    guard model.tabs.areSeveral else { return center.notices.say("There is no other page.") }
    show(model.tabs.page(after: step))
  }

  /// Shows the page of a number, from 1.
  func showPage(numbered number: Int) {
    guard let page = model.tabs.page(numbered: number) else {
      return center.notices.say(SafeText("There is no page \(number)."))
    }
    show(page)
  }

  /// Does something with the card that has the focus.
  func onFocus(_ body: (CardID) -> Void) {
    guard let card = model.place.focus?.card else { return }
    // What the user does not see is looked at before it is changed.
    model.revealFocus()
    body(card)
  }

  // MARK: - The mouse

  private func handle(_ event: MouseEvent) {
    let position = Position(column: event.column, row: event.row)
    if case .edit = model.mode {
      switch (event.action, owner.hits.chromeHit(position)) {
      case (.press, .edit(let control)?): editing.press(control)
      case (.press, .page(let page)?): show(page)
      default: editing.handle(event, hit: owner.hits.hit(position, at: owner.now))
      }
      return
    }
    if case .pane = model.mode { return contents.take(.mouse(event)) }
    switch (model.mode, event.action) {
    case (.edit, _), (.pane, _), (_, .release), (_, .drag): break
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
    case (.settings(let form), .wheelDown), (.settings(let form), .wheelUp):
      settings.scroll(forward: event.action == .wheelDown, in: form)
    case (.inspector, .wheelDown): model.inspector?.scroll(by: 3)
    case (.inspector, .wheelUp): model.inspector?.scroll(by: -3)
    case (.palette(let palette), .press): palettes.click(position, in: palette)
    case (.palette(let palette), .wheelDown): palettes.handle(.down, in: palette)
    case (.palette(let palette), .wheelUp): palettes.handle(.up, in: palette)
    }
  }

  /// Presses the element that is drawn under the pointer, even if it is moving.
  private func click(_ position: Position) {
    switch owner.hits.chromeHit(position) {
    case .page(let page)?: show(page)
    case nil:
      guard let hit = owner.hits.hit(position, at: owner.now) else { return }
      presses.press(hit)
      elements.setCursor(at: position)
    case .waitingNotices?: showNotices()
    case .newWidgets?:
      if !model.content.isLocked { editing.begin(withGallery: true) }
    case .problems?: showProblems()
    case .edit?: break
    }
  }

  /// Goes to the end of the page, where it is said what is wrong.
  private func showProblems() {
    if model.place.zoom != nil { toggleZoom() }
    perform(.bottom)
  }

  /// Goes to the card of the notices, on whichever page it is.
  private func showNotices() {
    guard let card = owner.center.noticeDesk.card else {
      return owner.center.notices.say("No card shows notices; e adds one.")
    }
    go(to: card.id, on: card.page)
  }
}
