/// A regular expression of RFC 9485 (I-Regexp), over Unicode scalar values.
///
/// All ways to match are followed at once, so that the time grows with the length of the text, and never with a power of
/// it. Besides what the RFC has, `^` and `$` are the beginning and the end of the text, and `\d`, `\s` and `\w` with their
/// opposites are classes, as in most other programs.
struct RegularExpression: Sendable {
  /// Why a text is no regular expression.
  enum Failure: Error, Hashable {
    case invalid
    /// It has more states than are allowed, by its repetitions or its length.
    case tooLarge
  }

  /// A place in the expression.
  enum State: Sendable {
    /// A scalar value of a set is next.
    case set(RegularExpressionSet, next: Int)
    /// The search goes on at all of these places.
    case split([Int])
    /// The text begins here.
    case start(next: Int)
    /// The text ends here.
    case end(next: Int)
    case match
  }

  private let states: [State]
  private let first: Int

  /// Reads an expression.
  init(_ pattern: String) throws(Failure) {
    var parser = RegularExpressionParser(pattern)
    var compiler = RegularExpressionCompiler()
    first = try compiler.compile(try parser.expression())
    states = compiler.states
  }

  /// How many places it has.
  var size: Int { states.count }

  /// Whether it matches a text, or a part of it.
  func matches(
    _ text: String,
    isWhole: Bool,
    budget: inout JSONPathBudget
  ) throws(JSONPathBudget.Exceeded) -> Bool {
    var current = Places(count: states.count)
    var next = Places(count: states.count)
    var scalars = text.unicodeScalars.makeIterator()
    var scalar = scalars.next()
    var isAtStart = true
    try add(first, to: &current, isAtStart: true, isAtEnd: scalar == nil, &budget)
    while let taken = scalar {
      if current.hasMatch, !isWhole { return true }
      // Nothing matches that has begun.
      if isWhole, current.list.isEmpty { return false }
      scalar = scalars.next()
      isAtStart = false
      next.clear()
      try budget.take(1 + current.list.count)
      for place in current.list {
        guard case .set(let set, let following) = states[place] else { continue }
        try budget.take(set.size / 8)
        guard set.contains(taken) else { continue }
        try add(following, to: &next, isAtStart: isAtStart, isAtEnd: scalar == nil, &budget)
      }
      if !isWhole {
        try add(first, to: &next, isAtStart: isAtStart, isAtEnd: scalar == nil, &budget)
      }
      swap(&current, &next)
    }
    return current.hasMatch
  }

  /// Adds a place, and all places that can be reached from it without a scalar value.
  private func add(
    _ place: Int,
    to places: inout Places,
    isAtStart: Bool,
    isAtEnd: Bool,
    _ budget: inout JSONPathBudget
  ) throws(JSONPathBudget.Exceeded) {
    var waiting = [place]
    while let place = waiting.popLast() {
      guard places.insert(place) else { continue }
      try budget.take()
      switch states[place] {
      case .set: places.list.append(place)
      case .split(let following): waiting += following
      case .start(let following): if isAtStart { waiting.append(following) }
      case .end(let following): if isAtEnd { waiting.append(following) }
      case .match: places.hasMatch = true
      }
    }
  }

  /// The places at which a search is at the same time.
  private struct Places {
    /// Those that need a scalar value.
    var list: [Int] = []
    var hasMatch = false
    /// In which round each was added last.
    private var rounds: [Int]
    private var round = 1

    init(count: Int) {
      rounds = Array(repeating: 0, count: count)
    }

    mutating func clear() {
      list.removeAll(keepingCapacity: true)
      hasMatch = false
      round += 1
    }

    /// Returns false if it was there.
    mutating func insert(_ place: Int) -> Bool {
      guard rounds[place] != round else { return false }
      rounds[place] = round
      return true
    }
  }
}

/// A set of scalar values in a regular expression.
struct RegularExpressionSet: Hashable, Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var categories: Set<Unicode.GeneralCategory> = []
  /// Sets that belong to it, such as `\P{L}`.
  var others: [RegularExpressionSet] = []
  /// Whether it has everything else.
  var isNegated = false

  init(_ ranges: ClosedRange<Unicode.Scalar>..., isNegated: Bool = false) {
    self.ranges = ranges
    self.isNegated = isNegated
  }

  init(_ scalar: Unicode.Scalar) { self.init(scalar...scalar) }

  init(categories: Set<Unicode.GeneralCategory>, isNegated: Bool = false) {
    self.categories = categories
    self.isNegated = isNegated
  }

  /// Everything but the ends of lines.
  static let any = RegularExpressionSet("\n"..."\n", "\r"..."\r", isNegated: true)

  /// How long it takes to look for a scalar value.
  var size: Int { ranges.count + others.count }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIncluded =
      ranges.contains { $0.contains(scalar) }
      || !categories.isEmpty && categories.contains(scalar.properties.generalCategory)
      || others.contains { $0.contains(scalar) }
    return isIncluded != isNegated
  }
}
