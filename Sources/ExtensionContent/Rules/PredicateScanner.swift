import WidgetKitCore

/// Divides the text of a predicate into words, numbers, strings and signs.
struct PredicateScanner {
  enum Token: Hashable, Sendable {
    /// A name or a word of the language, as it is written.
    case word(String)
    case variable(String)
    case number(Int)
    case string(String)
    /// A sign such as `(` or `>=`.
    case sign(String)
    case end
  }

  struct Placed: Hashable, Sendable {
    let token: Token
    /// In Unicode scalars, from 0.
    let range: Range<Int>
  }

  private let scalars: [Unicode.Scalar]
  private var place = 0

  /// All parts of a text, the last of which is the end.
  static func tokens(in text: [Unicode.Scalar]) throws(ActivationRuleError) -> [Placed] {
    var scanner = PredicateScanner(scalars: text)
    var tokens: [Placed] = []
    repeat {
      tokens.append(try scanner.next())
    } while tokens.last?.token != .end
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func next() throws(ActivationRuleError) -> Placed {
    while place < scalars.count, scalars[place].isWhitespace { place += 1 }
    let start = place
    guard place < scalars.count else { return Placed(token: .end, range: start..<start) }
    let token = try scan(scalars[place])
    return Placed(token: token, range: start..<place)
  }

  private mutating func scan(_ first: Unicode.Scalar) throws(ActivationRuleError) -> Token {
    switch first {
    case "\"", "'": return .string(try string(until: first))
    case "$":
      place += 1
      let name = taking(Self.isName)
      guard !name.isEmpty else { throw ActivationRuleError("a variable has no name", at: place) }
      return .variable(name)
    case "0"..."9", "-":
      place += 1
      let digits = String(first) + taking { ("0"..."9").contains($0) }
      guard digits != "-" else { throw ActivationRuleError("unexpected “-”", at: place) }
      // Only one out of range is no number now.
      return .number(Int(digits) ?? (first == "-" ? .min : .max))
    case "@":
      place += 1
      return .word("@" + taking(Self.isName))
    case let letter where Self.isName(letter):
      return .word(taking { Self.isName($0) || $0 == "-" })
    default: return try sign()
    }
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private mutating func taking(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    while place < scalars.count, belongs(scalars[place]) {
      text.unicodeScalars.append(scalars[place])
      place += 1
    }
    return text
  }

  private mutating func string(until quote: Unicode.Scalar) throws(ActivationRuleError) -> String {
    let start = place
    var text = String.UnicodeScalarView()
    place += 1
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      if scalar == quote { return String(text) }
      if scalar == "\\", place < scalars.count {
        text.append(scalars[place])
        place += 1
      } else {
        text.append(scalar)
      }
    }
    throw ActivationRuleError("a string has no end", at: start + 1)
  }

  private static let signs = ["&&", "||", "==", "!=", "<=", ">=", "=<", "=>", "<>"]

  private mutating func sign() throws(ActivationRuleError) -> Token {
    let two = String(String.UnicodeScalarView(scalars[place...].prefix(2)))
    if Self.signs.contains(two) {
      place += 2
      return .sign(two)
    }
    let one = String(scalars[place])
    guard "(),.=<>!".contains(one) else {
      throw ActivationRuleError("unexpected “\(one)”", at: place + 1)
    }
    place += 1
    return .sign(one)
  }
}
