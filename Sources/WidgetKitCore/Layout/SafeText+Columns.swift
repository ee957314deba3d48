extension SafeText {
  /// The cells that the longest of its lines takes.
  public var columns: Int {
    TextFlow(self).idealColumns
  }

  /// Returns the text in one line of at most `columns` cells, cut with `…` where it is longer.
  ///
  /// No character is cut in the middle: a wide one that has no room leaves a cell free.
  ///
  /// - Parameters:
  ///   - columns: how many cells there are; with none the text is empty.
  ///   - truncation: which part is omitted.
  /// - Returns: the text, one line of it.
  public func truncated(to columns: Int, _ truncation: Truncation = .tail) -> SafeText {
    let flow = TextFlow(self)
    let lines = flow.lines(width: columns, limit: 1, truncation: truncation)
    return SafeText(lines.first.map { flow.string($0) } ?? "")
  }

  /// Returns the lines of the text wrapped at word boundaries, none longer than `columns` cells.
  ///
  /// A word longer than a line is broken by cells; with no columns there are no lines.
  public func wrapped(to columns: Int) -> [SafeText] {
    let flow = TextFlow(self)
    return flow.lines(width: columns).map { SafeText(flow.string($0)) }
  }
}
