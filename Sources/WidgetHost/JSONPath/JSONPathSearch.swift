import WidgetKitCore

/// A search for the values of a query.
nonisolated struct JSONPathSearch {
  /// The outermost value.
  let root: JSONTree
  /// The most values that are found by each segment.
  let limit: Int

  /// The longest text that is compared with a regular expression, whose time can grow with its square.
  private static let expressionBytes = 4_096

  /// The values of some segments, seen from a value.
  func values(_ segments: [JSONPathSegment], from start: JSONTree) -> [JSONTree] {
    var found = [start]
    for segment in segments {
      var next: [JSONTree] = []
      for value in found where next.count < limit {
        if segment.isDescendant {
          addDescendants(of: value, segment.selectors, to: &next)
        } else {
          add(value, segment.selectors, to: &next)
        }
      }
      found = next
    }
    return found
  }

  private func addDescendants(
    of value: JSONTree,
    _ selectors: [JSONPathSelector],
    to found: inout [JSONTree]
  ) {
    guard found.count < limit else { return }
    add(value, selectors, to: &found)
    for child in Self.children(of: value) { addDescendants(of: child, selectors, to: &found) }
  }

  private static func children(of value: JSONTree) -> [JSONTree] {
    value.items ?? value.members?.map(\.value) ?? []
  }

  private func add(
    _ value: JSONTree,
    _ selectors: [JSONPathSelector],
    to found: inout [JSONTree]
  ) {
    for selector in selectors where found.count < limit {
      switch selector {
      case .name(let name): if let member = value[name] { found.append(member) }
      case .wildcard: found += Self.children(of: value)
      case .index(let index):
        guard let items = value.items else { continue }
        let place = index < 0 ? items.count + index : index
        if items.indices.contains(place) { found.append(items[place]) }
      case .slice(let start, let end, let step):
        guard let items = value.items else { continue }
        found += Self.indices(start, end, step, count: items.count).map { items[$0] }
      case .filter(let condition):
        found += Self.children(of: value).filter { holds(condition, for: $0) }
      }
    }
    if found.count > limit { found.removeLast(found.count - limit) }
  }

  /// The indices of a slice (RFC 9535, 2.3.4.2.2).
  private static func indices(_ start: Int?, _ end: Int?, _ step: Int, count: Int) -> [Int] {
    func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
    guard step != 0 else { return [] }
    if step > 0 {
      let low = min(max(normal(start ?? 0), 0), count)
      let high = min(max(normal(end ?? count), 0), count)
      return low < high ? Array(stride(from: low, to: high, by: step)) : []
    }
    let high = min(max(normal(start ?? (count - 1)), -1), count - 1)
    let low = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return low < high ? Array(stride(from: high, to: low, by: step)) : []
  }

  // MARK: - Filters

  private func holds(_ condition: JSONPathCondition, for value: JSONTree) -> Bool {
    switch condition {
    case .or(let parts): return parts.contains { holds($0, for: value) }
    case .and(let parts): return parts.allSatisfy { holds($0, for: value) }
    case .not(let inner): return !holds(inner, for: value)
    case .exists(let query): return !results(query, value).isEmpty
    case .test(let operand): return self.value(operand, value) == .boolean(true)
    case .comparison(let left, let comparison, let right):
      return Self.compare(self.value(left, value), comparison, self.value(right, value))
    }
  }

  private func results(_ query: JSONPathQuery, _ value: JSONTree) -> [JSONTree] {
    values(query.segments, from: query.isRelative ? value : root)
  }

  /// The value of an operand; nil if it has none.
  private func value(_ operand: JSONPathOperand, _ current: JSONTree) -> JSONTree? {
    switch operand {
    case .literal(let literal): return literal
    case .query(let query): return results(query, current).first
    case .count(let query): return .number(Double(results(query, current).count))
    case .value(let query):
      let found = results(query, current)
      return found.count == 1 ? found[0] : nil
    case .length(let inner):
      switch value(inner, current) {
      case .string(let text): return .number(Double(text.unicodeScalars.count))
      case .array(let items): return .number(Double(items.count))
      case .object(let members): return .number(Double(members.count))
      default: return nil
      }
    case .match(let subject, let pattern, let isWhole):
      guard let text = value(subject, current)?.string, text.utf8.count <= Self.expressionBytes,
        let pattern = value(pattern, current)?.string,
        let expression = try? Regex(pattern).dotMatchesNewlines(false)
      else { return .boolean(false) }
      let match =
        isWhole ? try? expression.wholeMatch(in: text) : try? expression.firstMatch(in: text)
      return .boolean(match != nil)
    }
  }

  /// Compares two values (RFC 9535, 2.3.5.2.2); nil is a query that found nothing.
  private static func compare(
    _ left: JSONTree?,
    _ comparison: JSONPathComparison,
    _ right: JSONTree?
  ) -> Bool {
    switch comparison {
    case .equal: isEqual(left, right)
    case .unequal: !isEqual(left, right)
    case .less: isLess(left, right)
    case .more: isLess(right, left)
    case .atMost: isLess(left, right) || isEqual(left, right)
    case .atLeast: isLess(right, left) || isEqual(left, right)
    }
  }

  private static func isEqual(_ left: JSONTree?, _ right: JSONTree?) -> Bool {
    switch (left, right) {
    case (nil, nil): return true
    case (.array(let left)?, .array(let right)?):
      return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
    case (.object(let left)?, .object(let right)?):
      // The order of members means nothing.
      return left.count == right.count
        && left.allSatisfy { member in
          right.contains { $0.name == member.name && isEqual($0.value, member.value) }
        }
    case (let left?, let right?): return left == right
    default: return false
    }
  }

  private static func isLess(_ left: JSONTree?, _ right: JSONTree?) -> Bool {
    if let left = left?.number, let right = right?.number { return left < right }
    return switch (left, right) {
    case (.string(let left)?, .string(let right)?):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: false
    }
  }
}
