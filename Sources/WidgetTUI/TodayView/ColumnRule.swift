import WidgetHost

/// How many columns a page has.
nonisolated struct ColumnRule: Hashable, Sendable {
  /// The minimum width of a column, in cells, unless the page is narrower; at least 1.
  var minimumWidth: Int
  /// The largest number of columns; at least 1.
  var limit: Int

  /// The rule that the user set; by default one column for each 40 cells.
  init(_ settings: ScreenSettings = ScreenSettings()) {
    minimumWidth = settings.columnWidth
    limit = settings.columnLimit
  }

  /// The number of columns of a page, at most one for each card and at least one.
  func columnCount(width: Int, cardCount: Int) -> Int {
    max(1, min(width / minimumWidth, cardCount, limit))
  }

  /// The width of every card; the remaining cells are between the columns.
  func cardWidth(width: Int, cardCount: Int) -> Int {
    max(0, width) / columnCount(width: width, cardCount: cardCount)
  }
}
