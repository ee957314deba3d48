import WidgetKitCore

/// The end of what a command has written, as lines.
struct OutputTail {
  private var bytes: [UInt8] = []

  /// The most bytes that are kept.
  static let byteLimit = 64 << 10

  /// Whether nothing was written.
  var isEmpty: Bool { bytes.isEmpty }

  /// Adds bytes.
  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes += more.suffix(Self.byteLimit)
    // Now and then, so that each byte is moved once.
    if bytes.count > 2 * Self.byteLimit { bytes.removeFirst(bytes.count - Self.byteLimit) }
  }

  /// The last lines with something in them, as a terminal leaves them: without sequences for it, and of a line that was
  /// written over what came last.
  func lastLines(_ count: Int) -> String? {
    let text = Self.withoutSequences(bytes.suffix(Self.byteLimit))
    let lines = String(decoding: text, as: UTF8.self)
      .split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r\n" }
      .compactMap { line in line.split(separator: "\r").last.map(String.init) }
      .filter { !$0.allSatisfy(\.isWhitespace) }
    return lines.isEmpty ? nil : lines.suffix(count).joined(separator: "\n")
  }

  /// Bytes without the sequences of ECMA-48: CSI up to its last byte, strings up to their end, others with their next
  /// byte.
  private static func withoutSequences(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var left: [UInt8] = []
    var place = bytes.startIndex
    func skip(_ isPart: (UInt8) -> Bool) {
      while place < bytes.endIndex, isPart(bytes[place]) { place += 1 }
    }
    while place < bytes.endIndex {
      guard bytes[place] == 0x1B else {
        left.append(bytes[place])
        place += 1
        continue
      }
      place += 1
      guard place < bytes.endIndex else { break }
      let kind = bytes[place]
      place += 1
      switch kind {
      case UInt8(ascii: "["):
        skip { 0x20...0x3F ~= $0 }
        if place < bytes.endIndex, 0x40...0x7E ~= bytes[place] { place += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
        UInt8(ascii: "_"):
        skip { $0 != 0x07 && $0 != 0x1B && $0 != 0x0A }
        if place < bytes.endIndex, bytes[place] == 0x07 { place += 1 }
      case 0x20...0x2F:
        skip { 0x20...0x2F ~= $0 }
        place = min(place + 1, bytes.endIndex)
      default: break
      }
    }
    return left
  }
}
