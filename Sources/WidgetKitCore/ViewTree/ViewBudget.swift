internal import Synchronization

extension CodingUserInfoKey {
  /// The key under which a decoder keeps the ``ViewBudget`` for its views.
  public static let viewBudget = CodingUserInfoKey(staticName: "viewBudget")

  private init(staticName: String) {
    guard let key = CodingUserInfoKey(rawValue: staticName) else {
      preconditionFailure("every string is a key")
    }
    self = key
  }
}

/// Counts the nodes of a view while it is decoded, and stops at the first exceeded limit.
///
/// This is a class because the nodes of one tree share it. One budget can be used for any number of
/// views, one after another, in one decoder: an outermost node begins a new count.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.viewBudget] = ViewBudget()
/// ```
/// Without a budget in `userInfo` nothing is limited.
public final class ViewBudget: Sendable {
  /// The limits.
  public let limits: ViewLimits

  private struct Count {
    var depth = 0
    var nodes = 0
    var unknownTypes: Set<String> = []
  }

  /// It is uncontended, because one decoder uses it on one thread at a time.
  private let count = Mutex(Count())

  /// Creates a budget of `limits`.
  public init(_ limits: ViewLimits = .standard) {
    self.limits = limits
  }

  /// Counts one more node; ``leave()`` follows it whether or not this throws.
  func enter() throws(ViewLimitError) {
    let now = count.withLock { count in
      if count.depth == 0 { count.nodes = 0 }
      count.depth += 1
      count.nodes += 1
      return (depth: count.depth, nodes: count.nodes)
    }
    try check("view depth", now.depth, atMost: limits.depth)
    try check("nodes", now.nodes, atMost: limits.nodes)
  }

  /// Counts one more span of a text; it counts as a node because it costs as much.
  func countSpan() throws(ViewLimitError) {
    let nodes = count.withLock { count in
      count.nodes += 1
      return count.nodes
    }
    try check("nodes", nodes, atMost: limits.nodes)
  }

  private func check(
    _ limit: String,
    _ found: Int,
    atMost allowed: Int
  ) throws(ViewLimitError) {
    guard found > allowed else { return }
    throw ViewLimitError(limit: limit, allowed: allowed, found: found)
  }

  /// Ends the innermost node.
  func leave() {
    count.withLock { $0.depth -= 1 }
  }

  /// The unknown types so far, at most 16 of them, sorted.
  public var unknownTypes: [String] {
    count.withLock { $0.unknownTypes.sorted() }
  }

  /// Records an unknown type.
  func note(unknownType type: String) {
    count.withLock { count in
      if count.unknownTypes.count < 16 { count.unknownTypes.insert(type) }
    }
  }

  /// Throws if a text has too many bytes.
  func check(textBytes: Int) throws(ViewLimitError) {
    try check("bytes of text", textBytes, atMost: limits.textBytes)
  }

  /// Throws if a grid has too many rows.
  func check(gridRows: Int) throws(ViewLimitError) {
    try check("grid rows", gridRows, atMost: limits.gridRows)
  }

  /// Throws if a grid has too many columns.
  func check(gridColumns: Int) throws(ViewLimitError) {
    try check("grid columns", gridColumns, atMost: limits.gridColumns)
  }
}

extension Decoder {
  /// The budget for this decoder's views.
  var viewBudget: ViewBudget? { userInfo[.viewBudget] as? ViewBudget }
}
