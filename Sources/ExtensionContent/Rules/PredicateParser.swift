/// Reads a predicate by recursive descent: OR, AND, NOT, and what they join.
struct PredicateParser {
  /// The most parts of a predicate.
  static let nodeLimit = 256
  /// The most parentheses, NOTs and SUBQUERYs within each other.
  static let depthLimit = 16

  private let tokens: [PredicateScanner.Placed]
  private var place = 0
  private var nodes = 0
  private var depth = 0
  /// What the variables of the SUBQUERYs around are.
  private var variables: [String: PredicateElementKind] = [:]
  private let scalars: [Unicode.Scalar]
  /// The ranges of parts in parentheses, with these.
  private var enclosed: Set<Range<Int>> = []
  /// The parts that have an AND beside an OR without parentheses.
  private(set) var mixedParts: [String] = []

  init(_ text: String) throws(ActivationRuleError) {
    scalars = Array(text.unicodeScalars)
    tokens = try PredicateScanner.tokens(in: scalars)
  }

  mutating func parse() throws(ActivationRuleError) -> PredicateNode {
    let node = try disjunction()
    guard current == .end else { throw unexpected("AND, OR or the end") }
    return node
  }

  // MARK: - Tokens

  private var current: PredicateScanner.Token { tokens[place].token }

  /// The place of the present token in Unicode scalars, from 1.
  private var position: Int { tokens[place].range.lowerBound + 1 }

  private mutating func advance() {
    if place < tokens.count - 1 { place += 1 }
  }

  private mutating func takes(_ sign: String) -> Bool {
    guard current == .sign(sign) else { return false }
    advance()
    return true
  }

  /// Whether the present token is a word of the language, in any case.
  private func isWord(_ word: String) -> Bool {
    guard case .word(let text) = current, text.utf8.count == word.utf8.count else { return false }
    return text.uppercased() == word
  }

  private mutating func takesWord(_ word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ sign: String) throws(ActivationRuleError) {
    guard takes(sign) else { throw unexpected("“\(sign)”") }
  }

  private func unexpected(_ expected: String) -> ActivationRuleError {
    let found =
      switch current {
      case .end: "the end"
      case .word(let text), .sign(let text): "“\(text)”"
      case .variable(let name): "“$\(name)”"
      case .number(let number): "\(number)"
      case .string(let text): "“\(text)”"
      }
    return ActivationRuleError("expected \(expected), found \(found)", at: position)
  }

  // MARK: - Structure

  private mutating func node(
    from start: Int,
    _ kind: PredicateNode.Kind
  ) throws(ActivationRuleError) -> PredicateNode {
    nodes += 1
    let first = tokens[start].range.lowerBound
    guard nodes <= Self.nodeLimit else {
      throw ActivationRuleError(
        "the predicate has more than \(Self.nodeLimit) parts",
        at: first + 1
      )
    }
    return PredicateNode(kind: kind, range: first..<tokens[max(start, place - 1)].range.upperBound)
  }

  private mutating func nested<Value>(
    _ work: (inout Self) throws(ActivationRuleError) -> Value
  ) throws(ActivationRuleError) -> Value {
    guard depth < Self.depthLimit else {
      throw ActivationRuleError(
        "more than \(Self.depthLimit) parts within each other",
        at: position
      )
    }
    depth += 1
    defer { depth -= 1 }
    return try work(&self)
  }

  private mutating func disjunction() throws(ActivationRuleError) -> PredicateNode {
    let start = place
    var parts = [try conjunction()]
    while takes("||") || takesWord("OR") { parts.append(try conjunction()) }
    guard parts.count > 1 else { return parts[0] }
    let whole = try node(from: start, .or(parts))
    let isMixed = parts.contains { part in
      if case .and = part.kind { !enclosed.contains(part.range) } else { false }
    }
    if isMixed { mixedParts.append(String(String.UnicodeScalarView(scalars[whole.range]))) }
    return whole
  }

  private mutating func conjunction() throws(ActivationRuleError) -> PredicateNode {
    let start = place
    var parts = [try negation()]
    while takes("&&") || takesWord("AND") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : try node(from: start, .and(parts))
  }

  private mutating func negation() throws(ActivationRuleError) -> PredicateNode {
    let start = place
    guard takes("!") || takesWord("NOT") else { return try primary() }
    let part = try nested { parser throws(ActivationRuleError) in try parser.negation() }
    return try node(from: start, .not(part))
  }

  private mutating func primary() throws(ActivationRuleError) -> PredicateNode {
    let start = place
    if takes("(") {
      let inner = try nested { parser throws(ActivationRuleError) in try parser.disjunction() }
      try expect(")")
      let range = tokens[start].range.lowerBound..<tokens[place - 1].range.upperBound
      enclosed.insert(range)
      return PredicateNode(kind: inner.kind, range: range)
    }
    if takesWord("TRUEPREDICATE") { return try node(from: start, .constant(true)) }
    if takesWord("FALSEPREDICATE") { return try node(from: start, .constant(false)) }
    if takesWord("ANY") { return try anyMatch(from: start) }
    let left = try number()
    let comparison = try comparison()
    let right = try number()
    return try node(from: start, .comparison(left, comparison, right))
  }

  // MARK: - Comparisons

  private mutating func anyMatch(from start: Int) throws(ActivationRuleError) -> PredicateNode {
    let (path, kind) = try path()
    guard kind == .type else {
      throw ActivationRuleError(
        "ANY needs types, and the path leads to \(kind.rawValue)",
        at: position
      )
    }
    let match: PredicateMatch
    if takesWord("UTI-CONFORMS-TO") {
      match = .conforms
    } else if takesWord("UTI-EQUALS") || takes("==") || takes("=") {
      match = .equals
    } else {
      throw unexpected("UTI-CONFORMS-TO or UTI-EQUALS")
    }
    guard case .string(let text) = current else { throw unexpected("a type in quotation marks") }
    guard let type = UniformType(validating: text) else {
      throw ActivationRuleError("“\(text)” is not a type identifier", at: position)
    }
    advance()
    return try node(from: start, .any(path, match, type))
  }

  private mutating func comparison() throws(ActivationRuleError) -> PredicateComparison {
    guard case .sign(let sign) = current else { throw unexpected("a comparison such as ==") }
    let comparison: PredicateComparison
    switch sign {
    case "==", "=": comparison = .equal
    case "!=", "<>": comparison = .unequal
    case "<": comparison = .less
    case "<=", "=<": comparison = .lessOrEqual
    case ">": comparison = .greater
    case ">=", "=>": comparison = .greaterOrEqual
    default: throw unexpected("a comparison such as ==")
    }
    advance()
    return comparison
  }

  private mutating func number() throws(ActivationRuleError) -> PredicateNumber {
    if case .number(let number) = current {
      advance()
      return .whole(number)
    }
    if isWord("SUBQUERY") {
      let number = try nested { parser throws(ActivationRuleError) in try parser.subquery() }
      try expect(".")
      guard takesWord("@COUNT") else { throw unexpected("@count") }
      return number
    }
    let (path, _) = try path()
    guard takesWord("@COUNT") else { throw unexpected("@count at the end of the path") }
    return .count(path)
  }

  private mutating func subquery() throws(ActivationRuleError) -> PredicateNumber {
    advance()
    try expect("(")
    let (collection, kind) = try path()
    try expect(",")
    guard case .variable(let name) = current else { throw unexpected("a variable such as $item") }
    advance()
    try expect(",")
    let outer = variables.updateValue(kind, forKey: name)
    let predicate = try disjunction()
    variables[name] = outer
    try expect(")")
    return .matching(collection, variable: name, predicate)
  }

  /// Reads a path, and the period after it if `@count` follows; returns what its elements are.
  private mutating func path() throws(ActivationRuleError) -> (PredicatePath, PredicateElementKind)
  {
    let start: PredicatePath.Start
    var kind: PredicateElementKind
    switch current {
    case .variable(let name):
      guard let known = variables[name] else {
        throw ActivationRuleError("unknown variable “$\(name)”", at: position)
      }
      (start, kind) = (.variable(name), known)
    case .word("extensionItems"): (start, kind) = (.extensionItems, .item)
    case .word, .number, .string, .sign, .end: throw unexpected("extensionItems or a variable")
    }
    advance()
    var keys: [PredicateKey] = []
    while takes("."), !isWord("@COUNT") {
      guard case .word(let name) = current, let key = PredicateKey(rawValue: name) else {
        throw unexpected("attachments, registeredTypeIdentifiers or @count")
      }
      guard key.owner == kind else {
        throw ActivationRuleError("\(kind.rawValue) has no \(name)", at: position)
      }
      kind = key.element
      keys.append(key)
      advance()
    }
    return (PredicatePath(start: start, keys: keys), kind)
  }
}
