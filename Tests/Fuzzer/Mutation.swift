import WidgetTestSupport

/// Changes bytes slightly, as a broken disk, pipe or program would.
enum Mutation {
  private static let interesting: [[UInt8]] = [
    [0], [0xFF], [0x80], [0x0A], [0x0D, 0x0A], [0x1B, 0x5B], [0xC2, 0x9B], [0xEF, 0xBB, 0xBF],
    [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], Array("{".utf8), Array("[".utf8),
    Array("\"".utf8), Array("\\u0000".utf8), Array("1e999".utf8), Array("bplist00".utf8),
    [UInt8](repeating: UInt8(ascii: "["), count: 80),
  ]

  /// A few changes at random places.
  static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.number(1...4) {
      let place = random.number(0...bytes.count)
      switch random.number(0...7) {
      case 6, 7: bytes = replaceNumber(in: bytes, from: place, &random)
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.number(0...7))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...16)))
      case 2: bytes.insert(contentsOf: random.one(of: interesting), at: place)
      case 3:
        let end = min(bytes.count, place + random.number(1...64))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.number(0...bytes.count))
      case 4: bytes.removeSubrange(place...)
      default:
        if place < bytes.count { bytes[place] = UInt8(random.number(0...255)) }
      }
    }
    return bytes
  }

  /// Replaces the first number after `place` with a harmful one.
  private static func replaceNumber(
    in bytes: [UInt8],
    from place: Int,
    _ random: inout SeededGenerator
  ) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: { digits.contains($0) }) else {
      return bytes
    }
    let end = bytes[start...].firstIndex { !digits.contains($0) && !"+-.eE".utf8.contains($0) }
    let hasSign = start > 0 && bytes[start - 1] == UInt8(ascii: "-")
    let number = Array(random.one(of: Grammar.numbers).utf8)
    return bytes[..<(hasSign ? start - 1 : start)] + number + bytes[(end ?? bytes.count)...]
  }

  /// Random bytes.
  static func noise(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<random.number(0...200)).map { _ in UInt8(random.number(0...255)) }
  }
}

extension Array {
  /// Removes everything from a place on.
  fileprivate mutating func removeSubrange(_ range: PartialRangeFrom<Int>) {
    removeSubrange(range.lowerBound..<count)
  }
}
