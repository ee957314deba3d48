extension ViewBudget {
  /// Counts what is in a view that was not decoded.
  ///
  /// - Throws: ``ViewLimitError`` at the first exceeded limit.
  package func check(_ view: ViewNode) throws(ViewLimitError) {
    defer { leave() }
    try enter()
    switch view.content {
    case .text(let text):
      for span in text.spans {
        if text.spans.count > 1 { try countSpan() }
        try check(textBytes: span.text.string.utf8.count)
      }
    case .ansi(let text):
      let counts = text.spans.lazy.map {
        SGR.sequence(for: $0.style).utf8.count + $0.text.string.utf8.count
      }
      try check(textBytes: counts.reduce(0, +))
    case .grid(let grid):
      try check(gridColumns: max(grid.columns.count, grid.rows.map(\.count).max() ?? 0))
      try check(gridRows: grid.rows.count)
    default: break
    }
    for child in view.children { try check(child) }
  }
}
