import WidgetKitCore

/// A view that has the whole screen: lists show all of their rows, and charts take the height that is left.
nonisolated enum ZoomedView {
  /// How often charts are raised: of charts that are beside each other, one round leaves rows to the next.
  private static let rounds = 6
  /// The lowest sparkline that is a chart and not a part of a line.
  private static let leastChartRows = 2

  /// Returns a view as it is shown on a screen.
  ///
  /// - Parameters:
  ///   - view: The view of the widget.
  ///   - rows: The rows that the screen has for the view.
  ///   - measure: The height of a view.
  /// - Returns: The view, which is no higher than the screen unless its widget's is.
  static func fill(_ view: ViewNode, rows: Int, measure: (ViewNode) -> Int) -> ViewNode {
    var filled = opening(view)
    let count = chartCount(in: filled)
    guard count > 0 else { return filled }
    for _ in 0..<rounds {
      let share = (rows - measure(filled)) / count
      guard share > 0 else { break }
      let higher = raising(filled, by: share)
      guard measure(higher) <= rows else { break }
      filled = higher
    }
    return filled
  }

  /// Shows all rows of all lists.
  private static func opening(_ view: ViewNode) -> ViewNode {
    var node = view
    if case .list(var list) = view.content {
      list.minimumVisibleRowCount = 0
      node.content = .list(list)
    } else {
      node.content.changeChildren { $0 = opening($0) }
    }
    return node
  }

  /// Gives each chart more rows; those in rows of lists keep theirs.
  private static func raising(_ view: ViewNode, by rows: Int) -> ViewNode {
    var node = view
    switch view.content {
    case .chart(var chart):
      chart.height += rows
      node.content = .chart(chart)
    case .sparkline(var sparkline) where sparkline.height >= leastChartRows:
      sparkline.height += rows
      node.content = .sparkline(sparkline)
    case .list: break
    default: node.content.changeChildren { $0 = raising($0, by: rows) }
    }
    return node
  }

  private static func chartCount(in view: ViewNode) -> Int {
    switch view.content {
    case .chart: 1
    case .sparkline(let sparkline): sparkline.height >= leastChartRows ? 1 : 0
    case .list: 0
    default: view.children.reduce(0) { $0 + chartCount(in: $1) }
    }
  }
}
