/// How large a view may be before its message is refused; one of the host's settings.
public struct ViewLimits: Hashable, Sendable {
  /// The limits that hold where nothing else is set.
  public static let standard = ViewLimits()

  /// Nodes inside each other, the outermost counted.
  public var depth: Int
  /// Nodes in one view.
  public var nodes: Int
  /// Rows in one grid.
  public var gridRows: Int
  /// Columns in one grid.
  public var gridColumns: Int
  /// Bytes of UTF-8 in one text.
  public var textBytes: Int

  /// Creates limits; what is left out has its usual value.
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

/// A view was larger than ``ViewLimits`` allow; its message is refused and the picture stays.
public struct ViewLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What there was too much of: `view depth`, `nodes`, `grid rows`, `grid columns` or
  /// `bytes of text`.
  public var limit: String
  /// How much is allowed.
  public var allowed: Int
  /// How much there was; for depth and nodes the first number past the limit.
  public var found: Int

  /// Creates an error.
  public init(limit: String, allowed: Int, found: Int) {
    self.limit = limit
    self.allowed = allowed
    self.found = found
  }

  /// A sentence that names the limit and by how much it was passed.
  public var description: String {
    "The view is too large: \(allowed) is the limit for \(limit), found \(found)."
  }
}
