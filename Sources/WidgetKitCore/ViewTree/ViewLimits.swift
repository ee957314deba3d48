/// The limits on views; a message with a larger view is refused.
public struct ViewLimits: Hashable, Sendable {
  /// The default limits.
  public static let standard = ViewLimits()

  /// Nesting depth of nodes, including the outermost one.
  public var depth: Int
  /// Nodes in one view.
  public var nodes: Int
  /// Rows in one grid.
  public var gridRows: Int
  /// Columns in one grid.
  public var gridColumns: Int
  /// Bytes of UTF-8 in one text.
  public var textBytes: Int

  /// Creates limits; omitted ones have their defaults.
  public init(
    depth: Int = 32,
    nodes: Int = 4096,
    gridRows: Int = 1000,
    gridColumns: Int = 64,
    textBytes: Int = 16 * 1024
  ) {
    self.depth = depth
    self.nodes = nodes
    self.gridRows = gridRows
    self.gridColumns = gridColumns
    self.textBytes = textBytes
  }
}

/// A view exceeded ``ViewLimits``; its message is refused and the content stays.
public struct ViewLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exceeded limit: `view depth`, `nodes`, `grid rows`, `grid columns` or
  /// `bytes of text`.
  public var limit: String
  /// The value of the limit.
  public var allowed: Int
  /// The value found; for depth and nodes the first value above the limit.
  public var found: Int

  /// Creates an error.
  public init(limit: String, allowed: Int, found: Int) {
    self.limit = limit
    self.allowed = allowed
    self.found = found
  }

  /// A sentence with the limit and the value found.
  public var description: String {
    "The view is too large: \(allowed) is the limit for \(limit), found \(found)."
  }
}
