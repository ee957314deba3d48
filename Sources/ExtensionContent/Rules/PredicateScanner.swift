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
    /// In characters, from 0.
    let range: Range<Int>
  }

  private let characters: [Character]
  private var place = 0

  /// All parts of a text, the last of which is the end.
  static func tokens(in text: String) throws(ActivationRuleError) -> [Placed] {
    var scanner = PredicateScanner(characters: Array(text))
    var tokens: [Placed] = []
    repeat {
      tokens.append(try scanner.next())
    } while tokens.last?.token != .end
    return tokens
  }

  private init(characters: [Character]) { self.characters = characters }

  private mutating func next() throws(ActivationRuleError) -> Placed {
    while place < characters.count, characters[place].isWhitespace { place += 1 }
    let start = place
    guard place < characters.count else { return Placed(token: .end, range: start..<start) }
    let token = try scan(characters[place])
    return Placed(token: token, range: start..<place)
  }

  private mutating func scan(_ first: Character) throws(ActivationRuleError) -> Token {
    switch first {
    case "\"", "'": return .string(try string(until: first))
    case "$":
      place += 1
      let name = taking(Self.isName)
      guard !name.isEmpty else { throw ActivationRuleError("a variable has no name", at: place) }
      return .variable(name)
    case "0"..."9", "-":
      place += 1
      let digits = String(first) + taking { $0.isASCII && $0.isNumber }
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

  private static func isName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || character == "_"
  }

  private mutating func taking(_ belongs: (Character) -> Bool) -> String {
    let taken = characters[place...].prefix(while: belongs)
    place += taken.count
    return String(taken)
  }

  private mutating func string(until quote: Character) throws(ActivationRuleError) -> String {
    let start = place
    var text = ""
    place += 1
    while place < characters.count {
      let character = characters[place]
      place += 1
      if character == quote { return text }
      if character == "\\", place < characters.count {
        text.append(characters[place])
        place += 1
      } else {
        text.append(character)
      }
    }
    throw ActivationRuleError("a string has no end", at: start + 1)
  }

  private static let signs = ["&&", "||", "==", "!=", "<=", ">=", "=<", "=>", "<>"]

  private mutating func sign() throws(ActivationRuleError) -> Token {
    let two = String(characters[place...].prefix(2))
    if Self.signs.contains(two) {
      place += 2
      return .sign(two)
    }
    let one = String(characters[place])
    guard "(),.=<>!".contains(one) else {
      throw ActivationRuleError("unexpected “\(one)”", at: place + 1)
    }
    place += 1
    return .sign(one)
  }
}
