/// Reads a regular expression of RFC 9485.
struct RegularExpressionParser {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  /// How deep groups may be in each other.
  private static let depthLimit = 50

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
  }

  /// Takes all of the text.
  mutating func expression() throws(RegularExpression.Failure) -> RegularExpressionNode {
    let node = try choice()
    guard index == text.count else { throw .invalid }
    return node
  }

  private mutating func choice() throws(RegularExpression.Failure) -> RegularExpressionNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw .tooLarge }
    var branches = [try branch()]
    while take("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func branch() throws(RegularExpression.Failure) -> RegularExpressionNode {
    var pieces: [RegularExpressionNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      index += 1
      pieces.append(try quantified(try atom(scalar)))
    }
    return .sequence(pieces)
  }

  private mutating func atom(
    _ scalar: Unicode.Scalar
  ) throws(RegularExpression.Failure) -> RegularExpressionNode {
    switch scalar {
    case "(":
      let inner = try choice()
      guard take(")") else { throw .invalid }
      return inner
    case ".": return .set(.any)
    case "^": return .start
    case "$": return .end
    case "[": return .set(try set())
    case "\\": return .set(try escape())
    case "*", "+", "?", "]", "{", "}": throw .invalid
    default: return .set(RegularExpressionSet(scalar))
    }
  }

  // MARK: - Repetitions

  private mutating func quantified(
    _ node: RegularExpressionNode
  ) throws(RegularExpression.Failure) -> RegularExpressionNode {
    if take("*") { return .repetition(node, least: 0, most: nil) }
    if take("+") { return .repetition(node, least: 1, most: nil) }
    if take("?") { return .repetition(node, least: 0, most: 1) }
    guard take("{") else { return node }
    guard let least = number() else { throw .invalid }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}"), least <= most ?? .max else { throw .invalid }
    return .repetition(node, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let scalar = next, ("0"..."9") ~= scalar {
      let digit = Int(scalar.value - 0x30)
      let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
      number = overflow || product > Int.max - digit ? .max : product + digit
      index += 1
    }
    return number
  }

  // MARK: - Sets

  /// A set in brackets, whose `[` was taken.
  private mutating func set() throws(RegularExpression.Failure) -> RegularExpressionSet {
    var set = RegularExpressionSet()
    set.isNegated = take("^")
    let isEmpty = !take("-")
    if !isEmpty { set.ranges.append("-"..."-") }
    var count = isEmpty ? 0 : 1
    while !take("]") {
      guard let scalar = next else { throw .invalid }
      index += 1
      if scalar == "-" {
        // At the end it stands for itself.
        guard take("]"), count > 0 else { throw .invalid }
        set.ranges.append("-"..."-")
        return set
      }
      try addElement(scalar, to: &set)
      count += 1
    }
    guard count > 0 else { throw .invalid }
    return set
  }

  private mutating func addElement(
    _ scalar: Unicode.Scalar,
    to set: inout RegularExpressionSet
  ) throws(RegularExpression.Failure) {
    guard scalar != "[" else { throw .invalid }
    let element = scalar == "\\" ? try escape() : RegularExpressionSet(scalar)
    // Only a single scalar value begins a range.
    guard element.isScalar, let low = element.ranges.first?.lowerBound else {
      set.others.append(element)
      return
    }
    guard next == "-", index + 1 < text.count, text[index + 1] != "]" else {
      set.ranges.append(low...low)
      return
    }
    let end = text[index + 1]
    index += 2
    guard end != "[", end != "-" else { throw .invalid }
    let last = end == "\\" ? try escape() : RegularExpressionSet(end)
    guard last.isScalar, let high = last.ranges.first?.upperBound, low <= high else {
      throw .invalid
    }
    set.ranges.append(low...high)
  }

  /// What follows a `\`.
  private mutating func escape() throws(RegularExpression.Failure) -> RegularExpressionSet {
    guard let scalar = next else { throw .invalid }
    index += 1
    switch scalar {
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "$":
      return RegularExpressionSet(scalar)
    case "n": return RegularExpressionSet("\n")
    case "r": return RegularExpressionSet("\r")
    case "t": return RegularExpressionSet("\t")
    case "p", "P": return try category(isNegated: scalar == "P")
    case "d", "D": return RegularExpressionSet("0"..."9", isNegated: scalar == "D")
    case "s", "S":
      return RegularExpressionSet("\t"..."\r", " "..." ", isNegated: scalar == "S")
    case "w", "W":
      return RegularExpressionSet(
        "a"..."z",
        "A"..."Z",
        "0"..."9",
        "_"..."_",
        isNegated: scalar == "W"
      )
    default: throw .invalid
    }
  }

  private mutating func category(
    isNegated: Bool
  ) throws(RegularExpression.Failure) -> RegularExpressionSet {
    guard take("{") else { throw .invalid }
    var name = ""
    while let scalar = next, scalar != "}" {
      guard name.utf8.count < 2 else { throw .invalid }
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard take("}") else { throw .invalid }
    let found = Self.categories.filter {
      $0.key == name || name.utf8.count == 1 && $0.key.hasPrefix(name)
    }
    guard !found.isEmpty else { throw .invalid }
    return RegularExpressionSet(categories: Set(found.values), isNegated: isNegated)
  }

  private static let categories: [String: Unicode.GeneralCategory] = [
    "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
    "Lu": .uppercaseLetter, "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
    "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
    "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation,
    "Pi": .initialPunctuation, "Po": .otherPunctuation, "Ps": .openPunctuation,
    "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Zs": .spaceSeparator, "Sc": .currencySymbol,
    "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol, "Cc": .control, "Cf": .format,
    "Cn": .unassigned, "Co": .privateUse,
  ]

  private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }
}

extension RegularExpressionSet {
  /// Whether it has one scalar value alone.
  fileprivate var isScalar: Bool {
    !isNegated && categories.isEmpty && others.isEmpty && ranges.count == 1
      && ranges[0].lowerBound == ranges[0].upperBound
  }
}
