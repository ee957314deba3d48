extension SafeText {
  /// The width in cells of the longest line.
  public var columns: Int {
    TextFlow(self).idealColumns
  }

  /// Returns the text in one line of at most `columns` cells, cut with `…` if it is longer.
  ///
  /// A wide character is never cut in the middle: if it does not fit, a cell stays free.
  ///
  /// - Parameters:
  ///   - columns: The number of cells; with 0, the text is empty.
  ///   - truncation: Which part is omitted.
  /// - Returns: The text in one line.
  public func truncated(to columns: Int, _ truncation: Truncation = .tail) -> SafeText {
    let flow = TextFlow(self)
    let lines = flow.lines(width: columns, limit: 1, truncation: truncation)
    return SafeText(lines.first.map { flow.string($0) } ?? "")
  }

  /// Returns the lines of the text wrapped at word boundaries, none longer than `columns` cells.
  ///
  /// A word longer than a line is broken; if `columns` is 0, there are no lines.
  public func wrapped(to columns: Int) -> [SafeText] {
    let flow = TextFlow(self)
    return flow.lines(width: columns).map { SafeText(flow.string($0)) }
  }
}
