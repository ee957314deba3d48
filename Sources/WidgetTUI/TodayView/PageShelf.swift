/// Columns that are filled with cards from the top.
nonisolated struct PageShelf {
  private(set) var heights: [Int]
  private(set) var slots: [PagePlan.Slot] = []

  /// The height of the whole page.
  var rows: Int { heights.max() ?? 0 }

  init(columnCount: Int) {
    heights = Array(repeating: 0, count: max(1, columnCount))
  }

  /// Distributes cards over at most `columnCount` columns, and leaves out those that none needs.
  static func filled(with items: [PagePlan.Item], columnCount: Int) -> PageShelf {
    var count = columnCount
    while true {
      var shelf = PageShelf(columnCount: count)
      shelf.place(items)
      let used = Set(shelf.slots.flatMap(\.columns)).count
      guard used < count, used > 0 else { return shelf }
      count = used
    }
  }

  /// Places cards in page order.
  private mutating func place(_ items: [PagePlan.Item]) {
    var isPlaced = Array(repeating: false, count: items.count)
    for index in items.indices where !isPlaced[index] {
      place(index, of: items, within: heights.indices, &isPlaced)
    }
  }

  /// Places a card where it lies highest within a range of columns.
  ///
  /// If it spans several and leaves cells empty above it, the first of the following cards that fits
  /// there goes there before it.
  private mutating func place(
    _ index: Int,
    of items: [PagePlan.Item],
    within range: Range<Int>,
    _ isPlaced: inout [Bool]
  ) {
    isPlaced[index] = true
    let columns = columns(for: items[index], within: range)
    while columns.count > 1 {
      let top = bottom(of: columns)
      let next = items.indices.dropFirst(index + 1).first {
        !isPlaced[$0] && fits(items[$0], in: columns, above: top)
      }
      guard let next else { break }
      place(next, of: items, within: columns, &isPlaced)
    }
    place(items[index], in: columns)
  }

  /// Places a card where it lies highest.
  mutating func place(_ item: PagePlan.Item) {
    place(item, in: columns(for: item, within: heights.indices))
  }

  /// Leaves a card in its columns, below those that are in them or beside the others of its row.
  mutating func keep(_ slot: PagePlan.Slot, rows: Int) {
    let end = bottom(of: slot.columns) + (slot.isBesideOthers ? 0 : max(0, rows))
    slots.append(slot)
    for column in slot.columns { heights[column] = max(heights[column], end) }
  }

  /// Places a card below those that are in its columns.
  mutating func place(_ item: PagePlan.Item, in columns: Range<Int>) {
    slots.append(PagePlan.Slot(id: item.id, column: columns.lowerBound, span: columns.count))
    let end = bottom(of: columns) + max(0, item.rows)
    for column in columns { heights[column] = end }
  }

  /// Whether a narrower card fits above a row in some of the columns.
  private func fits(_ item: PagePlan.Item, in columns: Range<Int>, above row: Int) -> Bool {
    guard item.span < columns.count, item.rows > 0 else { return false }
    return bottom(of: self.columns(for: item, within: columns)) + item.rows <= row
  }

  /// The columns in which a card lies highest; of several, those that leave the fewest cells empty
  /// above it, and then the first.
  private func columns(for item: PagePlan.Item, within range: Range<Int>) -> Range<Int> {
    let span = min(max(1, item.span), range.count)
    var best = range.lowerBound..<range.lowerBound + span
    var least = (Int.max, Int.max)
    for start in range.lowerBound...range.upperBound - span {
      let columns = start..<start + span
      let top = bottom(of: columns)
      let cost = (top, columns.reduce(0) { $0 + top - heights[$1] })
      if cost < least { (best, least) = (columns, cost) }
    }
    return best
  }

  /// The first row below everything in some columns.
  private func bottom(of columns: Range<Int>) -> Int { heights[columns].max() ?? 0 }
}
