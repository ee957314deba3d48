import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

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
  /// What the engine says.
  var content = PageContent()
  /// The pages, and which of them is shown.
  var tabs = PageTabs()
  /// Where the user is.
  var place = PagePlace()
  /// What keys are for, and what is drawn over the page.
  var mode = Mode.page
  /// The keys in force, for the list of keys and the footer.
  var keyMap = KeyMap.standard { didSet { look.retryKey = keyMap.name(of: .retry) } }
  /// The numbers that have just changed.
  var changedNumbers = ChangedNumbers()
  /// What moves on cards that keep their size.
  var glides = PageGlides()
  /// The cards that stand side by side.
  var tiles = PageTiles()
  /// The cards that the page expands by itself.
  var growth = PageGrowth()
  /// The layout of the cards, computed by ``relayout()``.
  private(set) var page = PageLayout(PagePlan()) { _, _ in 0 }
  /// What that layout was computed for besides the cards; nil if cards have changed that it depends on.
  private var ground: LayoutGround?
  /// Which card lies in which columns.
  private var plans = PagePlans()

  /// Whether something is drawn over the page, so that the mouse does not reach it.
  var hasOverlay: Bool {
    switch mode {
    case .page, .filter, .letters, .edit: false
    case .help, .inspector, .palette, .settings, .question, .pane, .cover: true
    }
  }

  /// Whether a card shows an earlier content.
  var isLookingBack: Bool { content.cards.indices.contains { content.cards[$0].past != nil } }

  /// Whether keys act on the cards, and nothing else takes them.
  var takesCardKeys: Bool {
    switch mode {
    case .page: true
    case .edit(let editing): editing.gallery == nil
    case .filter, .letters, .help, .inspector, .palette, .settings, .question, .pane, .cover: false
    }
  }

  /// The state of edit mode; nil in every other mode.
  var editing: PageEditing? { if case .edit(let editing) = mode { editing } else { nil } }

  /// The card whose widget is edited.
  var editedCard: Card? { content.cards.first(where: \.isEdited) }

  /// Whether the page is hidden.
  var isCovered: Bool { if case .cover = mode { true } else { false } }

  /// Takes over the cards of the engine, those that the filter shows.
  mutating func take(_ drawn: [(card: Card, body: CardBody?)]) {
    let keepsLayout = content.take(drawn, by: place.filter)
    if !keepsLayout { ground = nil }
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
    changedNumbers.take(content.cards, content.bodies, of: visibleCards, at: look.now)
  }

  /// Sets whether anything glides; what is on the screen now is what the next contents are compared with.
  mutating func setGlides(_ isOn: Bool, at now: ContinuousClock.Instant) {
    guard isOn != glides.isOn else { return }
    glides.isOn = isOn
    noteGlides(at: now)
  }

  /// Lets what has changed on the screen glide from what was there before.
  mutating func noteGlides(at now: ContinuousClock.Instant) {
    guard glides.isOn else { return }
    let moment = Moment(now: now, date: look.now)
    let cards = isCovered || content.isLocked ? [] : content.cards
    glides.take(cards, content.bodies, of: visibleCards, at: moment)
  }

  /// Shows another page as the user left it.
  mutating func show(_ name: PageName) {
    guard name != tabs.shown else { return }
    let left = PageTabs.Place(focus: place.focus, scrollRow: place.scrollRow, plan: plans.whole)
    let found = tabs.show(name, leaving: left)
    place = PagePlace(focus: found.focus, scrollRow: found.scrollRow)
    plans = PagePlans(found.plan)
    // The cards come with the next picture.
    (content.cards, content.bodies, ground) = ([], [:], nil)
    page = PageLayout(PagePlan()) { _, _ in 0 }
  }

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
    return content.problems.flatMap {
      TextLine.wrapped("\(warning) \($0)", columns: max(1, size.columns - 2)).prefix(3)
    }
  }

  /// The width between the borders of every card, in the columns that the cards have now.
  var widths: CardWidths {
    var widths = plans.present.widths(showsBorders: chrome.showsBorders)
    if let zoom = place.zoom {
      widths[zoom.card] = zoomInterior.columns
      widths.zoom = CardZoom(card: zoom.card, rows: zoomInterior.rows)
    }
    widths.growth = growth.forms
    return widths
  }

  /// The number of columns.
  var columnCount: Int { plans.present.grid.count }

  /// Plans the page for the present cards; ``relayout()`` then lays it out.
  ///
  /// Distributing cards takes their heights, and these depend on the widths that the distribution
  /// gives them. Called again with `isSecond` after the widths have changed, it distributes the cards
  /// that the first call distributed.
  mutating func planPage(isSecond: Bool = false, isSettling: Bool = false) {
    if !isSecond { plans.begin(with: place.filter) }
    plans.take(plan(of: items, isSettling: isSettling), of: place.filter)
  }

  private func plan(of items: [PagePlan.Item], isSettling: Bool) -> PagePlan {
    PagePlan(
      width: size.columns,
      items: items,
      columns: columns,
      previous: plans.before,
      isSettling: isSettling
    )
  }

  /// Distributes cards that were distributed just now by heights that they will have, if the page is shorter then; where
  /// cards stay in their columns, nothing is done.
  ///
  /// - Returns: Whether cards were distributed.
  mutating func planPage(expecting heights: [CardID: Int], isSettling: Bool) -> Bool {
    guard plans.present.isFresh, place.filter == nil, !heights.isEmpty else { return false }
    let items = items.map { item in
      var item = item
      item.rows = heights[item.id] ?? item.rows
      return item
    }
    let expected = Dictionary(
      items.map { ($0.id, $0.rows) },
      uniquingKeysWith: { first, _ in first }
    )
    let plan = plan(of: items, isSettling: isSettling)
    guard plan.grid.count == plans.present.grid.count,
      rows(of: expected, in: plan) < rows(of: expected)
    else { return false }
    plans.take(plan, of: place.filter)
    return true
  }

  /// The height of the page, in the present columns, if its cards had these heights.
  func rows(of heights: [CardID: Int]) -> Int { rows(of: heights, in: plans.present) }

  private func rows(of heights: [CardID: Int], in plan: PagePlan) -> Int {
    PageLayout(plan) { id, _ in heights[id] ?? 0 }.rows + problemLines.count
  }

  /// One card as it is drawn.
  func view(of card: Card) -> CardView {
    var look = look
    look.showsBorders = chrome.showsBorders
    let scrolled = place.zoom.flatMap { $0.card == card.id ? $0.scrollRow : nil }
    return CardView(
      card: card,
      body: glides.body(content.bodies[card.id], of: card.id),
      look: look,
      scrollRow: scrolled ?? 0,
      isShownWhole: scrolled != nil && zoomFrame != viewport,
      changedNumbers: changedNumbers.areas(of: card.id, at: look.now),
      isPulsing: glides.isPulsing(card.id)
    )
  }

  /// What follows if the form of a card is changed.
  enum NextForm {
    case more
    case less
    /// The page decides.
    case automatic
  }

  /// What follows if the form of the card with the focus is changed; nil if it has one form.
  var nextForm: NextForm? {
    guard let card = place.focus.flatMap({ card($0.card) }), card.offersExpanded else { return nil }
    guard card.displayMode == .expanded else { return .more }
    return card.chosenMode == .expanded ? .automatic : .less
  }

  /// The card called `id`.
  func card(_ id: CardID) -> Card? {
    // Without a closure, to which every card would be copied.
    for index in content.cards.indices where content.cards[index].id == id {
      return content.cards[index]
    }
    return nil
  }

  /// The frame of a card on the screen; it may be above or below the screen.
  func frameOnScreen(_ id: CardID) -> Rect? {
    if let zoom = place.zoom { return zoom.card == id ? zoomFrame : nil }
    return page.frames[id]?.offset(
      columns: viewport.minColumn,
      rows: viewport.minRow - place.scrollRow
    )
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
    if place.zoom != nil { return Set(content.cards.map(\.id).filter { areaOnScreen($0) != nil }) }
    return viewport.size.isEmpty
      ? [] : page.cards(in: place.scrollRow..<place.scrollRow + viewport.size.rows)
  }

  /// Updates the layout after a change of the size, the cards or their heights.
  ///
  /// The card with the focus, or the first visible card if that is not visible, keeps its position
  /// on the screen when cards above it change their heights, appear or disappear. The card with the
  /// focus stays visible if it was visible.
  mutating func relayout() {
    checkZoom()
    if place.zoom == nil { planPage() }
    layOut()
  }

  /// Updates the layout by the plan that was made last.
  ///
  /// Behind a card that is shown alone, the page stays as it was.
  mutating func layOut() {
    checkZoom()
    defer { ground = LayoutGround(self) }
    if place.zoom != nil { return dropLostElement() }
    let before = place.focus.flatMap { page.frames[$0.card] }
    let wasWhole = before.map { isWhole($0) } ?? false
    let anchors = anchors
    let scrolled = place.scrollRow
    placeCards()
    if scrolled > 0, let anchor = anchors.first(where: { page.frames[$0.id] != nil }),
      let after = page.frames[anchor.id]
    {
      place.scrollRow = min(max(0, scrolled + after.minRow - anchor.row), lastScrollRow)
    }
    guard let focus = place.focus, let after = page.frames[focus.card] else { return }
    if wasWhole, !isWhole(after) { revealFocus() }
  }

  /// The visible cards with their rows on the page, in the order in which they should stay.
  private var anchors: [(id: CardID, row: Int)] {
    let end = place.scrollRow + viewport.size.rows
    let visible = page.frames.filter { $0.value.maxRow > place.scrollRow && $0.value.minRow < end }
    func order(_ id: CardID, _ frame: Rect) -> (Int, Int, Int) {
      (place.focus?.card == id ? 0 : 1, max(frame.minRow, place.scrollRow), frame.minColumn)
    }
    return visible.sorted { order($0.key, $0.value) < order($1.key, $1.value) }
      .map { ($0.key, $0.value.minRow) }
  }

  /// Moves the focus from a card that is leaving to the next or the previous card.
  private mutating func passFocusOn() {
    guard let focus = place.focus?.card, card(focus)?.leaving != nil else { return }
    place.focus = neighbor(of: focus).map { PageFocus(card: $0) }
  }

  /// The card behind another one on the page, or before the last one.
  func neighbor(of id: CardID) -> CardID? {
    guard let index = content.cards.firstIndex(where: { $0.id == id }) else { return nil }
    let next =
      content.cards[(index + 1)...].first { $0.leaving == nil }
      ?? content.cards[..<index].last { $0.leaving == nil }
    return next?.id
  }

  /// Whether all rows of a frame on the page are on the screen.
  private func isWhole(_ frame: Rect) -> Bool {
    frame.minRow >= place.scrollRow && frame.maxRow <= place.scrollRow + viewport.size.rows
  }

  /// What the plan must know about the cards.
  private var items: [PagePlan.Item] {
    let widths = widths
    let border = chrome.showsBorders ? 2 : 0
    return content.cards.map {
      PagePlan.Item(
        id: $0.id,
        rows: view(of: $0).rowsAtThisMoment(width: widths[$0.id] + border),
        span: $0.span,
        hasContent: content.bodies[$0.id] != nil,
        isSettled: content.bodies[$0.id] != nil || $0.state != .starting,
        isMoving: $0.leaving != nil
          || content.bodies[$0.id].map { $0.to != nil && $0.progress < 1 } ?? false,
        isTile: columns.showsTiles && tiles.contains($0.id)
      )
    }
  }

  private mutating func placeCards() {
    let views = Dictionary(
      content.cards.map { ($0.id, view(of: $0)) },
      uniquingKeysWith: { first, _ in first }
    )
    page = PageLayout(plans.present) { id, width in views[id]?.rowsAtThisMoment(width: width) ?? 0 }
    passFocusOn()
    if let focus = place.focus, page.frames[focus.card] == nil { place.focus = nil }
    if place.focus == nil, let first = content.cards.first(where: { $0.leaving == nil }) {
      place.focus = PageFocus(card: first.id)
    }
    dropLostElement()
    place.scrollRow = min(max(0, place.scrollRow), lastScrollRow)
  }

  /// Moves the focus from an element that has gone to its card.
  private mutating func dropLostElement() {
    guard let focus = place.focus, let element = focus.element else { return }
    if element.isValid, let index = element.index(in: targets(of: focus.card)) {
      // When it goes, or gets another name, the focus is on what is in its present place.
      place.focus?.element?.index = index
    } else if !focus.isField {
      // A field keeps the focus, so that no letter that is typed for it is a command.
      place.focus?.element = nil
    }
  }
}
