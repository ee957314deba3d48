/// Views arranged vertically.
public struct VStack: View {
  /// A stack is one element and has no body.
  public typealias Body = Never

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
public struct HStack: View {
  /// A stack is one element and has no body.
  public typealias Body = Never

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

/// Views on top of each other.
public struct ZStack: View {
  /// A stack is one element and has no body.
  public typealias Body = Never

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

/// Flexible space along the stack.
public struct Spacer: View {
  /// A spacer is one element and has no body.
  public typealias Body = Never

  /// The spacer as one element.
  public let nodes: [ViewNode]

  /// Creates a spacer of at least `minLength` cells.
  public init(minLength: Int = 0) {
    nodes = [ViewNode(.spacer(minLength: minLength))]
  }
}

/// A separator line across the stack.
public struct Divider: View {
  /// A divider is one element and has no body.
  public typealias Body = Never

  /// The divider as one element.
  public let nodes = [ViewNode(.divider)]

  /// Creates a divider.
  public init() {}
}
