import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// The state from which the dashboard is drawn.
///
/// A value that keys change and ``TodayView`` draws, independent of the terminal and the engine.
nonisolated struct TodayModel: Sendable {
  /// The size of the screen.
  var size: Size
  /// How its cards are drawn.
  var look: PageLook
  /// How many columns it has.
  var columns = ColumnRule()
  /// The day in words, for the header.
  var dayWords: SafeText = ""
  /// The cards in page order.
  var cards: [Card] = []
  /// Their present bodies; a card without a view has none.
  var bodies: [CardID: CardBody] = [:]
  /// The pages, and which of them is shown.
  var tabs = PageTabs()
  /// Errors in bundles and in the installation.
  var problems: [SafeText] = []
  /// Where bundles are looked for, for a page without any.
  var searchedFolders: [SafeText] = []
  /// How many widgets have nothing to show.
  var hiddenCount = 0
  /// The result of the last press, shown instead of the keys.
  var notice: SafeText?
  /// Installed widgets that were never on the page.
  var newWidgets: [AnnouncedWidget] = []
  /// Whether bundles have not been looked for yet, so that an empty page shows no text.
  var isLoading = false
  /// The focus.
  var focus: PageFocus?
  /// The first row of the page that is on the screen.
  var scrollRow = 0
  /// What keys are for, and what is drawn over the page.
  var mode = Mode.page
  /// The mode below the list of keys, or below the form of settings; nil for the page.
  var modeBehind: Mode?
  /// The first line of the list of keys that is on the screen.
  var helpScroll = 0
  /// The card that is shown alone; nil for all.
  var zoom: PageZoom?
  /// Which cards are shown; nil for all.
  var filter: PageFilter?
  /// The keys in force, for the list of keys and the footer.
  var keyMap = KeyMap.standard { didSet { look.retryKey = keyMap.name(of: .retry) } }
  /// The numbers that have just changed.
  var changedNumbers = ChangedNumbers()
  /// Whether nothing can be pressed, and private content is covered.
  var isLocked = false
  /// The layout of the cards, computed by ``relayout()``.
  private(set) var page = PageLayout(PagePlan()) { _, _ in 0 }
  /// What that layout was computed for besides the cards; nil if cards have changed that it depends on.
  private var ground: LayoutGround?
  /// Which card lies in which columns.
  private var plan = PagePlan()
  /// The filter of that plan.
  private var plannedFilter: PageFilter?
  /// The plan that it continues.
  private var planBefore: PagePlan?
  /// The plan when all cards are shown, so that they return to their columns after a filter.
  private var wholePlan = PagePlan()

  /// Whether something is drawn over the page, so that the mouse does not reach it.
  var hasOverlay: Bool {
    switch mode {
    case .page, .filter, .letters, .edit: false
    case .help, .inspector, .palette, .settings, .question, .cover: true
    }
  }

  /// Whether keys act on the cards, and nothing else takes them.
  var takesCardKeys: Bool {
    switch mode {
    case .page: true
    case .edit(let editing): editing.gallery == nil
    case .filter, .letters, .help, .inspector, .palette, .settings, .question, .cover: false
    }
  }

  /// The state of edit mode; nil in every other mode.
  var editing: PageEditing? { if case .edit(let editing) = mode { editing } else { nil } }

  /// Whether the page is hidden.
  var isCovered: Bool { if case .cover = mode { true } else { false } }

  /// Takes over the cards of the engine, those that the filter shows.
  mutating func take(_ drawn: [(card: Card, body: CardBody?)]) {
    if filter == nil, drawn.count == cards.count { return takeChanged(drawn) }
    ground = nil
    cards = []
    bodies = [:]
    for (card, body) in drawn where filter?.matches(card, body, isLocked: isLocked) ?? true {
      cards.append(card)
      bodies[card.id] = body
    }
  }

  /// Takes over those of as many cards as before that are different.
  private mutating func takeChanged(_ drawn: [(card: Card, body: CardBody?)]) {
    for (index, (card, body)) in drawn.enumerated() {
      let (oldCard, oldBody) = (cards[index], bodies[card.id])
      guard oldCard != card || oldBody != body else { continue }
      if oldCard.id != card.id {
        ground = nil
        bodies[oldCard.id] = drawn.first { $0.card.id == oldCard.id }?.body
      } else if oldCard.outline(oldBody) != card.outline(body) {
        ground = nil
      }
      cards[index] = card
      bodies[card.id] = body
    }
  }

  /// Whether the layout is that of the present cards on the present screen.
  var isLaidOut: Bool { ground == LayoutGround(self) }

  /// Follows changes of the cards with which the layout stays the same.
  mutating func keepLayout() {
    checkZoom()
    dropLostElement()
  }

  /// Compares the numbers on the screen with those that were there before.
  mutating func noteChangedNumbers() {
    let visible = visibleCards
    let shown = cards.compactMap { card in
      visible.contains(card.id) ? bodies[card.id].map { (card, $0) } : nil
    }
    changedNumbers.take(shown, at: look.now)
  }

  /// Shows another page as the user left it.
  mutating func show(_ name: PageName) {
    guard name != tabs.shown else { return }
    let left = PageTabs.Place(focus: focus, scrollRow: scrollRow, plan: wholePlan)
    let place = tabs.show(name, leaving: left)
    (zoom, filter, plannedFilter) = (nil, nil, nil)
    (focus, scrollRow) = (place.focus, place.scrollRow)
    (plan, wholePlan) = (place.plan, place.plan)
    // The cards come with the next picture.
    (cards, bodies, ground) = ([], [:], nil)
    page = PageLayout(PagePlan()) { _, _ in 0 }
  }

  /// The text that is copied: of the rows of the element with the focus, else of its whole card.
  var textToCopy: String? {
    guard let focus, let body = bodies[focus.card] else { return nil }
    guard focusedTarget != nil else { return text(of: focus.card) }
    let lines = body.drawnText.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init
    )
    guard let target = focusedTarget else { return nil }
    let rows = lines.indices.clamped(
      to: target.frame.minRow..<max(target.frame.minRow, target.frame.maxRow)
    )
    return lines[rows].joined(separator: "\n").trimmingLastNewlines
  }

  /// What is drawn of a card as text; nil while it has no content.
  func text(of card: CardID) -> String? { bodies[card]?.drawnText.trimmingLastNewlines }

  /// The inspector, if it is open; nil closes it.
  var inspector: Inspector? {
    get { if case .inspector(let inspector) = mode { inspector } else { nil } }
    set { mode = newValue.map(Mode.inspector) ?? .page }
  }

  /// Creates a page without cards.
  init(size: Size, look: PageLook) {
    self.size = size
    self.look = look
  }

  /// The lines around the cards for which there is room.
  var chrome: PageChrome { PageChrome(size: size) }

  /// The part of the screen that shows cards.
  var viewport: Rect { chrome.viewport }

  /// The height of the whole page.
  var contentRows: Int { page.rows + problemLines.count }

  /// The last row that ``scrollRow`` may have.
  var lastScrollRow: Int { max(0, contentRows - viewport.size.rows) }

  /// The sentences below the cards.
  var problemLines: [TextLine] {
    let warning = FrameGlyphs(look.glyphs).warning
    return problems.flatMap {
      TextLine.wrapped("\(warning) \($0)", columns: max(1, size.columns - 2)).prefix(3)
    }
  }

  /// The width between the borders of every card, in the columns that the cards have now.
  var widths: CardWidths {
    var widths = plan.widths(showsBorders: chrome.showsBorders)
    if let zoom {
      widths[zoom.card] = zoomInterior.columns
      widths.zoom = CardZoom(card: zoom.card, rows: zoomInterior.rows)
    }
    return widths
  }

  /// The number of columns.
  var columnCount: Int { plan.grid.count }

  /// Plans the page for the present cards; ``relayout()`` then lays it out.
  ///
  /// Distributing cards takes their heights, and these depend on the widths that the distribution
  /// gives them. Called again with `isSecond` after the widths have changed, it distributes the cards
  /// that the first call distributed.
  mutating func planPage(isSecond: Bool = false) {
    if !isSecond {
      planBefore = filter == plannedFilter ? plan : filter == nil ? wholePlan : nil
    }
    plan = PagePlan(width: size.columns, items: items, columns: columns, previous: planBefore)
    plannedFilter = filter
    if filter == nil { wholePlan = plan }
  }

  /// One card as it is drawn.
  func view(of card: Card) -> CardView {
    var look = look
    look.showsBorders = chrome.showsBorders
    let scrolled = zoom.flatMap { $0.card == card.id ? $0.scrollRow : nil }
    return CardView(
      card: card,
      body: bodies[card.id],
      look: look,
      scrollRow: scrolled ?? 0,
      changedNumbers: changedNumbers.areas(of: card.id, at: look.now)
    )
  }

  /// The display mode of the card with the focus, if it offers both.
  var focusedDisplayMode: DisplayMode? {
    focus.flatMap { card($0.card) }.flatMap { $0.offersExpanded ? $0.displayMode : nil }
  }

  /// The card called `id`.
  func card(_ id: CardID) -> Card? { cards.first { $0.id == id } }

  /// The frame of a card on the screen; it may be above or below the screen.
  func frameOnScreen(_ id: CardID) -> Rect? {
    if let zoom { return zoom.card == id ? viewport : nil }
    return page.frames[id]?.offset(columns: viewport.minColumn, rows: viewport.minRow - scrollRow)
  }

  /// The part of a card that is on the screen; nil if there is none.
  func areaOnScreen(_ id: CardID) -> Rect? {
    guard let area = frameOnScreen(id)?.intersection(viewport), !area.size.isEmpty else {
      return nil
    }
    return area
  }

  /// The cards of which at least a row is on the screen.
  var visibleCards: Set<CardID> {
    if zoom != nil { return Set(cards.map(\.id).filter { areaOnScreen($0) != nil }) }
    return viewport.size.isEmpty
      ? [] : page.cards(in: scrollRow..<scrollRow + viewport.size.rows)
  }

  /// Updates the layout after a change of the size, the cards or their heights.
  ///
  /// The card with the focus, or the first visible card if that is not visible, keeps its position
  /// on the screen when cards above it change their heights, appear or disappear. The card with the
  /// focus stays visible if it was visible.
  mutating func relayout() {
    checkZoom()
    if zoom == nil { planPage() }
    layOut()
  }

  /// Updates the layout by the plan that was made last.
  ///
  /// Behind a card that is shown alone, the page stays as it was.
  mutating func layOut() {
    checkZoom()
    defer { ground = LayoutGround(self) }
    if zoom != nil { return dropLostElement() }
    let before = focus.flatMap { page.frames[$0.card] }
    let wasWhole = before.map { isWhole($0) } ?? false
    let anchors = anchors
    let scrolled = scrollRow
    placeCards()
    if scrolled > 0, let anchor = anchors.first(where: { page.frames[$0.id] != nil }),
      let after = page.frames[anchor.id]
    {
      scrollRow = min(max(0, scrolled + after.minRow - anchor.row), lastScrollRow)
    }
    guard let focus, let after = page.frames[focus.card] else { return }
    if wasWhole, !isWhole(after) { revealFocus() }
  }

  /// The visible cards with their rows on the page, in the order in which they should stay.
  private var anchors: [(id: CardID, row: Int)] {
    let end = scrollRow + viewport.size.rows
    let visible = page.frames.filter { $0.value.maxRow > scrollRow && $0.value.minRow < end }
    func place(_ id: CardID, _ frame: Rect) -> (Int, Int, Int) {
      (focus?.card == id ? 0 : 1, max(frame.minRow, scrollRow), frame.minColumn)
    }
    return visible.sorted { place($0.key, $0.value) < place($1.key, $1.value) }
      .map { ($0.key, $0.value.minRow) }
  }

  /// Moves the focus from a card that is leaving to the next or the previous card.
  private mutating func passFocusOn() {
    guard let index = cards.firstIndex(where: { $0.id == focus?.card }),
      cards[index].leaving != nil
    else { return }
    let next =
      cards[index...].first { $0.leaving == nil } ?? cards[..<index].last { $0.leaving == nil }
    focus = next.map { PageFocus(card: $0.id) }
  }

  /// Whether all rows of a frame on the page are on the screen.
  private func isWhole(_ frame: Rect) -> Bool {
    frame.minRow >= scrollRow && frame.maxRow <= scrollRow + viewport.size.rows
  }

  /// What the plan must know about the cards.
  private var items: [PagePlan.Item] {
    let widths = widths
    let border = chrome.showsBorders ? 2 : 0
    return cards.map {
      PagePlan.Item(
        id: $0.id,
        rows: view(of: $0).rowsAtThisMoment(width: widths[$0.id] + border),
        span: $0.span,
        hasContent: bodies[$0.id] != nil,
        isSettled: bodies[$0.id] != nil || $0.state != .starting,
        isMoving: $0.leaving != nil
          || bodies[$0.id].map { $0.to != nil && $0.progress < 1 } ?? false
      )
    }
  }

  private mutating func placeCards() {
    let views = Dictionary(
      cards.map { ($0.id, view(of: $0)) },
      uniquingKeysWith: { first, _ in first }
    )
    page = PageLayout(plan) { id, width in views[id]?.rowsAtThisMoment(width: width) ?? 0 }
    passFocusOn()
    if let focus, page.frames[focus.card] == nil { self.focus = nil }
    if focus == nil, let first = cards.first(where: { $0.leaving == nil }) {
      focus = PageFocus(card: first.id)
    }
    dropLostElement()
    scrollRow = min(max(0, scrollRow), lastScrollRow)
  }

  /// Moves the focus from an element that has gone to its card.
  private mutating func dropLostElement() {
    guard let focus, let element = focus.element else { return }
    if element.isValid, let index = element.index(in: targets(of: focus.card)) {
      // When it goes, or gets another name, the focus is on what is in its present place.
      self.focus?.element?.index = index
    } else if !focus.isField {
      // A field keeps the focus, so that no letter that is typed for it is a command.
      self.focus?.element = nil
    }
  }
}

/// The lines for which a screen has room: cards first, then borders, the header, and the keys.
nonisolated struct PageChrome: Hashable, Sendable {
  let showsHeader: Bool
  let showsFooter: Bool
  let showsBorders: Bool
  /// The part for the cards.
  let viewport: Rect

  /// Whether a page of this width has room for borders.
  static func showsBorders(columns: Int) -> Bool { columns >= 16 }

  /// Decides for a screen of `size`.
  init(size: Size) {
    showsHeader = size.rows >= 6
    showsFooter = size.rows >= 10
    showsBorders = Self.showsBorders(columns: size.columns) && size.rows >= 4
    viewport = Rect(
      column: 0,
      row: showsHeader ? 1 : 0,
      columns: max(0, size.columns),
      rows: max(0, size.rows - (showsHeader ? 1 : 0) - (showsFooter ? 1 : 0))
    )
  }
}

nonisolated extension String {
  /// The text without line feeds and blanks at its end, and without blanks that all its lines begin with.
  fileprivate var trimmingLastNewlines: String {
    var text = self
    while let last = text.last, last == "\n" || last == " " { text.removeLast() }
    return text
  }
}

/// What the layout of a page depends on besides its cards.
private nonisolated struct LayoutGround: Equatable, Sendable {
  var size: Size
  var columns: ColumnRule
  var filter: PageFilter?
  var zoomed: CardID?
  var problems: [SafeText]
  var glyphs: GlyphSet

  init(_ model: TodayModel) {
    (size, columns, filter) = (model.size, model.columns, model.filter)
    (zoomed, problems, glyphs) = (model.zoom?.card, model.problems, model.look.glyphs)
  }
}

/// What the layout of a page depends on of one card.
private nonisolated enum CardOutline: Equatable {
  case body(rows: Int, margins: Int, span: Int, leaving: Double?, isMoving: Bool)
  /// A card without a view, whose height is that of some words.
  case words(Card)
}

nonisolated extension Card {
  fileprivate func outline(_ body: CardBody?) -> CardOutline {
    guard let body else { return .words(self) }
    return .body(
      rows: body.size.rows,
      margins: marginInsets.rows,
      span: span,
      leaving: leaving,
      isMoving: body.to != nil && body.progress < 1
    )
  }
}
