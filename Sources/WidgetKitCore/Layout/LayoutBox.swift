/// A node during one layout pass: its requirements are known, its position is not yet.
///
/// This is a class because the pass stores its results in it: each box is measured at only one width,
/// so that a pass is linear however deeply stacks are nested.
final class LayoutBox {
  /// The container of a box, which decides how a divider and a spacer behave.
  enum Container {
    case root
    case column
    case row
    case layers
    case grid
  }

  /// The content to draw, with the boxes inside it.
  enum Kind {
    case text(TextFlow, styles: [CellStyle], TextContent)
    case ansi(TextFlow, styles: [CellStyle])
    case column([LayoutBox], spacing: Int, Alignment)
    case row([LayoutBox], spacing: Int, Alignment)
    case layers([LayoutBox], Alignment)
    case grid(GridBoxes)
    case spacer(minLength: Int)
    case divider
    case gauge(GaugeFigure)
    case sparkline(SparklineContent)
    case chart(ChartFigure)
    case picture(LayoutBox?, rows: Int?)
    case control(LayoutBox, mark: [Glyph], end: [Glyph])
    case empty
  }

  let node: ViewNode
  let kind: Kind
  let container: Container
  /// The style of the node's content, including everything inherited.
  let style: CellStyle
  let padding: EdgeInsets
  let frame: FrameBounds
  /// Whether its content is redacted.
  let isRedacted: Bool
  /// When a date in it changes its text.
  let nextChange: SecondsOfChange?

  /// Columns that show everything in the smallest number of rows.
  private(set) var idealColumns = 0
  /// The minimum number of columns.
  private(set) var minColumns = 0
  /// Columns below which it shows nothing, not even a part; 0 if it never shows anything.
  private(set) var leastColumns = 0
  /// Whether it takes all the columns it can get, up to `maxColumns`.
  private(set) var growsColumns = false
  private(set) var maxColumns = Size.limit.upperBound
  /// Whether it takes remaining rows, up to `maxRows`.
  private(set) var growsRows = false
  private(set) var maxRows = Size.limit.upperBound

  /// The last result of `measure(_:)`, and its width.
  var measured: (width: Int, size: Size)?
  /// The columns that each child of a row, or each column of a grid, got at that width.
  var slots: [Int] = []
  /// The lines of a text at that width.
  var lines: [TextLine] = []
  /// The rows of each row of a grid.
  var rowHeights: [Int] = []

  init(
    node: ViewNode,
    kind: Kind,
    container: Container,
    style: CellStyle,
    isRedacted: Bool,
    nextChange: SecondsOfChange? = nil
  ) {
    self.node = node
    self.kind = kind
    self.container = container
    self.style = style
    self.isRedacted = isRedacted
    self.nextChange = nextChange
    padding = node.padding.bounded
    frame = node.frame.bounded
    findWishes()
  }

  /// Computes the requirements of the box from those of its content, its padding and its frame.
  private func findWishes() {
    let wish = contentWish
    minColumns = wish.minimum + padding.columns
    idealColumns = max(wish.ideal, wish.minimum) + padding.columns
    growsColumns = wish.grows
    growsRows = wish.growsRows
    if let width = frame.width {
      minColumns = width
      idealColumns = width
      maxColumns = width
      growsColumns = false
    } else {
      if let least = frame.minWidth {
        minColumns = max(minColumns, least)
        idealColumns = max(idealColumns, least)
      }
      if let most = frame.maxWidth {
        maxColumns = most
        minColumns = min(minColumns, most)
        idealColumns = min(idealColumns, most)
        growsColumns = true
      }
    }
    if frame.height != nil {
      growsRows = false
    } else if let most = frame.maxHeight {
      growsRows = true
      maxRows = most
    }
    let limit = Size.limit.upperBound
    minColumns = min(minColumns, limit)
    idealColumns = min(idealColumns, limit)
    let shown = contentLeast
    leastColumns = shown > 0 ? min(shown + padding.columns, idealColumns) : 0
  }

  /// The columns with which the content alone shows something.
  private var contentLeast: Int {
    switch kind {
    case .text(let flow, _, _), .ansi(let flow, _): min(1, flow.idealColumns)
    case .column(let children, _, _), .row(let children, _, _), .layers(let children, _):
      children.lazy.map(\.leastColumns).filter { $0 > 0 }.min() ?? 0
    case .grid(let grid): grid.columns.lazy.map(\.least).filter { $0 > 0 }.min() ?? 0
    case .spacer, .empty: 0
    case .divider, .gauge, .sparkline, .chart: 1
    case .picture(let box, _): box?.leastColumns ?? 0
    case .control(let label, let mark, let end):
      mark.count + end.count + min(1, label.idealColumns)
    }
  }

  /// The requirements of the content alone.
  private struct Wish {
    var minimum: Int
    var ideal: Int
    var grows = false
    var growsRows = false
  }

  private var contentWish: Wish {
    switch kind {
    case .text(let flow, _, let content):
      let ideal = flow.idealColumns
      let isPlaced = content.alignment != .leading && container != .grid && container != .layers
      return Wish(minimum: min(1, ideal), ideal: ideal, grows: isPlaced)
    case .ansi(let flow, _):
      return Wish(minimum: min(1, flow.idealColumns), ideal: flow.idealColumns)
    case .column(let children, _, _), .layers(let children, _):
      return Wish(
        minimum: children.reduce(0) { max($0, $1.minColumns) },
        ideal: children.reduce(0) { max($0, $1.idealColumns) },
        grows: children.contains { $0.growsColumns && !$0.isSpacer },
        growsRows: children.contains { $0.growsRows }
      )
    case .row(let children, let spacing, _):
      let parted = children.count { !$0.isSpacer && $0.takesColumns }
      let gaps = max(0, parted - 1) * spacing
      return Wish(
        minimum: gaps + children.reduce(0) { $0 + $1.minColumns },
        ideal: gaps + children.reduce(0) { $0 + $1.idealColumns },
        grows: children.contains { $0.growsColumns },
        growsRows: children.contains { $0.growsRows && !$0.isSpacer }
      )
    case .grid(let grid):
      let gaps = grid.gaps
      return Wish(
        minimum: gaps + grid.columns.reduce(0) { $0 + $1.floor },
        ideal: gaps + grid.columns.reduce(0) { $0 + $1.ideal },
        grows: grid.columns.contains { $0.grows }
      )
    case .spacer(let length):
      let columns = container == .row ? length : 0
      return Wish(
        minimum: columns,
        ideal: columns,
        grows: container != .column,
        growsRows: container != .row
      )
    case .divider:
      return Wish(minimum: 1, ideal: 1, grows: container != .row)
    case .gauge(let gauge):
      return Wish(minimum: gauge.minColumns, ideal: gauge.idealColumns, grows: true)
    case .sparkline(let content):
      let ideal = min(max(content.values.count, 1), 24)
      return Wish(minimum: min(4, ideal), ideal: ideal, grows: true)
    case .chart(let chart):
      return Wish(minimum: 4, ideal: chart.idealColumns, grows: true)
    case .picture(let box, _):
      return Wish(minimum: box?.minColumns ?? 0, ideal: box?.idealColumns ?? 0)
    case .control(let label, let mark, let end):
      let ends = mark.count + end.count
      return Wish(minimum: ends + label.minColumns, ideal: ends + label.idealColumns)
    case .empty:
      return Wish(minimum: 0, ideal: 0)
    }
  }

  /// Whether it is a spacer.
  var isSpacer: Bool {
    if case .spacer = kind { return true }
    return false
  }

  /// Whether it is a line from the top to the bottom of a row.
  var isVerticalDivider: Bool {
    if case .divider = kind { return container == .row }
    return false
  }

  /// Whether it ever takes columns; if not, it has no spacing on its sides either.
  var takesColumns: Bool { idealColumns > 0 || growsColumns }

  /// Returns the spacing before each child.
  ///
  /// A spacer is space itself: there is no spacing on its sides, and between two neighbours it is at
  /// least as wide as the spacing would have been; that spacing follows it. A child that is not shown
  /// has none.
  ///
  /// - Parameters:
  ///   - children: The adjacent boxes.
  ///   - spacing: The cells between two of them.
  ///   - slots: The columns of each of them; nil if all of them are shown.
  /// - Returns: A number for each child.
  static func gaps(_ children: [LayoutBox], _ spacing: Int, slots: [Int]? = nil) -> [Int] {
    var hasNeighbor = false
    return children.indices.map { index in
      guard !children[index].isSpacer, slots.map({ $0[index] > 0 }) ?? true else { return 0 }
      defer { hasNeighbor = true }
      return hasNeighbor ? spacing : 0
    }
  }
}

/// Seconds since 1970, as ``LaidOutView/nextChange`` counts them.
typealias SecondsOfChange = Double

extension EdgeInsets {
  /// The insets with each distance limited to the range of the wire, also for values that were not
  /// decoded.
  var bounded: EdgeInsets {
    EdgeInsets(
      top: top.boundedExtent,
      left: left.boundedExtent,
      bottom: bottom.boundedExtent,
      right: right.boundedExtent
    )
  }
}

extension FrameBounds {
  /// The bounds with each extent limited to the range of the wire, also for values that were not
  /// decoded.
  var bounded: FrameBounds {
    guard self != .open else { return self }
    return FrameBounds(
      width: width?.boundedExtent,
      height: height?.boundedExtent,
      minWidth: minWidth?.boundedExtent,
      maxWidth: maxWidth?.boundedExtent,
      minHeight: minHeight?.boundedExtent,
      maxHeight: maxHeight?.boundedExtent
    )
  }
}

extension Int {
  /// The nearest number of cells from 0 to 10,000.
  var boundedExtent: Int { Swift.min(Swift.max(self, 0), Size.limit.upperBound) }
}
