import WidgetHost
import WidgetKitCore

/// The positions of the cards of a page: columns of equal width, each card in one of them.
///
/// A pure function of the width, the cards and their heights, used by the dashboard and by the
/// headless commands alike. Rows are counted from the top of the page, not of the screen.
nonisolated struct PageLayout: Hashable, Sendable {
  /// A card and its requirements.
  struct Item: Hashable, Sendable {
    var id: CardID
    /// The height of the whole card, borders and heading included.
    var rows: Int
    /// Whether it shows a view, or the reason why there is none.
    var isSettled: Bool
    /// Whether its height is changing.
    var isMoving = false
  }

  /// Which card lies in which column.
  struct Assignment: Hashable, Sendable {
    var columnCount: Int
    var columns: [CardID: Int]
    /// Whether all cards were settled at once; from then on no card changes its column.
    var isSettled: Bool
  }

  /// The width of every card.
  let cardWidth: Int
  /// The cards of each column from the top, columns from the left.
  let columns: [[CardID]]
  /// The frame of every card on the page.
  let frames: [CardID: Rect]
  /// The height of the whole page.
  let rows: Int
  /// The assignment for the next layout.
  let assignment: Assignment

  /// Lays out `items`, in page order, from the top: each in the column that is shortest so far.
  ///
  /// Cards stay in the columns of `previous` while no card is added, no column becomes empty and the
  /// number of columns is the same, if that layout was settled or a card is moving.
  init(
    width: Int,
    items: [Item],
    columns rule: ColumnRule = ColumnRule(),
    previous: Assignment? = nil
  ) {
    let count = rule.columnCount(width: width, cardCount: items.count)
    let cardWidth = rule.cardWidth(width: width, cardCount: items.count)
    let rest = max(0, width) - cardWidth * count
    let gap = count > 1 && rest >= count - 1 ? 1 : 0
    let kept: Assignment? =
      if let previous, previous.isSettled || items.contains(where: \.isMoving),
        previous.columnCount == count,
        items.allSatisfy({ previous.columns[$0.id] != nil }),
        Set(items.compactMap { previous.columns[$0.id] }).count == count
      {
        previous
      } else {
        nil
      }

    var heights = Array(repeating: 0, count: count)
    var columns = Array(repeating: [CardID](), count: count)
    var frames: [CardID: Rect] = [:]
    var places: [CardID: Int] = [:]
    for item in items {
      let shortest = heights.indices.min { heights[$0] < heights[$1] } ?? 0
      let column = kept?.columns[item.id] ?? shortest
      frames[item.id] = Rect(
        column: column * (cardWidth + gap),
        row: heights[column],
        columns: cardWidth,
        rows: item.rows
      )
      heights[column] += item.rows
      columns[column].append(item.id)
      places[item.id] = column
    }
    self.cardWidth = cardWidth
    self.columns = columns
    self.frames = frames
    rows = heights.max() ?? 0
    assignment = Assignment(
      columnCount: count,
      columns: places,
      isSettled: kept?.isSettled ?? false
        || !items.isEmpty && items.allSatisfy(\.isSettled)
    )
  }
}
