import WidgetKitCore

extension JSONTree {
  /// Reads the JSON that a program has printed, as the programs read it for which it was printed.
  ///
  /// Of a name that an object has twice, the last value counts. Several values behind each other, as a line for each
  /// (`docker ps --format json`) or as `jq` prints them, are the items of an array. A number that is none costs itself,
  /// as does half a character; UTF-16 is read where a mark says it. Colours of a terminal are none of it (`jq -C`), and
  /// control characters in texts stay what they are.
  ///
  /// - Throws: `Failure` if the text is neither a value nor several objects and arrays.
  init(printed bytes: [UInt8]) throws(Failure) {
    let bytes = Self.withoutColors(Self.utf8(bytes))
    do throws(Failure) {
      self = try JSONTree(tolerant: bytes)
    } catch {
      guard let parts = Self.parts(of: bytes), parts.count > 1 else { throw error }
      var items: [JSONTree] = []
      for part in parts { items.append(try JSONTree(tolerant: Array(part))) }
      self = .array(items)
    }
  }

  /// Reads a value in which numbers can be NaN, characters halves, and names twice.
  init(tolerant bytes: [UInt8]) throws(Failure) {
    do throws(Failure) {
      self = try JSONTree(bytes).withLastMembers
    } catch {
      let plain = Self.withoutVoid(LineStream.escaped(bytes))
      guard plain != bytes, let tree = try? JSONTree(plain) else { throw error }
      self = tree.withLastMembers
    }
  }

  /// A text in UTF-16 with its mark, as PowerShell writes it, in UTF-8; any other as it is.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// A text without control sequences, which begin with a character that JSON has nowhere.
  private static func withoutColors(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x1B) else { return bytes }
    var plain: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == 0x1B, rest.first == UInt8(ascii: "[") {
        rest = rest.dropFirst().drop { (0x20...0x3F).contains($0) }.dropFirst()
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  /// What Python writes for numbers that are none.
  private static let voids = ["NaN", "-Infinity", "Infinity"].map { Array($0.utf8) }

  /// A text with null for numbers that are none, and U+FFFD for escapes of half a character.
  private static func withoutVoid(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var rest = bytes[...]
    var isInText = false
    while let byte = rest.first {
      if isInText, byte == UInt8(ascii: "\\") {
        let count = escape(rest)
        let isHalf = count == 6 && code(rest).map { 0xD800...0xDFFF ~= $0 } == true
        plain += isHalf ? Array("\\uFFFD".utf8) : Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        continue
      }
      if !isInText, let void = voids.first(where: { rest.starts(with: $0) }) {
        plain += Array("null".utf8)
        rest = rest.dropFirst(void.count)
        continue
      }
      if byte == UInt8(ascii: "\"") { isInText.toggle() }
      plain.append(byte)
      rest = rest.dropFirst()
    }
    return plain
  }

  /// How many bytes an escape takes: both halves of a character are one.
  private static func escape(_ rest: ArraySlice<UInt8>) -> Int {
    guard let high = code(rest) else { return min(2, rest.count) }
    guard 0xD800...0xDBFF ~= high, let low = code(rest.dropFirst(6)), 0xDC00...0xDFFF ~= low else {
      return 6
    }
    return 12
  }

  /// The number of an escape such as `\u00e9`; nil for anything else.
  private static func code(_ rest: ArraySlice<UInt8>) -> UInt32? {
    guard rest.starts(with: Array("\\u".utf8)), rest.count >= 6 else { return nil }
    let digits = String(decoding: rest.dropFirst(2).prefix(4), as: UTF8.self)
    return digits.utf8.allSatisfy { $0 != 0x2B && $0 != 0x2D } ? UInt32(digits, radix: 16) : nil
  }

  /// The objects and arrays of a text that has nothing between them but blanks, and the mark of RFC 7464; nil for any
  /// other text.
  private static func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var parts: [ArraySlice<UInt8>] = []
    var depth = 0
    var start = 0
    var scan = JSONStringScan()
    for index in (bytes.starts(with: mark) ? mark.count : 0)..<bytes.count {
      let byte = bytes[index]
      let isInString = scan.take(byte)
      guard !isInString || depth > 0 else { return nil }
      if isInString { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 0 { start = index }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        guard depth >= 0 else { return nil }
        if depth == 0 { parts.append(bytes[start...index]) }
      case 0x20, 0x09, 0x0A, 0x0D, 0x1E: break
      default: guard depth > 0 else { return nil }
      }
    }
    return depth == 0 ? parts : nil
  }

  /// The value in which no object has a name twice: the last value has the place of the first.
  var withLastMembers: JSONTree {
    switch self {
    case .array(let items): return .array(items.map(\.withLastMembers))
    case .object(let members):
      var places: [[UInt8]: Int] = [:]
      var kept: [Member] = []
      for member in members {
        let member = Member(name: member.name, value: member.value.withLastMembers)
        // By bytes: a letter with an accent and the two that it is made of are two names.
        let name = Array(member.name.utf8)
        if let place = places[name] {
          kept[place] = member
        } else {
          places[name] = kept.count
          kept.append(member)
        }
      }
      return .object(kept)
    default: return self
    }
  }
}
