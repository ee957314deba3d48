/// A regular expression as it is written.
indirect enum RegularExpressionNode: Sendable {
  case set(RegularExpressionSet)
  case start
  case end
  case sequence([RegularExpressionNode])
  case choice([RegularExpressionNode])
  /// `most` is nil if there is no greatest number.
  case repetition(RegularExpressionNode, least: Int, most: Int?)
}

/// Makes the states of a regular expression, from its end to its beginning.
struct RegularExpressionCompiler {
  private(set) var states: [RegularExpression.State] = [.match]
  private var nodes = 0

  /// The nodes that are compiled, with each repetition of them.
  private static let limit = 10_000

  /// Compiles a whole expression; returns its first state.
  mutating func compile(_ node: RegularExpressionNode) throws(RegularExpression.Failure) -> Int {
    try compile(node, before: 0)
  }

  private mutating func compile(
    _ node: RegularExpressionNode,
    before next: Int
  ) throws(RegularExpression.Failure) -> Int {
    nodes += 1
    guard nodes <= Self.limit else { throw .tooLarge }
    switch node {
    case .set(let set): return add(.set(set, next: next))
    case .start: return add(.start(next: next))
    case .end: return add(.end(next: next))
    case .sequence(let parts):
      var next = next
      for part in parts.reversed() { next = try compile(part, before: next) }
      return next
    case .choice(let parts):
      var starts: [Int] = []
      for part in parts { starts.append(try compile(part, before: next)) }
      return add(.split(starts))
    case .repetition(let part, let least, let most):
      return try compile(part, least, most, before: next)
    }
  }

  private mutating func compile(
    _ part: RegularExpressionNode,
    _ least: Int,
    _ most: Int?,
    before next: Int
  ) throws(RegularExpression.Failure) -> Int {
    guard least <= Self.limit, most ?? 0 <= Self.limit else { throw .tooLarge }
    var next = next
    if let most {
      // Each that may be absent can be skipped, with all behind it.
      let end = next
      for _ in least..<max(least, most) {
        next = add(.split([try compile(part, before: next), end]))
      }
    } else {
      let loop = add(.split([]))
      states[loop] = .split([try compile(part, before: loop), next])
      next = loop
    }
    for _ in 0..<least { next = try compile(part, before: next) }
    return next
  }

  private mutating func add(_ state: RegularExpression.State) -> Int {
    states.append(state)
    return states.count - 1
  }
}
