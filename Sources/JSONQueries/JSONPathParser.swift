import WidgetKitCore

/// Reads a query of RFC 9535.
struct JSONPathParser {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  private var segmentCount = 0

  /// How deep filters may be in each other.
  private static let depthLimit = 32
  /// The segments that a query may have, with those of all queries in its filters.
  private static let segmentLimit = 200
  /// The greatest index (I-JSON, RFC 7493).
  private static let greatestIndex = 9_007_199_254_740_991

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
  }

  /// Takes all of the text.
  mutating func query() throws(JSONPath.Failure) -> [JSONPathSegment] {
    guard take("$") else { throw failure("expected a query that begins with $") }
    let segments = try segments()
    guard index == text.count else { throw failure("expected the end of the query") }
    return segments
  }

  // MARK: - Segments

  private mutating func segments() throws(JSONPath.Failure) -> [JSONPathSegment] {
    var segments: [JSONPathSegment] = []
    while true {
      segmentCount += 1
      guard segmentCount <= Self.segmentLimit else { throw failure("expected a shorter query") }
      let start = index
      skipSpace()
      if take("..") {
        let selectors: [JSONPathSelector]
        if take("[") {
          selectors = try self.selectors()
        } else {
          selectors = [take("*") ? .wildcard : .name(try name())]
        }
        segments.append(JSONPathSegment(selectors: selectors, isDescendant: true))
      } else if take(".") {
        segments.append(JSONPathSegment(selectors: [take("*") ? .wildcard : .name(try name())]))
      } else if take("[") {
        segments.append(JSONPathSegment(selectors: try selectors()))
      } else {
        index = start
        return segments
      }
    }
  }

  /// A name behind a dot: letters, digits, `_`, and everything that is not ASCII.
  private mutating func name() throws(JSONPath.Failure) -> String {
    let start = index
    while let scalar = next, Self.isNamePart(scalar), index > start || !Self.isDigit(scalar) {
      index += 1
    }
    guard index > start else { throw failure("expected a name or *") }
    return string(text[start..<index])
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: !scalar.isASCII
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9") ~= scalar }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  /// The selectors of a bracket, whose `[` was taken.
  private mutating func selectors() throws(JSONPath.Failure) -> [JSONPathSelector] {
    var selectors: [JSONPathSelector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("expected , or ]") }
    return selectors
  }

  private mutating func selector() throws(JSONPath.Failure) -> JSONPathSelector {
    if take("*") { return .wildcard }
    if next == "'" || next == "\"" { return .name(try string()) }
    if take("?") {
      skipSpace()
      return .filter(try condition())
    }
    let start = try integer()
    skipSpace()
    guard take(":") else {
      guard let start else { throw failure("expected a name in quotes, an index, *, or ?") }
      return .index(start)
    }
    skipSpace()
    let end = try integer()
    skipSpace()
    var step: Int?
    if take(":") {
      skipSpace()
      step = try integer()
    }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  private mutating func integer() throws(JSONPath.Failure) -> Int? {
    let start = index
    _ = take("-")
    while let scalar = next, Self.isDigit(scalar) { index += 1 }
    let digits = string(text[start..<index])
    if digits.isEmpty { return nil }
    let plain = digits.drop { $0 == "-" }
    guard let number = Int(digits), number.magnitude <= Self.greatestIndex,
      plain == "0" || plain.first != "0", digits != "-0"
    else {
      index = start
      throw failure("expected an index")
    }
    return number
  }

  // MARK: - Filters

  private mutating func condition() throws(JSONPath.Failure) -> JSONPathCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw failure("expected a filter that is less deep") }
    var parts = [try conjunction()]
    while takeBehindSpace("||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(JSONPath.Failure) -> JSONPathCondition {
    var parts = [try basic()]
    while takeBehindSpace("&&") { parts.append(try basic()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func basic() throws(JSONPath.Failure) -> JSONPathCondition {
    skipSpace()
    if next == "!" {
      index += 1
      skipSpace()
      return .not(try tested(isNegated: true))
    }
    return try tested(isNegated: false)
  }

  /// A condition in parentheses, a comparison, or something that is true by itself.
  private mutating func tested(isNegated: Bool) throws(JSONPath.Failure) -> JSONPathCondition {
    if take("(") {
      let inner = try condition()
      skipSpace()
      guard take(")") else { throw failure("expected )") }
      return inner
    }
    let start = index
    let left = try operand()
    let end = index
    skipSpace()
    guard let comparison = JSONPathComparison.allCases.first(where: { take($0.rawValue) }) else {
      index = end
      switch left {
      case .query(let query): return .exists(query)
      case .match: return .test(left)
      default:
        index = start
        throw failure("expected a comparison")
      }
    }
    guard !isNegated else {
      index = start
      throw failure("expected a comparison in parentheses behind !")
    }
    skipSpace()
    return .comparison(
      try comparable(left, start),
      comparison,
      try comparable(try operand(), index)
    )
  }

  /// Only a single value can be compared.
  private func comparable(
    _ operand: JSONPathOperand,
    _ start: Int
  ) throws(JSONPath.Failure) -> JSONPathOperand {
    switch operand {
    case .query(let query) where !query.isSingular:
      throw JSONPath.Failure(reason: "expected a query for a single value", offset: start)
    case .match:
      throw JSONPath.Failure(reason: "expected a value, not true or false", offset: start)
    default: return operand
    }
  }

  private mutating func operand() throws(JSONPath.Failure) -> JSONPathOperand {
    if let query = try innerQuery() { return .query(query) }
    if next == "'" || next == "\"" { return .literal(.string(try string())) }
    if take("true") { return .literal(.boolean(true)) }
    if take("false") { return .literal(.boolean(false)) }
    if take("null") { return .literal(.null) }
    if let number = try number() { return .literal(number) }
    return try function()
  }

  private mutating func innerQuery() throws(JSONPath.Failure) -> JSONPathQuery? {
    guard next == "@" || next == "$" else { return nil }
    let isRelative = next == "@"
    index += 1
    return JSONPathQuery(isRelative: isRelative, segments: try segments())
  }

  private mutating func number() throws(JSONPath.Failure) -> JSONTree? {
    let start = index
    _ = take("-")
    let digits = index
    while let scalar = next, Self.isDigit(scalar) { index += 1 }
    guard index > digits else {
      index = start
      return nil
    }
    guard index == digits + 1 || text[digits] != "0" else { throw failure("expected a number") }
    if next == ".", index + 1 < text.count, Self.isDigit(text[index + 1]) {
      index += 1
      while let scalar = next, Self.isDigit(scalar) { index += 1 }
    }
    if next == "e" || next == "E" {
      index += 1
      if next == "+" || next == "-" { index += 1 }
      while let scalar = next, Self.isDigit(scalar) { index += 1 }
    }
    let numeral = string(text[start..<index])
    guard Double(numeral) != nil else { throw failure("expected a number") }
    return JSONTree(numeral: numeral)
  }

  private mutating func function() throws(JSONPath.Failure) -> JSONPathOperand {
    let start = index
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw failure("expected functions that are less deep") }
    for name in ["length", "count", "value", "match", "search"] where take(name + "(") {
      skipSpace()
      let result: JSONPathOperand
      switch name {
      case "length": result = .length(try comparable(try operand(), index))
      case "count": result = .count(try queryArgument())
      case "value": result = .value(try queryArgument())
      default:
        let subject = try comparable(try operand(), index)
        skipSpace()
        guard take(",") else { throw failure("expected a comma") }
        skipSpace()
        let pattern = try comparable(try operand(), index)
        result = .match(subject, pattern, isWhole: name == "match")
      }
      skipSpace()
      guard take(")") else { throw failure("expected )") }
      return result
    }
    index = start
    throw failure("expected a query, a value, or a function")
  }

  private mutating func queryArgument() throws(JSONPath.Failure) -> JSONPathQuery {
    guard let query = try innerQuery() else { throw failure("expected a query") }
    return query
  }

  // MARK: - Characters

  private mutating func string() throws(JSONPath.Failure) -> String {
    let quote = text[index]
    index += 1
    var value = ""
    while let scalar = next {
      switch scalar {
      case quote:
        index += 1
        return value
      case "\\":
        index += 1
        value.unicodeScalars.append(try escape(quote))
      case "\0"..<" ": throw failure("expected an escape in place of a control character")
      default:
        index += 1
        value.unicodeScalars.append(scalar)
      }
    }
    throw failure("expected the end of a text in quotes")
  }

  private mutating func escape(_ quote: Unicode.Scalar) throws(JSONPath.Failure) -> Unicode.Scalar {
    guard let scalar = next else { throw failure("expected an escape") }
    index += 1
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return scalar
    case "u":
      let high = try unit()
      if 0xD800...0xDBFF ~= high, take("\\u") {
        let low = try unit()
        let code = 0x1_0000 + (high - 0xD800) << 10 + (low &- 0xDC00)
        if 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(code) { return scalar }
      } else if let scalar = Unicode.Scalar(high) {
        return scalar
      }
      throw failure("expected a character behind \\u")
    default: throw failure("expected an escape")
    }
  }

  private mutating func unit() throws(JSONPath.Failure) -> UInt32 {
    let digits = string(text[index..<min(text.count, index + 4)])
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let code = UInt32(digits, radix: 16)
    else { throw failure("expected four hexadecimal digits") }
    index += 4
    return code
  }

  private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

  private mutating func skipSpace() {
    while let scalar = next, [" ", "\t", "\n", "\r"].contains(scalar) { index += 1 }
  }

  private mutating func take(_ word: String) -> Bool {
    let scalars = word.unicodeScalars
    guard text[index...].starts(with: scalars) else { return false }
    index += scalars.count
    return true
  }

  private mutating func takeBehindSpace(_ word: String) -> Bool {
    let start = index
    skipSpace()
    if take(word) { return true }
    index = start
    return false
  }

  private func failure(_ reason: String) -> JSONPath.Failure {
    JSONPath.Failure(reason: reason, offset: index)
  }
}
