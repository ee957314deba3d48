/// How the bytes of characters are read, as the locale says.
package enum InputEncoding: Hashable, Sendable {
  case utf8
  /// One byte for each character: what the bytes from 128 to 255 are, or 0 for none.
  case bytes([UInt32])

  enum Reading: Hashable {
    /// A character of so many bytes; nil for one that nobody types, and for a byte that begins none.
    case scalar(Unicode.Scalar?, length: Int)
    /// The beginning of a character.
    case unfinished
  }

  /// Reads one character from bytes that begin with one of 128 to 255.
  func scalar(in bytes: ArraySlice<UInt8>) -> Reading {
    guard let first = bytes.first else { return .unfinished }
    switch self {
    case .bytes(let table):
      let index = Int(first) - 0x80
      let value = table.indices.contains(index) ? table[index] : 0
      return .scalar(Self.typed(value), length: 1)
    case .utf8:
      let length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
      guard length > 0 else { return .scalar(nil, length: 1) }
      var value = UInt32(first) & (0x7F >> UInt32(length))
      for (index, byte) in bytes.dropFirst().prefix(length - 1).enumerated() {
        guard Self.canFollow(byte, at: index, first) else { return .scalar(nil, length: index + 1) }
        value = value << 6 | UInt32(byte & 0x3F)
      }
      guard bytes.count >= length else { return .unfinished }
      return .scalar(Self.typed(value), length: length)
    }
  }

  /// Whether a byte may follow the first one (Unicode, Table 3-7).
  private static func canFollow(_ byte: UInt8, at index: Int, _ first: UInt8) -> Bool {
    guard index == 0 else { return (0x80...0xBF).contains(byte) }
    return switch first {
    case 0xE0: (0xA0...0xBF).contains(byte)
    case 0xED: (0x80...0x9F).contains(byte)
    case 0xF0: (0x90...0xBF).contains(byte)
    case 0xF4: (0x80...0x8F).contains(byte)
    default: (0x80...0xBF).contains(byte)
    }
  }

  /// A character that is not a control character.
  private static func typed(_ value: UInt32) -> Unicode.Scalar? {
    value > 0x9F ? Unicode.Scalar(value) : nil
  }
}
