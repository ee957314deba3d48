import WidgetKitCore

/// The stream of a status command for i3bar: a header, and an array that never ends with an array of blocks for each
/// update.
///
/// It is read as JSON and not in lines: blocks can be in several lines, and all of it in one. A part that is no JSON
/// affects only that part.
struct I3barStream {
  /// What was read.
  enum Part: Hashable {
    case header(JSONTree)
    /// The blocks of an update; `hasExtraComma` if there was a comma with nothing behind it, which is not JSON.
    case blocks([JSONTree], hasExtraComma: Bool)
    /// A line of a program that prints no header.
    case line(String)
    /// Something that cannot be read, and why.
    case unreadable(String)
  }

  private enum Place {
    /// Nothing but blanks was read.
    case beginning
    case header
    /// Behind the header, or behind the end of an array.
    case outside
    /// Behind a bracket that begins the outer array, or an update without one.
    case bracket
    /// Between two updates.
    case between
    /// In an update.
    case update
    /// Behind something that cannot be read, up to the end of the line.
    case lost
    /// The program prints no header.
    case lines
  }

  private var place = Place.beginning
  /// The bytes of the header or the update that was begun.
  private var pending: [UInt8] = []
  /// The brackets that are open in these.
  private var open: [UInt8] = []
  private var scan = JSONStringScan()
  /// Whether only blanks were read since the last line feed, and then whether a comma was.
  private var isAtLineStart = true
  private var isBehindComma = false
  /// Where an update ends that is lost: whether an outer array was begun.
  private var placeAfterLoss = Place.outside
  private var stream = LineStream()

  /// The bytes of a header or an update that are kept.
  private static let byteLimit = 256 * 1024
  /// How deep brackets may be in each other.
  private static let depthLimit = 64

  /// Takes what was read; returns the parts that it completes.
  mutating func append(_ bytes: [UInt8]) -> [Part] {
    var parts: [Part] = []
    for (index, byte) in bytes.enumerated() {
      if place == .lines {
        return parts + stream.append(Array(bytes[index...])).map(Part.line)
      }
      take(byte, &parts)
      let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0D
      if byte == 0x0A {
        (isAtLineStart, isBehindComma) = (true, false)
      } else if isAtLineStart, byte == UInt8(ascii: ","), !isBehindComma {
        isBehindComma = true
      } else if !isBlank {
        isAtLineStart = false
      }
    }
    return parts
  }

  private mutating func take(_ byte: UInt8, _ parts: inout [Part]) {
    let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    switch place {
    case .beginning:
      if isBlank { return }
      if byte == UInt8(ascii: "{") { begin(.header, [byte]) } else { useLines([byte], &parts) }
    case .header: addToHeader(byte, &parts)
    case .outside:
      if byte == UInt8(ascii: "[") { place = .bracket }
    case .bracket:
      switch byte {
      case _ where isBlank: break
      case UInt8(ascii: "["): begin(.update, [byte], after: .between)
      // Without an outer array.
      case UInt8(ascii: "{"): begin(.update, Array("[{".utf8), after: .outside)
      case UInt8(ascii: "]"):
        parts.append(.blocks([], hasExtraComma: false))
        place = .outside
      case UInt8(ascii: ","): place = .between
      default: lose("expected [", after: .between, &parts)
      }
    case .between:
      switch byte {
      case _ where isBlank || byte == UInt8(ascii: ","): break
      case UInt8(ascii: "["): begin(.update, [byte], after: .between)
      case UInt8(ascii: "]"): place = .outside
      default: lose("expected [", after: .between, &parts)
      }
    case .update: addToUpdate(byte, &parts)
    case .lost:
      if byte == 0x0A { place = placeAfterLoss }
    case .lines: break
    }
  }

  private mutating func begin(_ place: Place, _ bytes: [UInt8], after: Place = .outside) {
    self.place = place
    placeAfterLoss = after
    pending = bytes
    open = bytes
    scan = JSONStringScan()
  }

  /// Skips the rest of the line.
  private mutating func lose(_ reason: String, after: Place, _ parts: inout [Part]) {
    parts.append(.unreadable(reason))
    placeAfterLoss = after
    place = .lost
    pending = []
  }

  private mutating func useLines(_ bytes: [UInt8], _ parts: inout [Part]) {
    place = .lines
    pending = []
    parts += stream.append(bytes).map(Part.line)
  }

  // MARK: - JSON

  /// What a byte does to the brackets that are open; nil if it cannot be there.
  private mutating func count(_ byte: UInt8) -> Bool? {
    if scan.isInString {
      // A string has no line feed.
      guard byte != 0x0A else { return nil }
      _ = scan.take(byte)
      return false
    }
    if scan.take(byte) { return open.isEmpty }
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard open.count < Self.depthLimit else { return nil }
      open.append(byte)
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      // In ASCII a bracket is closed by the second one after it.
      guard open.popLast() == byte - 2 else { return nil }
    default: break
    }
    return open.isEmpty
  }

  private mutating func addToHeader(_ byte: UInt8, _ parts: inout [Part]) {
    pending.append(byte)
    let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    let isFirst = pending.dropFirst().dropLast().allSatisfy {
      [0x20, 0x09, 0x0A, 0x0D].contains($0)
    }
    // A line that begins with a brace is not an object yet.
    let isObject = !isFirst || isBlank || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "}")
    guard isObject, pending.count < 4_096, let isEnd = count(byte) else {
      return useLines(pending, &parts)
    }
    guard isEnd else { return }
    guard let header = try? JSONTree(pending), header["version"] != nil else {
      return useLines(pending, &parts)
    }
    parts.append(.header(header))
    place = .outside
    pending = []
  }

  private mutating func addToUpdate(_ byte: UInt8, _ parts: inout [Part]) {
    // No line of an update begins like the next one.
    if isAtLineStart, isBehindComma, byte == UInt8(ascii: "[") {
      parts.append(.unreadable("an update has no end"))
      return begin(.update, [byte], after: placeAfterLoss)
    }
    pending.append(byte)
    guard pending.count <= Self.byteLimit, let isEnd = count(byte) else {
      lose("an update cannot be read", after: placeAfterLoss, &parts)
      if byte == 0x0A { place = placeAfterLoss }
      return
    }
    guard isEnd else { return }
    place = placeAfterLoss
    defer { pending = [] }
    pending = LineStream.escaped(pending)
    do throws(JSONTree.Failure) {
      let items = try JSONTree(tolerant: pending).items ?? []
      parts.append(.blocks(items, hasExtraComma: false))
    } catch {
      let plain = Self.withoutExtraCommas(pending)
      if plain.count < pending.count, let items = (try? JSONTree(tolerant: plain))?.items {
        parts.append(.blocks(items, hasExtraComma: true))
      } else {
        parts.append(.unreadable(error.description))
      }
    }
  }

  /// A text without the commas before its closing brackets.
  private static func withoutExtraCommas(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var scan = JSONStringScan()
    for byte in text {
      if !scan.take(byte), byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        let end = plain.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let end, plain[end] == UInt8(ascii: ",") { plain.removeSubrange(end...) }
      }
      plain.append(byte)
    }
    return plain
  }
}
