/// The evaluation of a predicate for some content, with a limit on what it may cost.
struct PredicateEvaluation {
  /// The predicate takes more comparisons than allowed.
  struct TooCostly: Error {}

  private enum Element {
    case item(ExtensionItem)
    case attachment(ItemAttachment)
    case type(UniformType)
  }

  private let items: [ExtensionItem]
  private let table: TypeTable
  private var comparisons = 0
  private var variables: [String: Element] = [:]
  private var conformance: [UniformType: Set<UniformType>] = [:]

  init(items: [ExtensionItem], table: TypeTable) {
    (self.items, self.table) = (items, table)
  }

  /// The smallest part because of which a predicate is false; nil if it is true.
  mutating func falsePart(of node: PredicateNode) throws(TooCostly) -> PredicateNode? {
    if case .and(let parts) = node.kind {
      for part in parts {
        if let found = try falsePart(of: part) { return found }
      }
      return nil
    }
    return try isTrue(node) ? nil : node
  }

  private mutating func isTrue(_ node: PredicateNode) throws(TooCostly) -> Bool {
    switch node.kind {
    case .constant(let value): return value
    case .not(let part): return try !isTrue(part)
    case .and(let parts):
      for part in parts where try !isTrue(part) { return false }
      return true
    case .or(let parts):
      for part in parts where try isTrue(part) { return true }
      return false
    case .comparison(let left, let comparison, let right):
      try compare()
      return comparison.holds(try value(left), try value(right))
    case .any(let path, let match, let wanted):
      for element in try elements(path) {
        try compare()
        guard case .type(let type) = element else { continue }
        if try matches(type, match, wanted) { return true }
      }
      return false
    }
  }

  /// Counts a comparison.
  private mutating func compare() throws(TooCostly) {
    comparisons += 1
    if comparisons > ActivationPredicate.comparisonLimit { throw TooCostly() }
  }

  private mutating func matches(
    _ type: UniformType,
    _ match: PredicateMatch,
    _ wanted: UniformType
  ) throws(TooCostly) -> Bool {
    switch match {
    case .equals: return type == wanted
    case .conforms:
      if let known = conformance[type] { return known.contains(wanted) }
      let ancestors = Set(table.ancestors(of: type))
      conformance[type] = ancestors
      return ancestors.contains(wanted)
    }
  }

  private mutating func value(_ number: PredicateNumber) throws(TooCostly) -> Int {
    switch number {
    case .whole(let whole): return whole
    case .count(let path): return try elements(path).count
    case .matching(let path, let variable, let predicate):
      let outer = variables[variable]
      defer { variables[variable] = outer }
      var count = 0
      for element in try elements(path) {
        try compare()
        variables[variable] = element
        if try isTrue(predicate) { count += 1 }
      }
      return count
    }
  }

  private mutating func elements(_ path: PredicatePath) throws(TooCostly) -> [Element] {
    var elements: [Element] =
      switch path.start {
      case .extensionItems: items.map { .item($0) }
      case .variable(let name): variables[name].map { [$0] } ?? []
      }
    for key in path.keys {
      elements = elements.flatMap { element -> [Element] in
        switch (key, element) {
        case (.attachments, .item(let item)): item.attachments.map { .attachment($0) }
        case (.registeredTypeIdentifiers, .attachment(let attachment)):
          attachment.types.map { .type($0) }
        // The parser knows of what each key is.
        case (.attachments, _), (.registeredTypeIdentifiers, _): []
        }
      }
    }
    return elements
  }
}
