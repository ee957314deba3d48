/// The byte order mark before the text that a program prints, which is not part of it; that of UTF-16 says its encoding.
struct ByteOrderMark {
  private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let littleEndian: [UInt8] = [0xFF, 0xFE]
  private static let bigEndian: [UInt8] = [0xFE, 0xFF]

  /// The beginning of the text, while that may be the beginning of a mark; nil behind it.
  private var start: [UInt8]? = []
  /// Of a text in UTF-16, as PowerShell writes files.
  private var units: WideText?

  /// What is left of the next bytes of a text without its mark, in UTF-8; nil if that is not known yet.
  mutating func rest(of bytes: [UInt8]) -> [UInt8]? {
    guard let start else { return units?.utf8(bytes[...]) ?? bytes }
    let all = start + bytes
    let marks = [Self.utf8, Self.littleEndian, Self.bigEndian]
    if marks.contains(where: { all.count < $0.count && $0.starts(with: all) }) {
      self.start = all
      return nil
    }
    self.start = nil
    if all.starts(with: Self.utf8) { return Array(all.dropFirst(Self.utf8.count)) }
    let isLittle = all.starts(with: Self.littleEndian)
    guard isLittle || all.starts(with: Self.bigEndian) else { return all }
    units = WideText(isLittle: isLittle)
    return units?.utf8(all.dropFirst(2))
  }
}

/// A text in UTF-16 that comes in pieces, which may end within a character.
private struct WideText {
  let isLittle: Bool
  /// The first byte of a unit, or the bytes of the first half of a character, whose rest has not come.
  private var pending: [UInt8] = []

  init(isLittle: Bool) {
    self.isLittle = isLittle
  }

  mutating func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let all = pending + bytes
    var units = stride(from: 0, to: all.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(all[index]), UInt16(all[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    pending = Array(all.dropFirst(2 * units.count))
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
