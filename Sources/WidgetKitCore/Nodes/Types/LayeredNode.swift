internal import FoundationEssentials

/// The members of a `zstack`.
public struct LayeredContent: Hashable, Sendable {
  /// The children, from back to front.
  public var children: [ViewNode]
  /// The alignment of smaller children on both axes: by default in the middle.
  public var alignment: Alignment
  /// The seconds for which each child is shown, one after another; nil if all are shown at once.
  public var interval: Int?

  /// Creates the content of a zstack.
  public init(children: [ViewNode], alignment: Alignment = .center, interval: Int? = nil) {
    self.children = children
    self.alignment = alignment
    self.interval = interval
  }
}

extension LayeredContent: NodeContent {
  static let type = "zstack"
  var wrapped: ViewNode.Content { .zstack(self) }

  enum Member: Int, ViewMemberKey {
    case children, alignment, interval
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      children: try members.list(.children, of: "nodes"),
      alignment: try members.choice(.alignment) ?? .center,
      interval: try members.extent(.interval).flatMap { $0 > 0 ? $0 : nil }
    )
  }

  func write(to members: inout Writer) throws {
    try members.encode(children, forKey: .children, unless: [])
    try members.encode(alignment, forKey: .alignment, unless: .center)
    try members.encodeIfPresent(interval, forKey: .interval)
  }

  var nodes: [ViewNode] { children }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) { children.changeEach(change) }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    LayersBox(origin, self, builder)
  }

  /// Returns the child that is shown now; nil if all are shown at once.
  ///
  /// The turns are counted from 1970, so that all such stacks with one interval change together, which
  /// wakes the program once.
  func turn(in environment: LayoutEnvironment) -> LayerTurn? {
    guard let interval, interval > 0, !children.isEmpty else { return nil }
    let period = Double(interval)
    let turns = (environment.now.timeIntervalSince1970 / period).rounded(.down)
    guard environment.takesTurns, children.count > 1, turns.isFinite else {
      return LayerTurn(child: 0)
    }
    let count = Double(children.count)
    let rest = turns.truncatingRemainder(dividingBy: count)
    return LayerTurn(child: Int(rest < 0 ? rest + count : rest), end: (turns + 1) * period)
  }
}

/// Which child of a `zstack` with an interval is shown.
struct LayerTurn: Hashable, Sendable {
  /// The index of the child.
  var child: Int
  /// When the next one is shown; nil if it stays.
  var end: SecondsOfChange?
}

/// Children on top of each other, the last in front; or one after another in the same place.
final class LayersBox: LayoutBox {
  private let children: [LayoutBox]
  private let alignment: Alignment
  /// The only child that is shown; nil if all are.
  private let turn: LayerTurn?

  init(_ origin: Origin, _ content: LayeredContent, _ builder: BoxBuilder) {
    children = builder.boxes(content.children, in: .layers, of: origin)
    alignment = content.alignment
    turn = content.turn(in: builder.environment)
    super.init(origin)
  }

  override var wish: Wish { Wish(ofStacked: children) }

  override var nextChange: SecondsOfChange? { turn?.end }

  override func measureContent(_ width: Int) -> Size {
    var size = Size.zero
    for child in children {
      let part = child.measure(width)
      size.columns = max(size.columns, part.columns)
      size.rows = max(size.rows, part.rows)
    }
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    for child in turn.map({ children[$0.child...$0.child] }) ?? children[...] {
      let rows = child.growsRows ? min(rect.size.rows, child.maxRows) : child.size.rows
      let columns = child.size.columns
      let frame = Rect(
        column: rect.minColumn + alignment.offset(of: columns, in: rect.size.columns),
        row: rect.minRow + alignment.offset(of: rows, in: rect.size.rows),
        columns: columns,
        rows: rows
      )
      child.place(on: &picture, at: frame, in: here)
    }
  }
}

/// Views on top of each other.
public struct ZStack: ElementView {
  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: The position of smaller views, on both axes.
  ///   - interval: The seconds for which each view is shown, one after another; nil shows all at once.
  ///     Where nothing moves, as in a snapshot, the first one is shown.
  ///   - content: The views, from back to front.
  public init(
    alignment: Alignment = .center,
    interval: Int? = nil,
    @ViewBuilder content: () -> Group
  ) {
    let stack = LayeredContent(
      children: content().nodes,
      alignment: alignment,
      interval: interval
    )
    nodes = [ViewNode(.zstack(stack))]
  }
}
