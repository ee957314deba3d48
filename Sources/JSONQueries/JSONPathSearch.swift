import WidgetKitCore

/// A search for the values of a query, from one to the next, which takes steps of a budget.
struct JSONPathSearch {
  /// The outermost value.
  let root: JSONTree
  /// The steps that are left.
  var budget: JSONPathBudget

  typealias Exceeded = JSONPathBudget.Exceeded

  /// Takes a value that was found; returns whether the search goes on.
  private typealias Visitor = (inout JSONPathSearch, JSONTree) throws(Exceeded) -> Bool

  /// The first values of some segments, seen from a value.
  mutating func values(
    _ segments: [JSONPathSegment],
    from start: JSONTree,
    limit: Int
  ) throws(Exceeded) -> [JSONTree] {
    guard limit > 0 else { return [] }
    var found: [JSONTree] = []
    _ = try visit(segments[...], from: start) { _, value in
      found.append(value)
      return found.count < limit
    }
    return found
  }

  /// Visits the values of some segments; returns whether the search goes on.
  private mutating func visit(
    _ segments: ArraySlice<JSONPathSegment>,
    from value: JSONTree,
    _ body: Visitor
  ) throws(Exceeded) -> Bool {
    try budget.take()
    guard let segment = segments.first else { return try body(&self, value) }
    let rest = segments.dropFirst()
    guard segment.isDescendant else {
      return try select(segment.selectors, of: value, then: rest, body)
    }
    var waiting = [value]
    while let next = waiting.popLast() {
      try budget.take()
      guard try select(segment.selectors, of: next, then: rest, body) else { return false }
      let children = Self.children(of: next)
      try budget.take(children.count)
      waiting += children.reversed()
    }
    return true
  }

  private static func children(of value: JSONTree) -> [JSONTree] {
    value.items ?? value.members?.map(\.value) ?? []
  }

  private mutating func select(
    _ selectors: [JSONPathSelector],
    of value: JSONTree,
    then rest: ArraySlice<JSONPathSegment>,
    _ body: Visitor
  ) throws(Exceeded) -> Bool {
    for selector in selectors {
      switch selector {
      case .name(let name):
        try budget.take((value.members?.count ?? 0) / 4)
        guard let member = value[name] else { continue }
        guard try visit(rest, from: member, body) else { return false }
      case .wildcard:
        for child in Self.children(of: value) {
          guard try visit(rest, from: child, body) else { return false }
        }
      case .index(let index):
        guard let items = value.items else { continue }
        let place = index < 0 ? items.count + index : index
        guard items.indices.contains(place) else { continue }
        guard try visit(rest, from: items[place], body) else { return false }
      case .slice(let start, let end, let step):
        guard let items = value.items else { continue }
        for index in Self.indices(start, end, step, count: items.count) {
          guard try visit(rest, from: items[index], body) else { return false }
        }
      case .filter(let condition):
        for child in Self.children(of: value) where try holds(condition, for: child) {
          guard try visit(rest, from: child, body) else { return false }
        }
      }
    }
    return true
  }

  /// The indices of a slice (RFC 9535, 2.3.4.2.2).
  private static func indices(
    _ start: Int?,
    _ end: Int?,
    _ step: Int,
    count: Int
  ) -> StrideTo<Int> {
    func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      let low = min(max(normal(start ?? 0), 0), count)
      let high = min(max(normal(end ?? count), 0), count)
      return stride(from: low, to: max(low, high), by: step)
    }
    let high = min(max(normal(start ?? (count - 1)), -1), count - 1)
    let low = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return stride(from: high, to: min(low, high), by: step)
  }

  // MARK: - Filters

  private mutating func holds(
    _ condition: JSONPathCondition,
    for value: JSONTree
  ) throws(Exceeded) -> Bool {
    try budget.take()
    switch condition {
    case .or(let parts):
      for part in parts where try holds(part, for: value) { return true }
      return false
    case .and(let parts):
      for part in parts where try !holds(part, for: value) { return false }
      return true
    case .not(let inner): return try !holds(inner, for: value)
    case .exists(let query): return try !results(query, value, limit: 1).isEmpty
    case .test(let operand):
      guard case .boolean(true) = try self.value(operand, value) else { return false }
      return true
    case .comparison(let left, let comparison, let right):
      let left = try self.value(left, value)
      let right = try self.value(right, value)
      return try compare(left, comparison, right)
    }
  }

  private mutating func results(
    _ query: JSONPathQuery,
    _ value: JSONTree,
    limit: Int
  ) throws(Exceeded) -> [JSONTree] {
    try values(query.segments, from: query.isRelative ? value : root, limit: limit)
  }

  private mutating func count(
    of query: JSONPathQuery,
    _ value: JSONTree
  ) throws(Exceeded) -> Int {
    var count = 0
    _ = try visit(query.segments[...], from: query.isRelative ? value : root) { _, _ in
      count += 1
      return true
    }
    return count
  }

  /// The value of an operand; nil if it has none.
  private mutating func value(
    _ operand: JSONPathOperand,
    _ current: JSONTree
  ) throws(Exceeded) -> JSONTree? {
    switch operand {
    case .literal(let literal): return literal
    case .query(let query): return try results(query, current, limit: 1).first
    case .count(let query): return .number(Double(try count(of: query, current)))
    case .value(let query):
      let found = try results(query, current, limit: 2)
      return found.count == 1 ? found[0] : nil
    case .length(let inner):
      switch try value(inner, current) {
      case .string(let text):
        try budget.take(text.utf8.count / 16)
        return .number(Double(text.unicodeScalars.count))
      case .array(let items): return .number(Double(items.count))
      case .object(let members): return .number(Double(members.count))
      default: return nil
      }
    case .match(let subject, let pattern, let isWhole):
      guard let text = try value(subject, current)?.string,
        let pattern = try value(pattern, current)?.string
      else { return .boolean(false) }
      return .boolean(try budget.matches(text, pattern, isWhole: isWhole))
    }
  }

  // MARK: - Comparisons

  /// Compares two values (RFC 9535, 2.3.5.2.2); nil is a query that found nothing.
  private mutating func compare(
    _ left: JSONTree?,
    _ comparison: JSONPathComparison,
    _ right: JSONTree?
  ) throws(Exceeded) -> Bool {
    switch comparison {
    case .equal: return try isEqual(left, right)
    case .unequal: return try !isEqual(left, right)
    case .less: return try isLess(left, right)
    case .more: return try isLess(right, left)
    case .atMost:
      if try isLess(left, right) { return true }
      return try isEqual(left, right)
    case .atLeast:
      if try isLess(right, left) { return true }
      return try isEqual(left, right)
    }
  }

  private mutating func isEqual(_ left: JSONTree?, _ right: JSONTree?) throws(Exceeded) -> Bool {
    try budget.take()
    switch (left, right) {
    case (nil, nil), (.null?, .null?): return true
    case (.boolean(let left)?, .boolean(let right)?): return left == right
    case (.string(let left)?, .string(let right)?):
      guard left.utf8.count == right.utf8.count else { return false }
      try budget.take(left.utf8.count / 16)
      return left.hasSameScalars(as: right)
    case (.wholeNumber(let left)?, .wholeNumber(let right)?): return left == right
    case (.array(let left)?, .array(let right)?):
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) where try !isEqual(left, right) { return false }
      return true
    case (.object(let left)?, .object(let right)?): return try isEqual(left, right)
    case (.number(let number)?, .wholeNumber(let numeral)?),
      (.wholeNumber(let numeral)?, .number(let number)?):
      // A number that was written with an exponent can be the same.
      return Int64(exactly: number) == nil && JSONTree.wholeNumber(numeral).number == number
    case (.number(let left)?, .number(let right)?): return left == right
    default: return false
    }
  }

  /// Whether two objects have the same members; their order means nothing.
  private mutating func isEqual(
    _ left: [JSONTree.Member],
    _ right: [JSONTree.Member]
  ) throws(Exceeded) -> Bool {
    guard left.count == right.count else { return false }
    var values: [[UInt8]: JSONTree] = [:]
    for member in right {
      try budget.take(1 + member.name.utf8.count / 16)
      // Of a name that occurs twice, the first counts.
      let name = Array(member.name.utf8)
      if values[name] == nil { values[name] = member.value }
    }
    for member in left {
      try budget.take(1 + member.name.utf8.count / 16)
      guard let other = values[Array(member.name.utf8)] else { return false }
      guard try isEqual(member.value, other) else { return false }
    }
    return true
  }

  private mutating func isLess(_ left: JSONTree?, _ right: JSONTree?) throws(Exceeded) -> Bool {
    if let left = left?.number, let right = right?.number { return left < right }
    guard let left = left?.string, let right = right?.string else { return false }
    try budget.take(1 + min(left.utf8.count, right.utf8.count) / 16)
    // In UTF-8, the order of bytes is that of scalar values.
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
