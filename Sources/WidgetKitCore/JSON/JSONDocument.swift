/// A JSON text with a table of the positions of its values, in the order of the text.
///
/// The table is made in one pass. Readers go from value to value by number, and create strings and
/// numbers only for the values that they request.
final class JSONDocument: Sendable {
  /// One value, or the name of a member, which directly precedes the member's value.
  struct Entry {
    /// The kind of the value.
    var kind: Kind
    /// The position of the value; that of a string is without its quotes.
    var bytes: Range<Int>
    /// The number of the first entry that is not inside this one.
    var next: Int
    /// The number of items in an array, or of members in an object.
    var count = 0
  }

  enum Kind {
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
    self.bytes = Array(bytes)
    var scanner = JSONScanner(self.bytes[...], depthLimit: depthLimit, allowsNUL: allowsNUL)
    var table = Table()
    table.entries.reserveCapacity(bytes.count / 8)
    try table.addValue(&scanner)
    scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.failure("something follows the value") }
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
        var count = 0
        add(.object, start..<start)
        try scanner.object { (scanner, key) throws(JSONScanner.Failure) in
          addString(key, of: scanner)
          try addValue(&scanner)
          count += 1
        }
        close(number, at: scanner.position, count: count)
      case UInt8(ascii: "["):
        var count = 0
        add(.array, start..<start)
        try scanner.array { (scanner) throws(JSONScanner.Failure) in
          try addValue(&scanner)
          count += 1
        }
        close(number, at: scanner.position, count: count)
      case UInt8(ascii: "\""): addString(try scanner.string(), of: scanner)
      case UInt8(ascii: "t"), UInt8(ascii: "f"): add(.bool, try scanner.value())
      case UInt8(ascii: "n"): add(.null, try scanner.value())
      default: add(.number, try scanner.value())
      }
    }

    private mutating func add(_ kind: Kind, _ bytes: Range<Int>) {
      entries.append(Entry(kind: kind, bytes: bytes, next: entries.count + 1))
    }

    private mutating func addString(_ bytes: Range<Int>, of scanner: JSONScanner) {
      add(scanner.hasEscapes(bytes) ? .escapedString : .string, bytes)
    }

    private mutating func close(_ number: Int, at end: Int, count: Int) {
      entries[number].bytes = entries[number].bytes.lowerBound..<end
      entries[number].next = entries.count
      entries[number].count = count
    }
  }
}

extension JSONDocument {
  /// The value of entry `number` as a string; nil if it is not a string.
  func string(_ number: Int) -> String? {
    let entry = entries[number]
    switch entry.kind {
    case .string: return String(decoding: bytes[entry.bytes], as: UTF8.self)
    case .escapedString: return unescaped(entry.bytes)
    case .number, .bool, .null, .array, .object: return nil
    }
  }

  /// The number of the value of the member `name` in the object at entry `object`, if there is one.
  ///
  /// If a member occurs twice, the first is used.
  func member(_ name: String, of object: Int) -> Int? {
    // A view reads about twenty members per node: nothing is retained or copied in this loop.
    var name = name
    return name.withUTF8 { wanted in
      entries.withUnsafeBufferPointer { entries in
        bytes.withUnsafeBufferPointer { bytes in
          let end = entries[object].next
          var number = object + 1
          while number < end {
            let entry = entries[number]
            if entry.kind == .string {
              let found = UnsafeBufferPointer(rebasing: bytes[entry.bytes])
              if found.count == wanted.count, found.elementsEqual(wanted) { return number + 1 }
            } else if unescaped(entry.bytes).utf8.elementsEqual(wanted) {
              return number + 1
            }
            number = entries[number + 1].next
          }
          return nil
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
    if let value = Self.plainNumber(bytes[entry.bytes]) { return value }
    let value = Double(String(decoding: bytes[entry.bytes], as: UTF8.self))
    return value?.isFinite == true ? value : nil
  }

  /// The value of entry `number` as a whole number, even if it is written as 1.0 or 1e2.
  func integer<Value: FixedWidthInteger>(_ number: Int) -> Value? {
    let entry = entries[number]
    guard entry.kind == .number else { return nil }
    if let value = Value(String(decoding: bytes[entry.bytes], as: UTF8.self)) { return value }
    return double(number).flatMap { Value(exactly: $0) }
  }

  /// Reads a number of at most 15 digits without an exponent; nil for all others.
  ///
  /// A `Double` represents such digits and the power of ten exactly, so that one division gives the
  /// nearest value (Clinger, “How to read floating point numbers accurately”, 1990).
  private static func plainNumber(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.count <= 16 else { return nil }
    var (digits, count, scale) = (0, 0, -1)
    var isNegative = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        count += 1
        if scale >= 0 { scale += 1 }
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): scale = 0
      default: return nil
      }
    }
    guard count <= 15 else { return nil }
    let value = scale > 0 ? Double(digits) / powersOfTen[scale] : Double(digits)
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// A string with its escape sequences replaced; the scanner has checked them.
  private func unescaped(_ range: Range<Int>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var rest = bytes[range]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var unit = Self.unit(&rest)
        if 0xD800...0xDBFF ~= unit {
          rest.removeFirst(2)
          unit = 0x1_0000 + (unit - 0xD800) << 10 + (Self.unit(&rest) - 0xDC00)
        }
        Unicode.Scalar(unit).map { result.append(contentsOf: UTF8.encode($0) ?? .init()) }
      default: result.append(escape)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Reads the four hexadecimal digits of a `\u`.
  private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return digits.reduce(0) { unit, byte in
      // 0…9 are 0x30…0x39; a…f and A…F have 1…6 in their low bits.
      unit << 4 | UInt32(byte & 0x0F) + (byte >= UInt8(ascii: "A") ? 9 : 0)
    }
  }
}
