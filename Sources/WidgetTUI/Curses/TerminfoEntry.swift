/// A compiled description of a terminal, as term(5) defines it.
///
/// ncurses writes colours of 24 bits only for a description that has `RGB`, 2²⁴ colours and strings
/// for them, which most descriptions of terminals with such colours lack. ``withDirectColors()``
/// adds them to the description of the present terminal, so that all its other capabilities stay;
/// ``withWideMouse()`` does so with the form of mouse reports that has no limit on columns, and
/// ``withCommonSequences()`` leaves out what some terminals do not know although they take the name of one that does.
nonisolated struct TerminfoEntry {
  private var names: [UInt8]
  private var flags: [UInt8]
  private var numbers: [Int32]
  private var strings: [Int16]
  private var table: [UInt8]
  private var extended: Extended?

  /// The capabilities that are not predefined.
  private struct Extended {
    var flags: [UInt8] = []
    var numbers: [Int32] = []
    var strings: [Int16] = []
    /// Where the names begin, counted from the end of the values in the table.
    var names: [Int16] = []
    var table: [UInt8] = []

    /// How many bytes of the table are values.
    var valueBytes: Int {
      strings.reduce(0) { sum, start in
        guard start >= 0, Int(start) < table.count,
          let end = table[Int(start)...].firstIndex(of: 0)
        else { return sum }
        return sum + end - Int(start) + 1
      }
    }

    func name(_ index: Int) -> String {
      guard names.indices.contains(index), names[index] >= 0 else { return "" }
      let start = valueBytes + Int(names[index])
      guard start < table.count else { return "" }
      return String(decoding: table[start...].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static let narrow = 0x011A
  private static let wide = 0x021E
  // The positions of capabilities in the lists of <term.h>.
  private static let maxColors = 13
  private static let maxPairs = 14
  private static let setForeground = 359
  private static let setBackground = 360
  private static let keyMouse = 355
  private static let deleteLines = 106
  private static let insertLines = 110
  /// `indn`, `rin` and `rep`.
  private static let rarelyKnown = [109, 113, 121]

  /// Reads a description; nil if the bytes are none.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let header = reader.shorts(6), let numberBytes = Self.numberBytes(header[0]),
      header[1...].allSatisfy({ $0 >= 0 }),
      let names = reader.take(Int(header[1])), let flags = reader.take(Int(header[2]))
    else { return nil }
    reader.align()
    guard let numbers = reader.numbers(Int(header[3]), bytes: numberBytes),
      let strings = reader.shorts(Int(header[4])), let table = reader.take(Int(header[5]))
    else { return nil }
    (self.names, self.flags, self.numbers) = (names, flags, numbers)
    (self.strings, self.table) = (strings, table)
    reader.align()
    guard let counts = reader.shorts(5), counts.allSatisfy({ $0 >= 0 }) else { return }
    var own = Extended()
    let nameCount = Int(counts[0]) + Int(counts[1]) + Int(counts[2])
    guard let ownFlags = reader.take(Int(counts[0])) else { return nil }
    reader.align()
    guard let ownNumbers = reader.numbers(Int(counts[1]), bytes: numberBytes),
      let ownStrings = reader.shorts(Int(counts[2])), let ownNames = reader.shorts(nameCount),
      let ownTable = reader.take(Int(counts[4]))
    else { return nil }
    (own.flags, own.numbers, own.strings) = (ownFlags, ownNumbers, ownStrings)
    (own.names, own.table) = (ownNames, ownTable)
    extended = own
  }

  private static func numberBytes(_ magic: Int16) -> Int? {
    switch Int(magic) {
    case narrow: 2
    case wide: 4
    default: nil
    }
  }

  /// The number of colours.
  var colors: Int { numbers.count > Self.maxColors ? Int(numbers[Self.maxColors]) : 0 }

  /// Whether it says that colours of 24 bits work, with `RGB` or with tmux' `Tc`.
  var claimsDirectColors: Bool { hasFlag("RGB") || hasFlag("Tc") }

  private func hasFlag(_ name: String) -> Bool {
    guard let extended else { return false }
    return extended.flags.indices.contains { extended.flags[$0] == 1 && extended.name($0) == name }
  }

  /// The same description with colours of 24 bits; nil if it cannot be changed.
  ///
  /// A colour below 256 is one of the palette, and any other one is red, green and blue.
  func withDirectColors() -> TerminfoEntry? {
    var entry = self
    guard numbers.count > Self.maxPairs, strings.count > Self.setBackground,
      strings[Self.setForeground] >= 0, strings[Self.setBackground] >= 0
    else { return nil }
    entry.numbers[Self.maxColors] = 0x100_0000
    entry.numbers[Self.maxPairs] = 0x1_0000
    for (place, base) in [(Self.setForeground, "3"), (Self.setBackground, "4")] {
      guard let start = Int16(exactly: entry.table.count) else { return nil }
      entry.strings[place] = start
      entry.table += Array(
        "\u{1B}[\(base)8;%?%p1%{256}%<%t5;%p1%d%e2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
          .utf8
      )
      entry.table.append(0)
    }
    var extended = extended ?? Extended()
    if !hasFlag("RGB") {
      // A number or a string of this name describes another encoding.
      guard !extended.names.indices.contains(where: { extended.name($0) == "RGB" }),
        let start = Int16(exactly: extended.table.count - extended.valueBytes)
      else { return nil }
      extended.flags.insert(1, at: 0)
      extended.names.insert(start, at: 0)
      extended.table += Array("RGB\0".utf8)
    }
    entry.extended = extended
    guard entry.table.count <= Int(Int16.max), extended.table.count <= Int(Int16.max) else {
      return nil
    }
    return entry
  }

  /// The same description with a mouse whose reports are in the form of mode 1006 (xterm); nil if it cannot
  /// be changed.
  func withWideMouse() -> TerminfoEntry? {
    var entry = self
    var extended = extended ?? Extended()
    let isNamed = extended.names.indices.contains { extended.name($0) == "XM" }
    guard strings.count > Self.keyMouse, strings[Self.keyMouse] >= 0, !isNamed,
      let start = Int16(exactly: entry.table.count),
      let value = Int16(exactly: extended.valueBytes),
      let name = Int16(exactly: extended.table.count - extended.valueBytes)
    else { return nil }
    entry.strings[Self.keyMouse] = start
    entry.table += Array("\u{1B}[<\0".utf8)
    extended.strings.append(value)
    extended.names.append(name)
    extended.table.insert(
      contentsOf: Array("\u{1B}[?1006;1000%?%p1%{1}%=%th%el%;\0".utf8),
      at: Int(value)
    )
    extended.table += Array("XM\0".utf8)
    entry.extended = extended
    guard entry.table.count <= Int(Int16.max), extended.table.count <= Int(Int16.max) else {
      return nil
    }
    return entry
  }

  /// The same description without moving rows by CSI S and CSI T, and without repeating a character by CSI b, in place
  /// of which rows are inserted and deleted, and the characters written; nil if there is nothing to leave out.
  ///
  /// The screens of pyte and of some recorders do not read them, and show old rows among the new ones.
  func withCommonSequences() -> TerminfoEntry? {
    func has(_ place: Int) -> Bool { strings.count > place && strings[place] >= 0 }
    let known = Self.rarelyKnown.filter(has)
    guard !known.isEmpty, has(Self.deleteLines), has(Self.insertLines) else { return nil }
    var entry = self
    for place in known { entry.strings[place] = -1 }
    return entry
  }

  /// The description in the format with numbers of 32 bits.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    func add(_ values: [Int16]) {
      for value in values {
        let bits = UInt16(bitPattern: value)
        result += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
      }
    }
    func add(_ values: [Int32]) {
      for value in values {
        let bits = UInt32(bitPattern: value)
        result += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      }
    }
    func align() { if result.count % 2 == 1 { result.append(0) } }
    add(
      [Self.wide, names.count, flags.count, numbers.count, strings.count, table.count]
        .map { Int16(truncatingIfNeeded: $0) }
    )
    result += names + flags
    align()
    add(numbers)
    add(strings)
    result += table
    guard let extended else { return result }
    align()
    let values = extended.strings.count { $0 >= 0 }
    add(
      [
        extended.flags.count, extended.numbers.count, extended.strings.count,
        values + extended.names.count, extended.table.count,
      ].map { Int16(truncatingIfNeeded: $0) }
    )
    result += extended.flags
    align()
    add(extended.numbers)
    add(extended.strings)
    add(extended.names)
    result += extended.table
    return result
  }

  /// Reads parts of a compiled description in order; nil where it is too short.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func take(_ count: Int) -> [UInt8]? {
      guard count >= 0, bytes.count - position >= count else { return nil }
      defer { position += count }
      return Array(bytes[position..<position + count])
    }

    mutating func align() { if position % 2 == 1 { position += 1 } }

    mutating func shorts(_ count: Int) -> [Int16]? {
      take(2 * count).map { part in
        (0..<count).map {
          Int16(bitPattern: UInt16(part[2 * $0]) | UInt16(part[2 * $0 + 1]) << 8)
        }
      }
    }

    mutating func numbers(_ count: Int, bytes width: Int) -> [Int32]? {
      guard width == 4 else { return shorts(count)?.map { Int32($0) } }
      return take(4 * count).map { part in
        (0..<count).map { index in
          Int32(
            bitPattern: (0..<4).reduce(UInt32(0)) {
              $0 | UInt32(part[4 * index + $1]) << (8 * UInt32($1))
            }
          )
        }
      }
    }
  }
}
