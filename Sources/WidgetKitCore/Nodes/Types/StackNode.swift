/// The members of a `vstack` or an `hstack`.
public struct StackContent: Hashable, Sendable {
  /// The children, from top to bottom or from left to right.
  public var children: [ViewNode]
  /// Cells between two children: 0 by default in a vstack, 1 in an hstack.
  public var spacing: Int?
  /// The alignment of children across the stack: by default leading (in an hstack: at the top).
  public var alignment: Alignment

  /// Creates the content of a stack.
  public init(children: [ViewNode], spacing: Int? = nil, alignment: Alignment = .leading) {
    self.children = children
    self.spacing = spacing
    self.alignment = alignment
  }
}

/// A stack of either direction.
protocol StackNode: NodeContent where Member == StackMember {
  var stack: StackContent { get set }

  init(stack: StackContent)
}

/// The members of stacks.
enum StackMember: Int, ViewMemberKey {
  case children, spacing, alignment
  static let names = listNames()
}

extension StackNode {
  init(_ members: borrowing Reader) throws {
    let stack = StackContent(
      children: try members.list(.children, of: "nodes"),
      spacing: try members.extent(.spacing),
      alignment: try members.choice(.alignment) ?? .leading
    )
    self.init(stack: stack)
  }

  func write(to members: inout Writer) throws {
    try members.encode(stack.children, forKey: .children, unless: [])
    try members.encodeIfPresent(stack.spacing, forKey: .spacing)
    try members.encode(stack.alignment, forKey: .alignment, unless: .leading)
  }

  var nodes: [ViewNode] { stack.children }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) {
    stack.children.changeEach(change)
  }
}

/// A `vstack`.
struct VStackContent: StackNode {
  var stack: StackContent

  static let type = "vstack"
  var wrapped: ViewNode.Content { .vstack(stack) }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    let children = builder.boxes(stack.children, in: .column, of: origin)
    return ColumnBox(origin, children, spacing: stack.spacing ?? 0, stack.alignment)
  }
}

/// An `hstack`.
struct HStackContent: StackNode {
  var stack: StackContent

  static let type = "hstack"
  var wrapped: ViewNode.Content { .hstack(stack) }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    RowBox(origin, builder.boxes(stack.children, in: .row, of: origin), stack)
  }
}

/// Views arranged vertically.
public struct VStack: ElementView {
  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: The horizontal position of narrower views.
  ///   - spacing: Rows between two views; 0 by default.
  ///   - content: The views, from top to bottom.
  public init(
    alignment: Alignment = .leading,
    spacing: Int? = nil,
    @ViewBuilder content: () -> Group
  ) {
    let stack = StackContent(children: content().nodes, spacing: spacing, alignment: alignment)
    nodes = [ViewNode(.vstack(stack))]
  }
}

/// Views arranged horizontally.
public struct HStack: ElementView {
  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: The vertical position of lower views; `.leading` is at the top.
  ///   - spacing: Columns between two views; 1 by default.
  ///   - content: The views, from left to right.
  public init(
    alignment: Alignment = .leading,
    spacing: Int? = nil,
    @ViewBuilder content: () -> Group
  ) {
    let stack = StackContent(children: content().nodes, spacing: spacing, alignment: alignment)
    nodes = [ViewNode(.hstack(stack))]
  }
}
