/// Validates JSON text without creating values, strictly by RFC 8259.
///
/// Foundation's decoder also accepts UTF-16, a byte order mark, NUL in strings and any depth up to 512;
/// therefore a widget's line is checked by this scanner first. It checks the whole text and allocates
/// nothing.
struct JSONScanner {
  /// Why a text is not JSON, and the offset of the error.
  struct Failure: Error {
    var reason: String
    var offset: Int
  }

  private let bytes: [UInt8]
  /// What is added to an index of `bytes` in every range that is returned.
  private let offset: Int
  private let depthLimit: Int
  private let allowsNUL: Bool
  /// The index of the next byte in `bytes`.
  private var index = 0
  private var depth = 0

  /// Creates a scanner at the beginning of a text.
  ///
  /// `allowsNUL` allows `\u0000` in strings, which widgets may not send.
  init(_ bytes: ArraySlice<UInt8>, depthLimit: Int, allowsNUL: Bool = false) {
    self.bytes = Array(bytes)
    offset = bytes.startIndex
    self.depthLimit = depthLimit
    self.allowsNUL = allowsNUL
  }

  /// The index of the next byte in the text.
  var position: Int { index + offset }

  var isAtEnd: Bool { index == bytes.count }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  func failure(_ reason: String) -> Failure {
    Failure(reason: reason, offset: index)
  }

  mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  /// Skips one value of any kind and returns its range.
  mutating func value() throws(Failure) -> Range<Int> {
    skipSpace()
    let start = position
    switch current {
    case UInt8(ascii: "{"): try object { (scanner, _) throws(Failure) in _ = try scanner.value() }
    case UInt8(ascii: "["): try array { (scanner) throws(Failure) in _ = try scanner.value() }
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "-")?: try number()
    case let digit? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit: try number()
    case nil: throw failure("the text ends where a value was expected")
    default: throw failure("expected a value")
    }
    return start..<position
  }

  /// Skips an object; `member` is called at each value with its key, and must skip the value.
  mutating func object(
    member: (inout JSONScanner, StringRange) throws(Failure) -> Void
  ) throws(Failure) {
    try descend()
    _ = take(UInt8(ascii: "{"))
    skipSpace()
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw failure("expected a member's name") }
        let key = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw failure("expected a colon") }
        skipSpace()
        try member(&self, key)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw failure("expected a comma or }") }
    }
    depth -= 1
  }

  /// Skips an array; `item` is called at each item and must skip it.
  mutating func array(item: (inout JSONScanner) throws(Failure) -> Void) throws(Failure) {
    try descend()
    _ = take(UInt8(ascii: "["))
    skipSpace()
    if !take(UInt8(ascii: "]")) {
      repeat {
        try item(&self)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw failure("expected a comma or ]") }
    }
    depth -= 1
  }

  private mutating func descend() throws(Failure) {
    depth += 1
    guard depth <= depthLimit else {
      throw failure("nested more than \(depthLimit) deep, the limit")
    }
  }

  /// A string of the text.
  struct StringRange {
    /// Its content, without the quotes.
    var content: Range<Int>
    /// Whether there are escape sequences in it.
    var hasEscapes: Bool
  }

  /// Skips a string.
  mutating func string() throws(Failure) -> StringRange {
    index += 1
    let start = position
    var hasEscapes = false
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return StringRange(content: start..<(position - 1), hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      case 0..<0x20:
        throw failure("a control character in a string")
      default:
        index += 1
      }
    }
    throw failure("a string without an end")
  }

  private mutating func escape() throws(Failure) {
    index += 1
    guard let byte = current else { throw failure("a string without an end") }
    index += 1
    switch byte {
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if unit == 0, !allowsNUL { throw failure("a NUL in a string") }
      if 0xDC00...0xDFFF ~= unit { throw failure("half of a surrogate pair") }
      guard 0xD800...0xDBFF ~= unit else { return }
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")),
        0xDC00...0xDFFF ~= (try hexadecimal())
      else { throw failure("half of a surrogate pair") }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    default:
      throw failure("an unknown escape in a string")
    }
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap(Self.digit) else {
        throw failure("expected four hexadecimal digits")
      }
      unit = unit << 4 | digit
      index += 1
    }
    return unit
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private mutating func word(_ text: StaticString) throws(Failure) {
    for unit in 0..<text.utf8CodeUnitCount {
      guard current == text.utf8Unit(at: unit) else { throw failure("expected a value") }
      index += 1
    }
  }

  private mutating func number() throws(Failure) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
      index += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(Failure) {
    let start = index
    while let byte = current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
    guard index > start else { throw failure("expected a digit") }
  }
}

extension StaticString {
  fileprivate func utf8Unit(at index: Int) -> UInt8 {
    withUTF8Buffer { $0[index] }
  }
}
