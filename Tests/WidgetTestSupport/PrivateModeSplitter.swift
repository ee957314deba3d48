/// Rewrites `CSI ? 1006 ; 1000 h` as one sequence for each mode.
///
/// ncurses sets its mouse modes together, but libvterm 0.1 reads only the first. This can be removed
/// when libvterm 0.3 is the oldest that is supported.
struct PrivateModeSplitter {
  /// The start of a possible sequence, kept until it is complete.
  private var held: [UInt8] = []

  mutating func split(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      if held.isEmpty, byte != Self.opening[0] {
        // Most of what is written is no such sequence.
        let end = rest.firstIndex(of: Self.opening[0]) ?? rest.endIndex
        result += rest[..<end]
        rest = rest[end...]
      } else {
        take(byte, into: &result)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let opening: [UInt8] = [0x1b, UInt8(ascii: "["), UInt8(ascii: "?")]

  private mutating func take(_ byte: UInt8, into result: inout [UInt8]) {
    let opening = Self.opening
    if held.count < opening.count {
      if byte == opening[held.count] {
        held.append(byte)
        return
      }
    } else if byte == UInt8(ascii: ";") || (0x30...0x39).contains(byte) {
      held.append(byte)
      return
    } else if byte == UInt8(ascii: "h") || byte == UInt8(ascii: "l") {
      for mode in held.dropFirst(opening.count).split(separator: UInt8(ascii: ";")) {
        result += opening + mode + [byte]
      }
      held = []
      return
    }
    result += held
    held = []
    if byte == opening[0] { held = [byte] } else { result.append(byte) }
  }
}
