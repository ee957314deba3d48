import WidgetCards
import WidgetKitCore

/// The positions of the cards of a page: each in its columns, directly below the cards above it.
///
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
    let grid = plan.grid
    var heights = Array(repeating: 0, count: grid.count)
    var columns = Array(repeating: [CardID](), count: grid.count)
    var frames: [CardID: Rect] = [:]
    for slot in plan.slots {
      let width = grid.width(column: slot.column, span: slot.span)
      let top = heights[slot.columns].max() ?? 0
      let frame = Rect(
        column: grid.start(slot.column),
        row: top,
        columns: width,
        rows: max(0, rows(slot.id, width))
      )
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
