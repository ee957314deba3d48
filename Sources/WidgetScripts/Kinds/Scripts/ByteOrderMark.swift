/// The byte order mark of UTF-8 before the text that a program prints, which is not part of it.
struct ByteOrderMark {
  private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The beginning of the text, while that may be the beginning of a mark; nil behind it.
  private var start: [UInt8]? = []

  /// What is left of the next bytes of a text without its mark; nil if that is not known yet.
  mutating func rest(of bytes: [UInt8]) -> [UInt8]? {
    guard let start else { return bytes }
    let all = start + bytes
    if all.count < Self.bytes.count, Self.bytes.starts(with: all) {
      self.start = all
      return nil
    }
    self.start = nil
    return all.starts(with: Self.bytes) ? Array(all.dropFirst(Self.bytes.count)) : all
  }
}
