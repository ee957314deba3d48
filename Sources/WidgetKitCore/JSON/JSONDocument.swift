/// A JSON text with a table of the positions of its values, in the order of the text.
///
/// The table is made in one pass. Readers go from value to value by number, and create strings and
/// numbers only for the values that they request.
final class JSONDocument: Sendable {
  /// One value, or the name of a member, which directly precedes the member's value.
  ///
  /// An entry has 16 bytes, because the longest lists are lists of numbers: larger entries take more
  /// time to write than the numbers take to scan.
  struct Entry: Hashable {
    /// The kind of the value.
    let kind: Kind
    private let start: UInt32
    private var end: UInt32
    private var following: UInt32

    fileprivate init(kind: Kind, bytes: Range<Int>, next: Int) {
      self.kind = kind
      start = UInt32(bytes.lowerBound)
      end = UInt32(bytes.upperBound)
      following = UInt32(next)
    }

    /// The position of the value; that of a string is without its quotes.
    var bytes: Range<Int> { Int(start)..<Int(end) }
    /// The number of the first entry that is not inside this one.
    var next: Int { Int(following) }

    /// Ends an array or an object.
    fileprivate mutating func close(at end: Int, next: Int) {
      self.end = UInt32(end)
      following = UInt32(next)
    }
  }

  enum Kind: UInt8 {
    /// A string without and with escape sequences.
    case string, escapedString
    case number, bool, null, array, object
  }

  /// The text.
  let bytes: [UInt8]
  /// Its values; the first is the outermost one.
  let entries: [Entry]

  /// Reads a text: RFC 8259, strictly, at most `depthLimit` deep.
  init(
    _ bytes: ArraySlice<UInt8>,
    depthLimit: Int,
    allowsNUL: Bool = false
  ) throws(JSONScanner.Failure) {
    guard bytes.count < UInt32.max else {
      throw JSONScanner.Failure(reason: "a text of more than 4 GiB", offset: 0)
    }
    self.bytes = Array(bytes)
    var scanner = JSONScanner(self.bytes[...], depthLimit: depthLimit, allowsNUL: allowsNUL)
    var table = Table()
    table.entries.reserveCapacity(bytes.count / 8)
    try table.addValue(&scanner)
    scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.failure("something follows the value") }
    entries = table.entries
  }

  /// Reads a text that a ``JSONScanner`` has found to be JSON already.
  ///
  /// - Precondition: The text is JSON; that is not checked again.
  init(checked bytes: ArraySlice<UInt8>) {
    self.bytes = Array(bytes)
    var table = Table()
    table.entries.reserveCapacity(bytes.count / 8)
    self.bytes.withUnsafeBufferPointer { table.addChecked($0) }
    entries = table.entries
  }

  /// The table while it is being built.
  private struct Table {
    var entries: [Entry] = []

    mutating func addValue(_ scanner: inout JSONScanner) throws(JSONScanner.Failure) {
      scanner.skipSpace()
      let (number, start) = (entries.count, scanner.position)
      switch scanner.current {
      case UInt8(ascii: "{"):
        add(.object, start..<start)
        try scanner.object { (scanner, key) throws(JSONScanner.Failure) in
          add(key)
          try addValue(&scanner)
        }
        entries[number].close(at: scanner.position, next: entries.count)
      case UInt8(ascii: "["):
        add(.array, start..<start)
        try scanner.array { (scanner) throws(JSONScanner.Failure) in
          try addValue(&scanner)
        }
        entries[number].close(at: scanner.position, next: entries.count)
      case UInt8(ascii: "\""): add(try scanner.string())
      case UInt8(ascii: "t"), UInt8(ascii: "f"): add(.bool, try scanner.value())
      case UInt8(ascii: "n"): add(.null, try scanner.value())
      default: add(.number, try scanner.value())
      }
    }

    /// Adds all values of a text that is JSON: in one loop, in which the kind of a value follows from
    /// its first byte.
    mutating func addChecked(_ text: UnsafeBufferPointer<UInt8>) {
      var open: [Int] = []
      var index = 0
      while index < text.count {
        let start = index
        index += 1
        switch text[start] {
        case UInt8(ascii: "\""):
          var hasEscapes = false
          while index < text.count, text[index] != UInt8(ascii: "\"") {
            let isEscape = text[index] == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            index += isEscape ? 2 : 1
          }
          add(hasEscapes ? .escapedString : .string, start + 1..<index)
          index += 1
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          open.append(entries.count)
          add(text[start] == UInt8(ascii: "{") ? .object : .array, start..<start)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          entries[open.removeLast()].close(at: index, next: entries.count)
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"):
          break
        case let first:
          while index < text.count, Self.continuesScalar(text[index]) { index += 1 }
          switch first {
          case UInt8(ascii: "t"), UInt8(ascii: "f"): add(.bool, start..<index)
          case UInt8(ascii: "n"): add(.null, start..<index)
          default: add(.number, start..<index)
          }
        }
      }
    }

    /// Whether a byte belongs to the number, or to `true`, `false` or `null`, before it.
    private static func continuesScalar(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "E"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
        true
      default: false
      }
    }

    private mutating func add(_ kind: Kind, _ bytes: Range<Int>) {
      entries.append(Entry(kind: kind, bytes: bytes, next: entries.count + 1))
    }

    private mutating func add(_ string: JSONScanner.StringRange) {
      add(string.hasEscapes ? .escapedString : .string, string.content)
    }
  }
}

extension JSONDocument {
  /// The value of entry `number` as a string; nil if it is not a string.
  func string(_ number: Int) -> String? {
    let entry = entries[number]
    switch entry.kind {
    case .string: return string(entry.bytes)
    case .escapedString: return String(decoding: unescaped(entry.bytes), as: UTF8.self)
    case .number, .bool, .null, .array, .object: return nil
    }
  }

  private func string(_ range: Range<Int>) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
  }

  /// How many items an array has, or members an object.
  ///
  /// - Complexity: Linear in that number.
  func count(_ number: Int) -> Int {
    let isObject = entries[number].kind == .object
    var (item, count) = (number + 1, 0)
    while item < entries[number].next {
      item = entries[isObject ? item + 1 : item].next
      count += 1
    }
    return count
  }

  /// The number of the value of the member `name` in the object at entry `object`, if there is one.
  ///
  /// If a member occurs twice, the first is used.
  func member(_ name: String, of object: Int) -> Int? {
    var found: Int?
    var name = name
    name.withUTF8 { wanted in
      forEachMember(of: object) { name, value in
        if found == nil, name.elementsEqual(wanted) { found = value }
      }
    }
    return found
  }

  /// Calls `body` with the name of each member of the object at entry `object`, in UTF-8, and the
  /// number of its value, in their order.
  func forEachMember(
    of object: Int,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: Int) -> Void
  ) {
    // A view reads about twenty members per node: nothing is retained or copied in this loop.
    entries.withUnsafeBufferPointer { entries in
      bytes.withUnsafeBufferPointer { bytes in
        let end = entries[object].next
        var number = object + 1
        while number < end {
          let entry = entries[number]
          if entry.kind == .string {
            body(UnsafeBufferPointer(rebasing: bytes[entry.bytes]), number + 1)
          } else {
            unescaped(entry.bytes).withUnsafeBufferPointer { body($0, number + 1) }
          }
          number = entries[number + 1].next
        }
      }
    }
  }

  /// The value of entry `number` as true or false; nil if it is neither.
  func flag(_ number: Int) -> Bool? {
    let entry = entries[number]
    return entry.kind == .bool ? bytes[entry.bytes.lowerBound] == UInt8(ascii: "t") : nil
  }

  /// The value of entry `number` as the nearest `Double`; nil if it is not a number or too large.
  func double(_ number: Int) -> Double? {
    let entry = entries[number]
    guard entry.kind == .number else { return nil }
    if let value = plainNumber(entry.bytes) { return value }
    let value = Double(string(entry.bytes))
    return value?.isFinite == true ? value : nil
  }

  /// The value of entry `number` as a whole number, even if it is written as 1.0 or 1e2.
  func integer<Value: FixedWidthInteger>(_ number: Int) -> Value? {
    let entry = entries[number]
    guard entry.kind == .number else { return nil }
    if let value = plainNumber(entry.bytes) { return Value(exactly: value) }
    if let value = Value(string(entry.bytes)) { return value }
    return double(number).flatMap { Value(exactly: $0) }
  }

  /// Reads a number of at most 15 digits without an exponent; nil for all others.
  ///
  /// A `Double` represents such digits and the power of ten exactly, so that one division gives the
  /// nearest value (Clinger, “How to read floating point numbers accurately”, 1990).
  private func plainNumber(_ range: Range<Int>) -> Double? {
    guard range.count <= 16 else { return nil }
    var (digits, count, scale) = (0, 0, -1)
    var isNegative = false
    for index in range {
      switch bytes[index] {
      case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        count += 1
        if scale >= 0 { scale += 1 }
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): scale = 0
      default: return nil
      }
    }
    guard count <= 15 else { return nil }
    let value = scale > 0 ? Double(digits) / Self.powersOfTen[scale] : Double(digits)
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// A string in UTF-8 with its escape sequences replaced; the scanner has checked them.
  private func unescaped(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    func unit() -> UInt32 {
      index += 4
      return bytes[(index - 4)..<index].reduce(0) { unit, byte in
        // 0…9 are 0x30…0x39; a…f and A…F have 1…6 in their low bits.
        unit << 4 | UInt32(byte & 0x0F) + (byte >= UInt8(ascii: "A") ? 9 : 0)
      }
    }
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var code = unit()
        if 0xD800...0xDBFF ~= code {
          index += 2
          code = 0x1_0000 + (code - 0xD800) << 10 + (unit() - 0xDC00)
        }
        if code < 0x80 {
          result.append(UInt8(code))
        } else if let scalar = Unicode.Scalar(code), let units = UTF8.encode(scalar) {
          result.append(contentsOf: units)
        }
      default: result.append(escape)
      }
    }
    return result
  }
}
