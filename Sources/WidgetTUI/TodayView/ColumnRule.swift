import WidgetPages

/// How many columns a page has.
nonisolated struct ColumnRule: Hashable, Sendable {
  /// The minimum width of a column, in cells, unless the page is narrower; at least 1.
  var minimum: Int
  /// The width of a column that is best to read, in cells; at least 1.
  var preferred: Int
  /// The largest number of columns; at least 1.
  var limit: Int
  /// Whether cards of one or two lines stand side by side.
  var showsTiles: Bool

  /// The rule that the user set.
  init(_ settings: ScreenSettings = ScreenSettings()) {
    minimum = settings.columnMinimum
    preferred = settings.columnPreferred
    limit = settings.columnLimit
    showsTiles = settings.tiles
  }

  /// The number of columns of a page: the one whose width is nearest to the preferred width, and not
  /// below the minimum; of two, the smaller one.
  ///
  /// - Parameters:
  ///   - width: The width of the page.
  ///   - cardCount: The number of cards, one that spans columns counted for each of them. There are
  ///     never more columns than that.
  /// - Returns: At least 1.
  func columnCount(width: Int, cardCount: Int) -> Int {
    let most = max(1, min(width / minimum, cardCount, limit))
    // With one column more, each is narrower: beyond the preferred width only the first one counts.
    let enough = max(1, width / preferred)
    guard enough < most else { return most }
    // Distances from the preferred width, both multiplied by the two numbers of columns.
    let wider = (width - preferred * enough) * (enough + 1)
    let narrower = (preferred * (enough + 1) - width) * enough
    return wider <= narrower ? enough : enough + 1
  }
}

/// The columns of a page: next to each other, from edge to edge.
nonisolated struct ColumnGrid: Hashable, Sendable {
  /// The width of the page.
  let width: Int
  /// The number of columns; at least 1.
  let count: Int

  init(width: Int, count: Int) {
    self.width = max(0, width)
    self.count = max(1, count)
  }

  /// Where a column begins; the number of columns stands for the right edge of the page.
  ///
  /// If the width cannot be divided, the columns on the left are one cell wider.
  func start(_ column: Int) -> Int { column * (width / count) + min(column, width % count) }

  /// The width of the cards that begin in a column.
  func width(column: Int, span: Int) -> Int { start(column + span) - start(column) }
}
