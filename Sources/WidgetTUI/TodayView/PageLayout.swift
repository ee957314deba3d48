import WidgetCards
import WidgetKitCore

/// The positions of the cards of a page: each in its columns, directly below the cards above it.
///
/// Tiles that are beside each other begin in the same row and are equally high.
/// A pure function of the plan and the heights of the cards, used by the dashboard and by the headless
/// commands alike. Rows are counted from the top of the page, not of the screen.
nonisolated struct PageLayout: Hashable, Sendable {
  /// The cards of each column from the top, columns from the left; a card that spans columns is in
  /// each of them.
  let columns: [[CardID]]
  /// The frame of every card on the page.
  let frames: [CardID: Rect]
  /// The height of the whole page.
  let rows: Int

  /// Stacks the cards of a plan; `rows` returns the height of a card at a width.
  init(_ plan: PagePlan, rows: (_ id: CardID, _ width: Int) -> Int) {
    var heights = Array(repeating: 0, count: plan.grid.count)
    var columns = Array(repeating: [CardID](), count: plan.grid.count)
    var frames: [CardID: Rect] = [:]
    for (index, slot) in plan.slots.enumerated() {
      let place = plan.columns(of: slot)
      var height = max(0, rows(slot.id, place.count))
      var top = heights[slot.columns].max() ?? 0
      if let tile = slot.tile {
        let first = index - tile.index
        let others = plan.slots[first..<min(first + tile.count, plan.slots.count)]
        height = others.reduce(height) { max($0, rows($1.id, plan.columns(of: $1).count)) }
        // The first one has set where the row ends.
        if tile.index > 0 { top -= height }
      }
      let frame = Rect(column: place.lowerBound, row: top, columns: place.count, rows: height)
      frames[slot.id] = frame
      for column in slot.columns {
        heights[column] = frame.maxRow
        columns[column].append(slot.id)
      }
    }
    self.columns = columns
    self.frames = frames
    self.rows = heights.max() ?? 0
  }

  /// The cards of which a row lies in a range of rows.
  func cards(in rows: Range<Int>) -> Set<CardID> {
    var found: Set<CardID> = []
    for column in columns {
      var (start, end) = (0, column.count)
      // The first card that does not end above.
      while start < end {
        let middle = (start + end) / 2
        if (frames[column[middle]]?.maxRow ?? 0) > rows.lowerBound {
          end = middle
        } else {
          start = middle + 1
        }
      }
      for id in column[start...] {
        guard let frame = frames[id], frame.minRow < rows.upperBound else { break }
        if !frame.size.isEmpty { found.insert(id) }
      }
    }
    return found
  }
}
