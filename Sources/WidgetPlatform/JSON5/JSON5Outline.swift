package import WidgetKitCore

/// The values of a JSON5 text and where each of them is, so that an error can name its line and column.
///
/// Foundation gives values without positions. The grammar is that of <https://spec.json5.org>.
package struct JSON5Outline {
  /// A place in the text; both count from 1, the column in Unicode scalars.
  package struct Place: Hashable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    /// Creates it with its values.
    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    /// `4:12`.
    package var description: String { "\(line):\(column)" }
  }

  /// Why a text is not JSON5, and where.
  struct Failure: Error, Equatable {
    var reason: String
    var place: Place
  }

  /// A value of the text.
  package struct Entry: Hashable {
    /// Where the member's name begins; nil for an element of a list and for the whole text.
    package var name: Place?
    /// Where the value begins.
    package var value: Place
    /// What the value is: `an object`, `a list`, or its first characters as they are in the text.
    package var words: String
    /// Whether the same object has an earlier member of this name.
    package var isRepeated: Bool
  }

  /// The value of the whole text.
  ///
  /// Of a member that is given twice it has the first. A number that a `Double` cannot hold, such as `NaN`, is null.
  package private(set) var value = JSONTree.null

  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var marks: [MemberPath: Mark] = [:]
  /// The offset at which each line begins, in order.
  private let lines: [Int]
  private static let depthLimit = 64
  /// How much of a value is quoted.
  private static let quoteLimit = 40

  /// What is known of a value; of a member that is given twice, of the last one.
  private struct Mark {
    var name: Int?
    var value: Range<Int>
    var isRepeated: Bool
  }

  /// Reads a text.
  init(_ text: String) throws(Failure) {
    let scalars = Array(text.unicodeScalars)
    self.text = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
    try skipSpace()
    value = try value(.top, name: nil)
    try skipSpace()
    guard current == nil else { throw failure("expected the end of the file") }
  }

  private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private func failure(_ reason: String, at offset: Int? = nil) -> Failure {
    Failure(reason: reason, place: place(offset ?? position))
  }

  private func place(_ offset: Int) -> Place {
    // The last line that begins at the offset or before it.
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    return Place(line: low + 1, column: offset - lines[low] + 1)
  }

  /// What is known of the value at a path; nil where there is none.
  ///
  /// - Complexity: O(log *n*) for *n* lines.
  package subscript(path: MemberPath) -> Entry? {
    guard let mark = marks[path] else { return nil }
    return Entry(
      name: mark.name.map { place($0) },
      value: place(mark.value.lowerBound),
      words: words(mark.value),
      isRepeated: mark.isRepeated
    )
  }

  /// All paths of members that are given more than once, in their order.
  package var repeated: [MemberPath] {
    marks.filter(\.value.isRepeated).sorted {
      $0.value.value.lowerBound < $1.value.value.lowerBound
    }
    .map(\.key)
  }

  private func words(_ range: Range<Int>) -> String {
    switch text[range.lowerBound] {
    case "{": return "an object"
    case "[": return "a list"
    default:
      var words = String.UnicodeScalarView()
      words.append(contentsOf: text[range.prefix(Self.quoteLimit)])
      return String(words) + (range.count > Self.quoteLimit ? "…" : "")
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    let scalars = Array(word.unicodeScalars)
    guard text[position...].starts(with: scalars) else { return false }
    position += scalars.count
    return true
  }

  /// Passes over white space and comments.
  private mutating func skipSpace() throws(Failure) {
    while let scalar = current {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        position += 1
      } else if takeWord("//") {
        while let scalar = current, scalar != "\n" { _ = take(scalar) }
      } else if takeWord("/*") {
        let start = position - 2
        while !takeWord("*/") {
          guard current != nil else { throw failure("a comment without an end", at: start) }
          position += 1
        }
      } else {
        return
      }
    }
  }

  /// Reads the value at `path`, whose name is at the offset `name`.
  private mutating func value(_ path: MemberPath, name: Int?) throws(Failure) -> JSONTree {
    try skipSpace()
    let start = position
    let isRepeated = marks[path] != nil
    let value: JSONTree
    switch current {
    case "{": value = .object(try object(path))
    case "[": value = .array(try array(path))
    case "\"", "'": value = .string(try string())
    case "t" where takeWord("true"): value = .boolean(true)
    case "f" where takeWord("false"): value = .boolean(false)
    case "n" where takeWord("null"): value = .null
    case "+", "-", ".", "I", "N": value = try number()
    case let digit? where "0"..."9" ~= digit: value = try number()
    case nil: throw failure("the file ends where a value was expected")
    default: throw failure("expected a value")
    }
    marks[path] = Mark(name: name, value: start..<position, isRepeated: isRepeated)
    return value
  }

  private mutating func object(_ path: MemberPath) throws(Failure) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    try descend()
    try skipSpace()
    while !take("}") {
      let start = position
      let name = try memberName()
      try skipSpace()
      guard take(":") else { throw failure("expected a colon after “\(name)”") }
      let member = path.member(name)
      let isFirst = marks[member] == nil
      let value = try value(member, name: start)
      if isFirst { members.append(JSONTree.Member(name: name, value: value)) }
      try skipSpace()
      if take(",") {
        try skipSpace()
      } else if current != "}" {
        throw failure("expected a comma or }")
      }
    }
    depth -= 1
    return members
  }

  private mutating func array(_ path: MemberPath) throws(Failure) -> [JSONTree] {
    var items: [JSONTree] = []
    try descend()
    try skipSpace()
    while !take("]") {
      items.append(try value(path.element(items.count), name: nil))
      try skipSpace()
      if take(",") {
        try skipSpace()
      } else if current != "]" {
        throw failure("expected a comma or ]")
      }
    }
    depth -= 1
    return items
  }

  private mutating func descend() throws(Failure) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw failure("nested more than \(Self.depthLimit) deep, the limit")
    }
    position += 1
  }

  private mutating func memberName() throws(Failure) -> String {
    if current == "\"" || current == "'" { return try string() }
    let start = position
    while let scalar = current, Self.isNamePart(scalar) { position += 1 }
    guard position > start, let first = text[start...].first, !("0"..."9" ~= first) else {
      throw failure("expected a member's name", at: start)
    }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: text[start..<position])
    return String(name)
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar == "_" || scalar.properties.isIDContinue
  }

  private mutating func string() throws(Failure) -> String {
    let start = position
    guard let quote = current else { throw failure("expected a string") }
    position += 1
    var content = String.UnicodeScalarView()
    while let scalar = current, scalar != quote {
      guard scalar != "\n" else { break }
      position += 1
      if scalar != "\\" {
        content.append(scalar)
      } else if let scalar = try escape() {
        content.append(scalar)
      }
    }
    guard take(quote) else { throw failure("a string without an end", at: start) }
    return String(content)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}",
  ]

  /// What an escape sequence after its backslash stands for; nil for the end of a line, which is left out.
  ///
  /// NUL and half of a surrogate pair, which no text has, are U+FFFD.
  private mutating func escape() throws(Failure) -> Unicode.Scalar? {
    guard let scalar = current else { return nil }
    position += 1
    switch scalar {
    case "x": return Unicode.Scalar(try hexadecimal(2)).flatMap { $0 == "\0" ? "\u{FFFD}" : $0 }
    case "u":
      var code = try hexadecimal(4)
      if 0xD800...0xDBFF ~= code, text[position...].starts(with: ["\\", "u"]) {
        position += 2
        let low = try hexadecimal(4)
        guard 0xDC00...0xDFFF ~= low else { return "\u{FFFD}" }
        code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    case "0": return "\u{FFFD}"
    case "1"..."9":
      position -= 1
      throw failure("an unknown escape in a string")
    case "\r":
      _ = take("\n")
      return nil
    case "\n", "\u{2028}", "\u{2029}": return nil
    default: return Self.escapes[scalar] ?? scalar
    }
  }

  private mutating func hexadecimal(_ count: Int) throws(Failure) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<count {
      guard let scalar = current, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw failure("expected \(count) hexadecimal digits")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func number() throws(Failure) -> JSONTree {
    let start = position
    if !take("+") { _ = take("-") }
    if takeWord("Infinity") || takeWord("NaN") { return try endNumber(start) }
    if takeWord("0x") || takeWord("0X") {
      let digits = position
      while let scalar = current, scalar.isASCII, scalar.properties.isHexDigit { position += 1 }
      guard position > digits else { throw failure("expected hexadecimal digits") }
      return try endNumber(start)
    }
    let leads = take("0") || takeDigits()
    let follows = take(".") && takeDigits()
    guard leads || follows else { throw failure("not a number", at: start) }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard takeDigits() else { throw failure("expected the digits of an exponent") }
    }
    return try endNumber(start)
  }

  private mutating func takeDigits() -> Bool {
    let start = position
    while let scalar = current, "0"..."9" ~= scalar { position += 1 }
    return position > start
  }

  /// A number ends where neither a digit nor a letter follows: `01` and `1px` are none.
  private func endNumber(_ start: Int) throws(Failure) -> JSONTree {
    if let scalar = current, Self.isNamePart(scalar) || scalar == "." {
      throw failure("not a number", at: start)
    }
    var numeral = String.UnicodeScalarView()
    numeral.append(contentsOf: text[start..<position])
    return Double(String(numeral)).flatMap { $0.isFinite ? .number($0) : nil } ?? .null
  }
}
