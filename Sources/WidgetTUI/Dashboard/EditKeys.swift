import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Keys and the mouse while the page is edited.
final class EditKeys {
  private unowned let owner: any DashboardKeysOwner
  /// Does what a key asks for on the page.
  private let perform: (Intent) -> Void
  private let widgetKeys: WidgetEditKeys
  private let fields: OpenedFields
  private let undoing: UndoKeys
  private let direct: DirectEdits
  /// What registries list, for the gallery.
  private lazy var shelf = GalleryShelf(owner: owner) { [weak self] in
    self?.addInstalled($0, isNew: $1)
  }

  init(
    owner: any DashboardKeysOwner,
    elements: ElementKeys,
    fields: OpenedFields,
    undoing: UndoKeys,
    direct: DirectEdits,
    perform: @escaping (Intent) -> Void
  ) {
    self.owner = owner
    (self.undoing, self.direct) = (undoing, direct)
    self.fields = fields
    self.perform = perform
    widgetKeys = WidgetEditKeys(
      owner: owner,
      elements: elements,
      fields: fields,
      undo: undoing.undoInCard
    )
  }

  /// The page has other contents.
  func contentDidChange() { shelf.contentDidChange() }

  private var edits: PageEdits { owner.center.edits }

  private var editing: PageEditing {
    get { owner.model.editing ?? PageEditing() }
    set { owner.model.mode = .edit(newValue) }
  }

  /// Begins to edit the page.
  func begin(withGallery: Bool = false, finding text: String = "") {
    edits.begin()
    if owner.model.place.zoom != nil { perform(.zoom) }
    owner.model.place.filter = nil
    editing = PageEditing()
    editing.canUndo = edits.canUndo
    if withGallery { openGallery(finding: text) }
    owner.pageDidChange()
  }

  private func end() {
    shelf.close()
    owner.center.preview.end()
    owner.center.input.endEditing()
    owner.model.mode = .page
    owner.pageDidChange()
  }

  private func openGallery(finding text: String = "") {
    editing.gallery = WidgetGallery(finding: text)
    shelf.open()
    // What is looked for may have to be installed first.
    editing.gallery?.take(edits.choices)
    if !text.isEmpty, editing.gallery?.showAvailableIfNothingMatches() == true { shelf.refresh() }
    // A page of config.json would refuse what is chosen.
    if edits.isDeclared(owner.model.tabs.shown) {
      owner.center.notices.say(
        "config.json declares this page; what you add is text to paste there."
      )
    }
    showPreview()
  }

  /// Adds what was installed to the page that is shown; a new script is on the first page as soon as it is found.
  private func addInstalled(_ choice: PageEdits.Choice, isNew: Bool) {
    let isEditing = owner.model.editing != nil
    if isEditing, editing.gallery != nil { closeGallery() }
    if choice.page == nil {
      if isEditing { add(choice.id) } else { direct.add(choice.id) }
    } else if isNew, choice.page != owner.model.tabs.shown {
      let page = owner.model.tabs.shown
      if isEditing {
        make(.move(choice.id, page: page, position: nil), focus: choice.id)
      } else if direct.move(choice.id, to: page) {
        owner.model.place.focus = PageFocus(card: choice.id)
        owner.cardsDidMove()
      }
    } else if choice.page == owner.model.tabs.shown {
      owner.model.place.focus = PageFocus(card: choice.id)
      owner.cardsDidMove()
    }
  }

  private func closeGallery() {
    shelf.close()
    editing.gallery = nil
    owner.center.preview.end()
    owner.pageDidChange()
  }

  // MARK: - Keys

  /// Handles a key.
  func handle(_ key: Key, _ intent: Intent?) {
    let isDragging = editing.drag?.hasMoved == true
    editing.drag = nil
    // Esc gives up only what is dragged.
    if isDragging, key == .escape { return }
    if let gallery = editing.gallery { return handle(key, in: gallery) }
    if let card = owner.model.editedCard {
      if !widgetKeys.handle(key, intent, in: card), let intent { handle(intent, of: key) }
      return
    }
    if key == .escape { return end() }
    switch EditCommand(key) {
    case .moveOn?: move(by: 1)
    case .moveBack?: move(by: -1)
    case .wider?: onFocus { widen($0, by: 1) }
    case .narrower?: onFocus { widen($0, by: -1) }
    case .remove?: onFocus(remove)
    case .add?: openGallery()
    case .undo?: step(undoing.undo)
    case .redo?: step(undoing.redo)
    case .copy?: copy()
    case .nextPage?: movePage(by: 1)
    case .previousPage?: movePage(by: -1)
    case nil: handle(intent, of: key)
    }
  }

  private func handle(_ intent: Intent?, of key: Key) {
    guard let intent, owner.keyMap.holds(intent, in: .edit) else {
      if let words = EditCommand.refusal(key, map: owner.keyMap, inWidget: false) {
        owner.center.notices.say(words)
      }
      return
    }
    switch intent {
    case .edit: end()
    case .press: onFocus(beginWidget)
    case .help: owner.model.mode = .help(TodayModel.KeyList(below: .edit(editing)))
    case .settings:
      let below = editing
      perform(intent)
      // The form is not opened for a card without settings.
      if case .settings(var form) = owner.model.mode {
        form.below = .edit(below)
        owner.model.mode = .settings(form)
      }
    case .hide, .lock, .palette:
      end()
      perform(intent)
    case _ where intent.turnsPage:
      editing.declaration = nil
      perform(intent)
    default: perform(intent)
    }
  }

  private func handle(_ key: Key, in gallery: WidgetGallery) {
    if let intent = owner.keyMap.intentOverPage(of: key) {
      return perform(intent)
    }
    var gallery = gallery
    let before = gallery.selected?.id
    let outcome = gallery.take(key) { edits.freeName(for: $0) }
    editing.gallery = gallery
    switch outcome {
    case .stays: if gallery.selected?.id != before { showPreview() }
    case .ends: closeGallery()
    case .runs: owner.center.preview.run()
    case .switches: switchTab()
    case .installs(let row): shelf.install(row)
    case .adds(let id):
      closeGallery()
      add(id)
    }
  }

  private func switchTab() {
    if editing.gallery?.showsAvailable == true { shelf.refresh() }
    showPreview()
  }

  private func showPreview() {
    owner.pageDidChange()
  }

  /// Begins to edit the widget of a card.
  private func beginWidget(_ id: CardID) {
    owner.model.place.focus = PageFocus(card: id)
    fields.willEdit(id)
    guard owner.center.input.beginEditing(id) else { return }
    // The next key acts on the widget, whether or not it is drawn.
    owner.cardsDidMove()
    widgetKeys.selectFirstRow(of: id)
  }

  // MARK: - Changes

  private func onFocus(_ body: (CardID) -> Void) {
    guard let card = owner.model.place.focus?.card else {
      return owner.center.notices.say("There is no card on this page; a adds one.")
    }
    // What the user does not see is looked at before it is changed.
    owner.model.revealFocus()
    body(card)
  }

  private func make(_ change: PageChange?, focus: CardID? = nil) {
    guard let change else { return }
    switch edits.make([change]) {
    case .made:
      editing.declaration = nil
      if let focus { owner.model.place.focus = PageFocus(card: focus) }
    case .declared(let page):
      editing.declaration = page
      owner.center.notices.say(
        SafeText("“\(page.name)” is declared at \(page.place); y copies the text.")
      )
    case .failed: break
    }
    editing.canUndo = edits.canUndo
    owner.pageDidChange()
    owner.cardsDidMove()
  }

  private func add(_ id: CardID) {
    make(.add(id, page: owner.model.tabs.shown), focus: id)
  }

  private func remove(_ id: CardID) {
    let name = edits.name(of: id)
    make(.remove(id))
    guard editing.declaration == nil else { return }
    owner.center.notices.say("Removed \(name). u takes it back.")
  }

  private func move(by step: Int) {
    onFocus { make(edits.move($0, by: step), focus: $0) }
  }

  private func movePage(by step: Int) {
    guard let page = owner.model.tabs.page(after: step), page != owner.model.tabs.shown else {
      return owner.center.notices.say(
        "There is no other page; “new page NAME” among the commands makes one for this card."
      )
    }
    onFocus { card in
      make(.move(card, page: page, position: nil), focus: owner.model.neighbor(of: card))
      guard editing.declaration == nil else { return }
      owner.center.notices.say(
        "\(edits.name(of: card)) is on \(SafeText(page.rawValue)) now. u takes it back."
      )
    }
  }

  private func widen(_ id: CardID, by step: Int) {
    guard let card = owner.model.card(id) else { return }
    let span = min(card.span, max(1, owner.model.columnCount)) + step
    guard !edits.isSpanFixed(id) else {
      return owner.center.notices.say("config.json sets how many columns this card takes up.")
    }
    guard (1...max(1, owner.model.columnCount)).contains(span) else {
      let extent: SafeText = step > 0 ? "all columns" : "one column"
      return owner.center.notices.say("The card takes up \(extent) already.")
    }
    make(.span(id, span), focus: id)
  }

  /// Goes back or forth among the changes.
  private func step(_ work: () -> Void) {
    work()
    editing.canUndo = edits.canUndo
    editing.declaration = nil
  }

  private func copy() {
    guard let page = editing.declaration ?? edits.text(of: owner.model.tabs.shown) else { return }
    let words =
      owner.clipboard.copy(page.text + ",").map { place in
        SafeText("Copied “\(page.name)” for pages in config.json to \(place).")
      }
      ?? "Nothing to copy to: the terminal has no OSC 52, and wl-copy and xclip are missing."
    owner.center.notices.say(words)
  }

  // MARK: - The mouse

  /// Handles a press of a button of the mode.
  func press(_ control: PageEditing.Control) {
    switch control {
    case .done: end()
    case .undo: step(undoing.undo)
    case .gallery: openGallery()
    case .remove(let id): remove(id)
    case .wider(let id): widen(id, by: 1)
    case .narrower(let id): widen(id, by: -1)
    case .widget(let id): beginWidget(id)
    case .widgetDone: owner.center.input.endEditing()
    case .galleryTab(let isAvailable):
      editing.gallery?.show(available: isAvailable)
      switchTab()
    case .choice(let index):
      let isSelected = editing.gallery?.selectedLine == index
      editing.gallery?.select(index)
      // A second press on a line adds what it is for.
      if isSelected, let gallery = editing.gallery {
        handle(.enter, in: gallery)
      } else {
        showPreview()
      }
    }
  }

  /// Takes a press, the pointer that is moved with the button held down, and the end of the press.
  func handle(_ event: MouseEvent, hit: PageHit?) {
    guard editing.gallery == nil else {
      switch event.action {
      case .wheelDown: handle(.down, .nextCard)
      case .wheelUp: handle(.up, .previousCard)
      case .press, .release, .drag: break
      }
      return
    }
    switch event.action {
    case .press: press(hit, at: event.position)
    case .drag:
      editing.drag?.move(to: event.position)
      if editing.drag != nil { scrollAtEdge(event.row) }
    case .release:
      editing.drag?.move(to: event.position)
      drop()
    case .wheelDown: owner.model.scroll(by: 3)
    case .wheelUp: owner.model.scroll(by: -3)
    }
  }

  private func press(_ hit: PageHit?, at position: Position) {
    editing.drag = nil
    if let edited = owner.model.editedCard {
      guard hit?.card != edited.id else {
        if let part = hit?.part { editing.drag = widgetKeys.press(part, at: position, in: edited) }
        return
      }
      owner.center.input.endEditing()
    }
    guard let card = hit?.card, let frame = owner.model.frameOnScreen(card) else { return }
    owner.model.place.focus = PageFocus(card: card)
    editing.drag = PageDrag(
      card: card,
      grip: Position(column: position.column - frame.minColumn, row: position.row - frame.minRow),
      pointer: position
    )
  }

  /// Scrolls while something is held at the upper or the lower edge of the page.
  private func scrollAtEdge(_ row: Int) {
    let viewport = owner.model.viewport
    if row <= viewport.minRow { owner.model.scroll(by: -1) }
    if row >= viewport.maxRow - 1 { owner.model.scroll(by: 1) }
  }

  /// Drops what is dragged where the pointer is.
  private func drop() {
    guard let drag = editing.drag else { return }
    editing.drag = nil
    if drag.row != nil {
      widgetKeys.drop(drag)
    } else {
      switch drag.landing(in: owner.model, owner.hits.newest) {
      case .card(let target, _): make(edits.move(drag.card, to: target), focus: drag.card)
      case .page(let page): make(.move(drag.card, page: page, position: nil))
      case nil: break
      }
    }
  }
}
