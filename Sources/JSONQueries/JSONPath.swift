package import WidgetKitCore

/// A query for values in JSON: RFC 9535.
///
/// `$.items[?@.price < 10].name`, `$..author`, `$.store['a b'][0, -1]`, `$.list[1:5:2]`
package struct JSONPath: Hashable, Sendable {
  /// The segments behind `$`.
  var segments: [JSONPathSegment]

  /// Why a text is no query, and where.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// What was expected.
    package var reason: String
    /// The number of scalar values before the fault.
    package var offset: Int

    package var description: String { "\(reason), at character \(offset + 1)" }
  }

  /// Creates a query for a member of the outermost object.
  package init(member name: String) {
    segments = [JSONPathSegment(selectors: [.name(name)])]
  }

  /// Reads a query.
  package init(_ text: String) throws(Failure) {
    var parser = JSONPathParser(text)
    segments = try parser.query()
  }

  /// The values that are found in a tree, in the order of the text.
  ///
  /// - Parameters:
  ///   - root: The outermost value.
  ///   - limit: How many values are found at most.
  ///   - budget: The steps that it may take, of which it takes its own.
  /// - Returns: The values.
  /// - Throws: ``JSONPathBudget/Exceeded`` if it needs more steps than are left.
  package func values(
    in root: JSONTree,
    limit: Int = .max,
    budget: inout JSONPathBudget
  ) throws(JSONPathBudget.Exceeded) -> [JSONTree] {
    var search = JSONPathSearch(root: root, budget: budget)
    defer { budget = search.budget }
    return try search.values(segments, from: root, limit: limit)
  }
}

/// The steps that queries may take together.
///
/// The time of a query can grow with a power of the size of its text: `$..[?count($..*) > 1]` looks at all values for
/// each of them. A step is about the time in which one value is looked at.
package struct JSONPathBudget: Sendable {
  /// A query needs more steps than there are.
  package struct Exceeded: Error, Hashable, CustomStringConvertible {
    package var description: String { "the query needs too many steps" }
  }

  /// The steps that are left.
  private(set) var steps: Int
  /// The regular expressions that were read; nil for a text that is none.
  private var expressions: [[UInt8]: RegularExpression?] = [:]

  /// Several times what it takes to look at all values of the longest text that a script may print.
  package static let standardSteps = 4_000_000
  /// The regular expressions that are kept.
  private static let expressionLimit = 64

  package init(steps: Int = standardSteps) {
    self.steps = steps
  }

  /// Takes a number of steps.
  mutating func take(_ count: Int = 1) throws(Exceeded) {
    steps -= count
    if steps < 0 { throw Exceeded() }
  }

  /// Whether a text is matched by a regular expression; false if that is none.
  package mutating func matches(
    _ text: String,
    _ pattern: String,
    isWhole: Bool
  ) throws(Exceeded) -> Bool {
    let key = Array(pattern.utf8)
    try take(1 + key.count / 16)
    let expression: RegularExpression?
    if let known = expressions[key] {
      expression = known
    } else {
      try take(key.count)
      do throws(RegularExpression.Failure) {
        expression = try RegularExpression(pattern)
      } catch {
        guard error != .tooLarge else { throw Exceeded() }
        expression = nil
      }
      try take(expression?.size ?? 0)
      if expressions.count == Self.expressionLimit { expressions = [:] }
      expressions[key] = .some(expression)
    }
    return try expression?.matches(text, isWhole: isWhole, budget: &self) ?? false
  }
}

/// A part of a query: what is taken of each value found so far, or of all values inside of these.
struct JSONPathSegment: Hashable, Sendable {
  var selectors: [JSONPathSelector]
  /// Whether it was written with two dots.
  var isDescendant = false
}

/// What is taken of a value.
indirect enum JSONPathSelector: Hashable, Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONPathCondition)
}

/// The condition of a filter.
indirect enum JSONPathCondition: Hashable, Sendable {
  case or([JSONPathCondition])
  case and([JSONPathCondition])
  case not(JSONPathCondition)
  case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
  /// Whether a query finds something.
  case exists(JSONPathQuery)
  /// `match` or `search`, which are true or false.
  case test(JSONPathOperand)
}

/// How two values are compared.
enum JSONPathComparison: String, CaseIterable, Hashable, Sendable {
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case more = ">"
}

/// A query in a filter: from the value that is tested (`@`), or from the outermost one (`$`).
struct JSONPathQuery: Hashable, Sendable {
  var isRelative: Bool
  var segments: [JSONPathSegment]

  /// Whether it finds at most one value, because it has names and indices alone.
  var isSingular: Bool {
    segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      return switch segment.selectors[0] {
      case .name, .index: true
      default: false
      }
    }
  }
}

/// One side of a comparison.
indirect enum JSONPathOperand: Hashable, Sendable {
  case literal(JSONTree)
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
  /// Whether a text is matched by a regular expression, as a whole or in a part.
  case match(JSONPathOperand, JSONPathOperand, isWhole: Bool)
}
