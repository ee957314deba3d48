/// Views below each other.
public struct VStack: View {
  /// What a stack has: one element, and no body.
  public typealias Body = Never

  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: Where narrow views lie across the stack.
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

/// Views beside each other.
public struct HStack: View {
  /// What a stack has: one element, and no body.
  public typealias Body = Never

  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: Where low views lie across the stack; `.leading` is at the top.
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
  /// What a stack has: one element, and no body.
  public typealias Body = Never

  /// The stack as one element.
  public let nodes: [ViewNode]

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - alignment: Where smaller views lie, on both axes.
  ///   - content: The views, from back to front.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Group) {
    let stack = LayeredContent(children: content().nodes, alignment: alignment)
    nodes = [ViewNode(.zstack(stack))]
  }
}

/// Flexible space along the stack.
public struct Spacer: View {
  /// What a spacer has: one element, and no body.
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
  /// What a divider has: one element, and no body.
  public typealias Body = Never

  /// The divider as one element.
  public let nodes = [ViewNode(.divider)]

  /// Creates a divider.
  public init() {}
}
