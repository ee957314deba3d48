import WidgetKitCore

/// A query for values in JSON: RFC 9535.
///
/// `$.items[?@.price < 10].name`, `$..author`, `$.store['a b'][0, -1]`, `$.list[1:5:2]`
nonisolated struct JSONPath: Hashable, Sendable {
  /// The segments behind `$`.
  var segments: [JSONPathSegment]

  /// Why a text is no query, and where.
  struct Failure: Error, Hashable, CustomStringConvertible {
    /// What was expected.
    var reason: String
    /// The number of characters before the fault.
    var offset: Int

    var description: String { "\(reason), at character \(offset + 1)" }
  }

  /// Creates a query of segments.
  init(segments: [JSONPathSegment]) {
    self.segments = segments
  }

  /// Reads a query.
  init(_ text: String) throws(Failure) {
    var parser = JSONPathParser(text)
    segments = try parser.query()
  }

  /// The values that are found in a tree, in the order of the text; at most `limit`.
  func values(in root: JSONTree, limit: Int = 10_000) -> [JSONTree] {
    JSONPathSearch(root: root, limit: limit).values(segments, from: root)
  }
}

/// A part of a query: what is taken of each value found so far, or of all values inside of these.
nonisolated struct JSONPathSegment: Hashable, Sendable {
  var selectors: [JSONPathSelector]
  /// Whether it was written with two dots.
  var isDescendant = false
}

/// What is taken of a value.
nonisolated indirect enum JSONPathSelector: Hashable, Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONPathCondition)
}

/// The condition of a filter.
nonisolated indirect enum JSONPathCondition: Hashable, Sendable {
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
nonisolated enum JSONPathComparison: String, CaseIterable, Hashable, Sendable {
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case more = ">"
}

/// A query in a filter: from the value that is tested (`@`), or from the outermost one (`$`).
nonisolated struct JSONPathQuery: Hashable, Sendable {
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
nonisolated indirect enum JSONPathOperand: Hashable, Sendable {
  case literal(JSONTree)
  case query(JSONPathQuery)
  case length(JSONPathOperand)
  case count(JSONPathQuery)
  case value(JSONPathQuery)
  /// Whether a text is matched by a regular expression, as a whole or in a part.
  case match(JSONPathOperand, JSONPathOperand, isWhole: Bool)
}
