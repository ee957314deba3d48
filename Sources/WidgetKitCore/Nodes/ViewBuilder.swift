/// Combines the views of a block, its conditions and its loops in order.
///
/// Everything becomes a ``Group`` at once, so that a body of any shape has one small type.
@resultBuilder
public enum ViewBuilder {
  /// Adds a view.
  public static func buildExpression(_ view: some View) -> Group {
    Group(nodes: view.nodes)
  }

  /// Adds an element of the wire unchanged.
  public static func buildExpression(_ node: ViewNode) -> Group {
    Group(nodes: [node])
  }

  /// Combines the statements of a block in order.
  public static func buildBlock(_ parts: Group...) -> Group {
    Group(nodes: parts.flatMap(\.nodes))
  }

  /// Adds an `if` without `else`.
  public static func buildOptional(_ part: Group?) -> Group {
    part ?? Group(nodes: [])
  }

  /// Adds the first branch of an `if` or `switch`.
  public static func buildEither(first part: Group) -> Group {
    part
  }

  /// Adds another branch of an `if` or `switch`.
  public static func buildEither(second part: Group) -> Group {
    part
  }

  /// Adds a `for` loop.
  public static func buildArray(_ parts: [Group]) -> Group {
    Group(nodes: parts.flatMap(\.nodes))
  }
}
