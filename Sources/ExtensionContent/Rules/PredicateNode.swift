/// A part of a predicate, and where in its text it is.
struct PredicateNode: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case constant(Bool)
    case not(PredicateNode)
    case and([PredicateNode])
    case or([PredicateNode])
    /// Whether two numbers compare so.
    case comparison(PredicateNumber, PredicateComparison, PredicateNumber)
    /// Whether one of the types at a path is like another one.
    case any(PredicatePath, PredicateMatch, UniformType)
  }

  let kind: Kind
  /// In Unicode scalars, from 0.
  let range: Range<Int>
}

extension PredicateNode {
  /// The types that it and its parts name, in their order.
  var types: [UniformType] {
    switch kind {
    case .constant: []
    case .not(let part): part.types
    case .and(let parts), .or(let parts): parts.flatMap(\.types)
    case .comparison(let left, _, let right): left.types + right.types
    case .any(_, _, let type): [type]
    }
  }
}

extension PredicateNumber {
  fileprivate var types: [UniformType] {
    if case .matching(_, _, let part) = self { part.types } else { [] }
  }
}

/// A number in a predicate.
indirect enum PredicateNumber: Hashable, Sendable {
  case whole(Int)
  /// How many elements a path leads to.
  case count(PredicatePath)
  /// How many elements of a path fulfil a predicate in which a variable means each of them.
  case matching(PredicatePath, variable: String, PredicateNode)
}

enum PredicateComparison: Hashable, Sendable {
  case equal, unequal, less, lessOrEqual, greater, greaterOrEqual

  func holds(_ left: Int, _ right: Int) -> Bool {
    switch self {
    case .equal: left == right
    case .unequal: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

/// How a type is compared with another one.
enum PredicateMatch: Hashable, Sendable {
  case conforms
  case equals
}

/// Where the elements of a collection come from.
struct PredicatePath: Hashable, Sendable {
  enum Start: Hashable, Sendable {
    case extensionItems
    case variable(String)
  }

  let start: Start
  /// The names after the start.
  let keys: [PredicateKey]
}

/// The names of a key path.
enum PredicateKey: String, Hashable, Sendable {
  case attachments
  case registeredTypeIdentifiers

  /// What the elements must be that have it.
  var owner: PredicateElementKind {
    switch self {
    case .attachments: .item
    case .registeredTypeIdentifiers: .attachment
    }
  }

  /// What its elements are.
  var element: PredicateElementKind {
    switch self {
    case .attachments: .attachment
    case .registeredTypeIdentifiers: .type
    }
  }
}

/// What a variable or an element of a path is.
enum PredicateElementKind: String, Hashable, Sendable {
  case item = "an item"
  case attachment = "an attachment"
  case type = "a type"
}
