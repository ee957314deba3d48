import WidgetCards
import WidgetPages
import WidgetPlatform

/// Which card lies in which columns of a page, and which cards lie above it.
///
/// It says nothing about rows: ``PageLayout`` stacks the cards. A page keeps its plan while cards
/// change their heights, so that no card jumps from one column to another.
nonisolated struct PagePlan: Hashable, Sendable {
  /// A card and its requirements.
  struct Item: Hashable, Sendable {
    var id: CardID
    /// The height of the whole card, borders and heading included.
    var rows: Int
    /// The number of columns that it asks for; more than the page has stand for all of them.
    var span = 1
    /// Whether it shows a view.
    var hasContent = true
    /// Whether it shows a view, or the reason why there is none.
    var isSettled = true
    /// Whether its height is changing.
    var isMoving = false
    /// Whether it stands beside its neighbours if these do too.
    var isTile = false
  }

  /// The place of a card in a row of cards that share the columns of a slot.
  struct Tile: Hashable, Sendable {
    var index: Int
    /// How many cards are in the row.
    var count: Int
  }

  /// The columns of one card.
  struct Slot: Hashable, Sendable {
    var id: CardID
    var column: Int
    var span: Int
    /// Its place beside others in these columns; nil if it has them for itself.
    var tile: Tile?

    var columns: Range<Int> { column..<column + span }

    /// Whether it is in a row of tiles, and not its first card.
    var isBesideOthers: Bool { (tile?.index ?? 0) > 0 }

    /// Whether it is in the row of tiles of another one, behind it.
    func follows(_ other: Slot) -> Bool {
      guard let tile, let before = other.tile else { return false }
      return columns == other.columns && tile.index > before.index
    }
  }

  /// The columns of the page.
  let grid: ColumnGrid
  /// The cards, each after those that lie above it.
  private(set) var slots: [Slot]
  /// The number of columns before those that no card needs were left out.
  private let ruledCount: Int
  /// The page order.
  private let order: [CardID]
  /// The number of columns that each card asks for.
  private let spans: [CardID: Int]
  /// The cards that stand beside their neighbours if these do too.
  private let tiles: Set<CardID>
  /// Whether all cards were distributed now, and none has stayed in the columns of an earlier plan.
  let isFresh: Bool
  /// Whether a card has content, so that from now on no card changes its columns.
  private let isFixed: Bool

  /// Plans a page.
  ///
  /// Each card goes, in page order, to the columns where it lies highest. Cards stay in the columns of
  /// `previous` if that is fixed or a card is moving, unless the page has another number of columns or
  /// another order, a card another span, or no card would be left in a column. A tile that has become
  /// an ordinary card is below the others of its row, and a card that is a tile now joins those beside it if no other
  /// card changes its columns by that; while the first contents come, all cards are distributed again.
  ///
  /// - Parameters:
  ///   - width: The columns of the screen.
  ///   - items: The cards in page order.
  ///   - rule: How many columns a page has.
  ///   - previous: The plan that the cards are placed by; nil for a new page.
  ///   - isSettling: Whether the first contents of the page come.
  init(
    width: Int,
    items: [Item],
    columns rule: ColumnRule,
    previous: PagePlan? = nil,
    isSettling: Bool = false
  ) {
    let total = items.reduce(0) { $0 + min(max(1, $1.span), rule.limit) }
    let count = rule.columnCount(width: width, cardCount: total)
    let spans = Dictionary(
      items.map { ($0.id, max(1, $0.span)) },
      uniquingKeysWith: { first, _ in first }
    )
    let tiles = Set(items.filter(\.isTile).map(\.id))
    let fresh = { Self.distribute(items, over: ColumnGrid(width: width, count: count)) }
    if let previous, previous.isFixed || items.contains(where: \.isMoving),
      previous.ruledCount == count,
      !isSettling || previous.hasRows(like: items, tiles: tiles),
      let slots = previous.slots(for: items, spans: spans, tiles: tiles)
    {
      let new = tiles.subtracting(previous.tiles)
      let joined = new.isEmpty ? nil : fresh()
      if let joined, previous.places(joined.slots, likeAllBut: new) {
        (self.slots, grid, isFresh) = (joined.slots, joined.grid, true)
      } else {
        self.slots = slots
        grid = ColumnGrid(width: width, count: previous.grid.count)
        isFresh = false
      }
    } else {
      (slots, grid) = fresh()
      isFresh = true
    }
    self.tiles = tiles
    ruledCount = count
    order = items.map(\.id)
    self.spans = spans
    isFixed = items.contains(where: \.hasContent) || items.allSatisfy(\.isSettled)
  }

  /// Distributes all cards anew, over at most the columns of a grid.
  private static func distribute(
    _ items: [Item],
    over ruled: ColumnGrid
  ) -> (slots: [Slot], grid: ColumnGrid) {
    let strips = PageStrip.divide(items, grid: ruled)
    let shelf = PageShelf.filled(with: strips.map { $0.item(on: ruled) }, columnCount: ruled.count)
    let grid = ColumnGrid(width: ruled.width, count: shelf.heights.count)
    let byFirst = Dictionary(
      strips.map { ($0.items[0].id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return (shelf.slots.flatMap { byFirst[$0.id]?.slots(in: $0, on: grid) ?? [] }, grid)
  }

  /// Whether other slots have all cards of this plan but some in the columns where they are.
  private func places(_ others: [Slot], likeAllBut excepted: Set<CardID>) -> Bool {
    let columns = Dictionary(
      others.map { ($0.id, $0.columns) },
      uniquingKeysWith: { first, _ in first }
    )
    return slots.allSatisfy { slot in
      excepted.contains(slot.id) || columns[slot.id] == nil || columns[slot.id] == slot.columns
    }
  }

  /// An empty page.
  init() {
    self.init(width: 0, items: [], columns: ColumnRule())
  }

  /// The width between the borders of every card.
  func widths(showsBorders: Bool) -> CardWidths {
    let border = showsBorders ? 2 : 0
    var widths = CardWidths(max(0, grid.width / grid.count - border))
    for slot in slots { widths[slot.id] = max(0, columns(of: slot).count - border) }
    return widths
  }

  /// The columns of cells of a card with its borders.
  func columns(of slot: Slot) -> Range<Int> {
    let start = grid.start(slot.column)
    let width = grid.width(column: slot.column, span: slot.span)
    guard let tile = slot.tile else { return start..<start + width }
    let row = ColumnGrid(width: width, count: tile.count)
    return start + row.start(tile.index)..<start + row.start(tile.index + 1)
  }

  /// The width of a card with its borders.
  func width(of id: CardID) -> Int {
    slots.first { $0.id == id }.map { columns(of: $0).count } ?? grid.width
  }

  /// Whether no row of tiles is another one with these cards.
  private func hasRows(like items: [Item], tiles: Set<CardID>) -> Bool {
    guard slots.contains(where: { $0.tile != nil }) || !tiles.isEmpty else { return true }
    return self.tiles == tiles && order == items.map(\.id)
  }

  /// The slots with the cards that are left in their columns, and new cards where they lie highest;
  /// nil if all cards must be distributed again.
  private func slots(
    for items: [Item],
    spans: [CardID: Int],
    tiles: Set<CardID>
  ) -> [Slot]? {
    let places = Dictionary(
      items.enumerated().map { ($1.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let kept = regrouped(slots.filter { places[$0.id] != nil }, tiles: tiles)
    let known = Set(kept.map(\.id))
    guard kept.allSatisfy({ self.spans[$0.id] == spans[$0.id] }),
      order.filter({ known.contains($0) }) == items.map(\.id).filter({ known.contains($0) }),
      Set(kept.flatMap(\.columns)).count == grid.count
    else { return nil }
    guard kept.count < items.count else { return isWorthKeeping(kept, items) ? kept : nil }
    var shelf = PageShelf(columnCount: grid.count)
    var added = items.filter { !known.contains($0.id) }[...]
    for slot in kept {
      let place = places[slot.id] ?? 0
      // A new card lies above the cards that follow it on the page, but not within a row of tiles.
      while !slot.isBesideOthers, let item = added.first, let own = places[item.id], own < place {
        shelf.place(item)
        added.removeFirst()
      }
      shelf.keep(slot, rows: items[place].rows)
    }
    for item in added { shelf.place(item) }
    return isWorthKeeping(shelf.slots, items) ? shelf.slots : nil
  }

  /// The slots without rows of tiles of which cards have gone or are ordinary cards now: those that are left share the
  /// row, and each of the others is below it in the column where it was.
  private func regrouped(_ slots: [Slot], tiles: Set<CardID>) -> [Slot] {
    var result: [Slot] = []
    var (row, left): ([Slot], [Slot]) = ([], [])
    func alone(_ slot: Slot) -> Slot {
      guard let tile = slot.tile else { return slot }
      var slot = slot
      slot.column += tile.index * slot.span / tile.count
      slot.span = min(spans[slot.id] ?? 1, grid.count)
      slot.tile = nil
      return slot
    }
    func endRow() {
      if row.count == 1 { left.insert(row.removeFirst(), at: 0) }
      for (index, slot) in row.enumerated() {
        var slot = slot
        slot.tile = Tile(index: index, count: row.count)
        result.append(slot)
      }
      result += left.map(alone)
      (row, left) = ([], [])
    }
    for (index, slot) in slots.enumerated() {
      if index == 0 || !slot.follows(slots[index - 1]) { endRow() }
      if slot.tile == nil || tiles.contains(slot.id) { row.append(slot) } else { left.append(slot) }
      if slot.tile == nil { endRow() }
    }
    endRow()
    return result
  }

  /// Whether cards may stay in their columns after others have gone: not if a column has only cards that reach
  /// into it from others although there are others to fill it, or if the page has become much longer than it
  /// would be.
  private func isWorthKeeping(_ kept: [Slot], _ items: [Item]) -> Bool {
    guard slots.contains(where: { slot in !kept.contains { $0.id == slot.id } }) else {
      return true
    }
    let narrow = kept.filter { $0.span < grid.count }
    let needed = min(grid.count, narrow.reduce(0) { $0 + $1.span })
    guard Set(narrow.flatMap(\.columns)).isSuperset(of: 0..<needed) else { return false }
    let rows = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var shelf = PageShelf(columnCount: grid.count)
    for slot in kept { if let item = rows[slot.id] { shelf.keep(slot, rows: item.rows) } }
    let fresh = PageShelf.filled(with: items, columnCount: grid.count)
    return shelf.rows <= fresh.rows + max(Self.longerRows, fresh.rows / 4)
  }

  /// How many rows a page may be longer than it would be, at least.
  private static let longerRows = 12
}
