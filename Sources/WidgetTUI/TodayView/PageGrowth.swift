import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// Which cards a page expands by itself, because it has rows left.
///
/// Cards that offer more, and of which the user has chosen no form, are expanded in page order, as many as fit as a
/// whole. How high they are then is known from their last expanded form; a widget that was never asked is, and its card
/// stays compact until it has answered.
///
/// That is decided when the page is shown, and when it has another size or other cards: for a moment, in which
/// contents come. Later a change of a content expands no card and makes none compact, so that nothing moves while
/// the user reads; only a card whose first content was late is decided once.
nonisolated struct PageGrowth: Equatable, Sendable {
  /// What is decided for each card of the pages; a card that is missing is compact.
  private(set) var forms: [CardID: CardGrowth] = [:]
  /// What the present decision was made for.
  private var ground: Ground?
  /// When the present decision is final.
  private var end = ContinuousClock.now
  /// Whether the present decision is the first one of the page at this size.
  private var isFirst = true
  /// The cards of which it is not known yet how high they are, and those that were left to the page again.
  private var undecided: Set<CardID> = []
  /// The cards of which the user has chosen a form.
  private var chosen: Set<CardID> = []

  /// What a decision holds for.
  struct Ground: Equatable, Sendable {
    var page: PageName
    var size: Size
    /// The cards in page order.
    var cards: [CardID]
  }

  /// A card on the page.
  struct Item: Equatable, Sendable {
    var id: CardID
    /// The height of the whole card as it is, with everything that it has around its body.
    var rows: Int
    /// The height of what it has around its body.
    var frameRows: Int
    /// Whether the page may expand it; nil if not.
    var expansion: CardExpansion?
    /// Whether it has content.
    var hasContent: Bool
    /// The form that the user has chosen.
    var choice: DisplayMode?
  }

  /// How long decisions follow contents that come.
  static let openTime: Duration = .seconds(3)

  /// Whether the first contents of the page come; not after a card was added or removed.
  func isSettling(at now: ContinuousClock.Instant) -> Bool { isFirst && isOpen(at: now) }

  /// Whether decisions follow contents that come, or one is still to be made.
  private func isOpen(at now: ContinuousClock.Instant) -> Bool {
    now < end || !undecided.isEmpty
  }

  /// Decides again, if something has changed on which it depends.
  ///
  /// - Parameters:
  ///   - items: The cards in page order.
  ///   - ground: The page, its size, and its cards.
  ///   - room: The rows for cards.
  ///   - now: The present time.
  ///   - pageRows: The height of the page for the heights of its cards.
  mutating func decide(
    _ items: [Item],
    on ground: Ground,
    room: Int,
    at now: ContinuousClock.Instant,
    pageRows: ([CardID: Int]) -> Int
  ) {
    for item in items { note(item) }
    var kept: Set<CardID> = []
    if ground != self.ground {
      let isSamePage = ground.page == self.ground?.page && ground.size == self.ground?.size
      isFirst = !isSamePage || isSettling(at: now)
      self.ground = ground
      end = now + Self.openTime
      undecided = Set(ground.cards)
    } else {
      kept = Set(items.map(\.id).filter { forms[$0] == .grown })
    }
    let isOpen = now < end
    for item in items where item.expansion == nil {
      if forms[item.id] == .asked { forms[item.id] = nil }
      if !isOpen, item.hasContent { undecided.remove(item.id) }
    }
    let candidates = items.filter { $0.expansion != nil && (isOpen || undecided.contains($0.id)) }
    guard !candidates.isEmpty else { return }
    var heights = Dictionary(
      items.map { ($0.id, $0.rows) },
      uniquingKeysWith: { first, _ in first }
    )
    for item in candidates { heights[item.id] = item.compactRows }
    let before = forms
    for item in candidates { forms[item.id] = nil }
    defer { undecided.subtract(candidates.filter { $0.expansion?.rows != nil }.map(\.id)) }
    guard pageRows(heights) <= room else { return }
    func fits(_ id: CardID, _ rows: Int) -> Bool {
      let rowsBefore = heights.updateValue(rows, forKey: id)
      if pageRows(heights) <= room { return true }
      heights[id] = rowsBefore
      return false
    }
    // What is expanded stays so while it fits.
    for item in candidates where kept.contains(item.id) {
      if fits(item.id, item.expandedRows ?? item.rows) { forms[item.id] = .grown }
    }
    var waits = false
    for item in candidates where !kept.contains(item.id) {
      if let rows = item.expandedRows {
        if waits {
          forms[item.id] = before[item.id]
        } else if fits(item.id, rows) {
          forms[item.id] = .grown
        }
      } else if item.expansion?.canBeAsked == true,
        pageRows(heights) < room || before[item.id] == .asked
      {
        forms[item.id] = .asked
        // Those below do not take its room, which would move the page once more.
        waits = true
      }
    }
  }

  /// Follows what the user chooses.
  ///
  /// A card that is left to the page again is decided then, and stays expanded if it is and fits.
  private mutating func note(_ item: Item) {
    if let choice = item.choice {
      chosen.insert(item.id)
      forms[item.id] = choice == .expanded ? .grown : nil
    } else if chosen.remove(item.id) != nil {
      undecided.insert(item.id)
    }
  }
}

nonisolated extension PageGrowth.Item {
  /// A card as it is drawn: `rows` is its present height, and `asks` whether its widget can be asked for another.
  init(_ view: CardView, rows: Int, asks: Bool = true) {
    let card = view.card
    let frameRows = card.marginInsets.rows + (view.look.showsBorders ? 2 : 1)
    self.init(
      id: card.id,
      rows: rows,
      frameRows: frameRows,
      expansion: card.expansion,
      hasContent: view.body != nil,
      choice: card.offersExpanded ? card.chosenMode : nil
    )
    if view.body != nil {
      // Where it will be if it moves.
      self.rows = card.bodySize.rows + frameRows
    } else if card.state == .starting {
      // Its content is about to come, and will have at least the room of a compact card.
      self.rows = max(card.bodySize.rows, CardGrowth.compactRows) + frameRows
    }
    if !asks { expansion?.canBeAsked = false }
  }

  /// The height of the whole card when it is compact.
  var compactRows: Int { CardGrowth.compactRows + frameRows }
  /// The height of the whole card when it is expanded, as far as it is known.
  var expandedRows: Int? { expansion?.rows.map { $0 + frameRows } }
}

nonisolated extension TodayModel {
  /// Distributes the cards over the page, decides which of them are tiles and which are expanded; with `isSecond` after
  /// they have been laid out by the first decision.
  mutating func arrange(isSecond: Bool = false, at now: ContinuousClock.Instant) {
    decideTiles()
    let isSettling = growth.isSettling(at: now)
    planPage(isSecond: isSecond, isSettling: isSettling)
    // Columns that are balanced for the cards that grow may have room for others.
    if planPage(expecting: growCards(at: now), isSettling: isSettling) { growCards(at: now) }
  }

  /// Decides which cards are tiles, unless one is alone on the screen, or they are looked for, edited or locked.
  mutating func decideTiles() {
    guard place.zoom == nil, place.filter == nil, editing == nil, !content.isLocked,
      columns.showsTiles
    else { return }
    let cards = content.cards.filter { $0.leaving == nil }
    let ground = PageTiles.Ground(
      page: tabs.shown,
      columns: size.columns,
      cards: cards.map(\.id)
    )
    tiles.decide(cards, content.bodies, on: ground)
  }

  /// Decides which cards the page expands by itself.
  ///
  /// Behind a card that is alone, while cards are looked for, and while the page is edited or locked, all stay as
  /// they are.
  ///
  /// - Returns: The heights that those will have.
  @discardableResult
  mutating func growCards(at now: ContinuousClock.Instant) -> [CardID: Int] {
    guard place.zoom == nil, place.filter == nil, editing == nil, !content.isLocked else {
      return [:]
    }
    let cards = content.cards.filter { $0.leaving == nil }
    guard !cards.isEmpty else { return [:] }
    let (widths, border) = (widths, chrome.showsBorders ? 2 : 0)
    let items = cards.map { card in
      let view = view(of: card)
      return PageGrowth.Item(view, rows: view.rows(width: widths[card.id] + border))
    }
    let ground = PageGrowth.Ground(page: tabs.shown, size: size, cards: cards.map(\.id))
    var decided = growth
    decided.decide(items, on: ground, room: viewport.size.rows, at: now) { rows(of: $0) }
    growth = decided
    let grown = items.filter { growth.forms[$0.id] == .grown }
    return Dictionary(
      grown.compactMap { item in item.expandedRows.map { (item.id, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
