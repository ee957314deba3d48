/// One line of the journal, as bytes and as numbers.
///
/// ```
/// 9f…16 digits…c2 P 42 1790000000000 1 - 1790003600000 b1… 77… {"application":"make",…}
/// 03…16 digits…1a A 43 1790000050000 42 {"name":"Show"}
/// ```
/// The checksum is that of all bytes behind the blank after it. Then come the kind, the number of the line, which
/// grows from line to line, and the milliseconds since 1970. What a list of notices is sorted and chosen by is in
/// fields, so that the JSON of 100,000 notices need not be read to show ten of them.
struct JournalLine: Hashable {
  /// What a line says.
  enum Kind: UInt8 {
    /// The first line of a journal: its name, and the size after it was written anew.
    case head = 0x48  // H
    /// A notice.
    case post = 0x50  // P
    /// What became of an earlier notice.
    case dismissed = 0x44  // D
    case acted = 0x41  // A
    case seen = 0x53  // S
    case waiting = 0x57  // W
  }

  /// The place of the whole line, without its end.
  var bytes: Range<Int>
  var kind: Kind
  /// The number of the line, which a notice has as its number: 1 to 2⁵³ − 1; 0 for the first line.
  var sequence: Int
  /// When it was written, in milliseconds since 1970.
  var time: Int
  /// The place of what follows these fields.
  var rest: Range<Int>

  /// The greatest number of a line.
  static let sequenceLimit = 1 << 53
  /// Times before and after this many milliseconds are none of a clock: the year 9999.
  static let timeLimit = 253_402_300_800_000

  private static let checksumDigits = 16

  /// The line as bytes, with its end.
  static func compose(_ kind: Kind, _ sequence: Int, _ time: Int, _ rest: [UInt8]) -> [UInt8] {
    let text = Array("\(Character(Unicode.Scalar(kind.rawValue))) \(sequence) \(time) ".utf8) + rest
    let checksum = LineChecksum.value(of: text, text.indices)
    return Array(hexadecimal(checksum).utf8) + [Self.blank] + text + [Self.end]
  }

  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: checksumDigits - digits.count) + digits
  }

  static let blank = UInt8(ascii: " ")
  static let end = UInt8(ascii: "\n")

  /// Reads the line at a place of a journal; nil if it is damaged or no line of a journal.
  init?(_ journal: [UInt8], _ bytes: Range<Int>) {
    guard bytes.count > Self.checksumDigits + 2,
      journal[bytes.lowerBound + Self.checksumDigits] == Self.blank
    else { return nil }
    var fields = FieldReader(journal, bytes)
    guard let checksum = fields.hexadecimal(),
      LineChecksum.value(of: journal, fields.left) == checksum
    else { return nil }
    guard let letter = fields.letter(), let kind = Kind(rawValue: letter),
      let sequence = fields.number(), 0..<Self.sequenceLimit ~= sequence,
      let time = fields.number(), -Self.timeLimit..<Self.timeLimit ~= time
    else { return nil }
    self.bytes = bytes
    self.kind = kind
    self.sequence = sequence
    self.time = time
    rest = fields.left
  }
}

/// Reads the fields of a line, which blanks separate, from left to right.
struct FieldReader {
  private let journal: [UInt8]
  /// What was not read.
  private(set) var left: Range<Int>

  init(_ journal: [UInt8], _ left: Range<Int>) {
    self.journal = journal
    self.left = left
  }

  /// The next field.
  private mutating func field() -> Range<Int>? {
    guard !left.isEmpty else { return nil }
    var place = left.lowerBound
    while place < left.upperBound, journal[place] != JournalLine.blank { place += 1 }
    let field = left.lowerBound..<place
    left = min(place + 1, left.upperBound)..<left.upperBound
    return field
  }

  /// Leaves a field out.
  mutating func skip() { _ = field() }

  /// A field of one byte.
  mutating func letter() -> UInt8? {
    guard let field = field(), field.count == 1 else { return nil }
    return journal[field.lowerBound]
  }

  /// A whole number of at most 18 digits, also a negative one.
  mutating func number() -> Int? {
    guard var field = field(), let first = field.first else { return nil }
    let isNegative = journal[first] == UInt8(ascii: "-")
    if isNegative { field = field.dropFirst() }
    guard 1...18 ~= field.count else { return nil }
    var number = 0
    for place in field {
      let digit = journal[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return isNegative ? -number : number
  }

  /// A number of 16 hexadecimal digits.
  mutating func hexadecimal() -> UInt64? {
    guard let field = field(), field.count == 16 else { return nil }
    var number: UInt64 = 0
    for place in field {
      let byte = journal[place]
      let digit =
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: UInt8.max
        }
      guard digit < 16 else { return nil }
      number = number << 4 | UInt64(digit)
    }
    return number
  }
}

/// The checksum of a line.
enum LineChecksum {
  /// A hash of 64 bits: FNV-1a as in ``StableHash``, but by words of eight bytes and with the length, so that a
  /// journal of 30 MB takes milliseconds.
  static func value(of bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      let text = unsafe UnsafeRawBufferPointer(rebasing: buffer[range])
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(text.count)
      var place = 0
      while place + 8 <= text.count {
        let word = unsafe text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        hash = mix(hash, UInt64(littleEndian: word))
        place += 8
      }
      while place < text.count {
        unsafe hash = mix(hash, UInt64(text[place]))
        place += 1
      }
      return hash
    }
  }

  /// A multiplication carries only upwards; the shift brings the upper bits down again.
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
    return product ^ product >> 32
  }
}
