/// The bytes around an error in a line, for the message to the author.
enum FaultExcerpt {
  /// At most this many bytes are shown, half of them before the fault.
  static let byteCount = 20

  /// The bytes around `offset`, in quotation marks and with `…` if there are more;
  /// nothing in it can act on a terminal.
  static func words(of bytes: ArraySlice<UInt8>, around offset: Int) -> String {
    let half = byteCount / 2
    let place = min(max(bytes.startIndex, bytes.startIndex + offset), bytes.endIndex)
    var start = max(bytes.startIndex, min(place - half, bytes.endIndex - byteCount))
    var end = min(bytes.endIndex, start + byteCount)
    // No character is split, and invalid bytes are shown as U+FFFD.
    while start < place, isContinuation(bytes[start]) { start += 1 }
    while end < bytes.endIndex, end > place, isContinuation(bytes[end]) { end -= 1 }
    let text = SafeText(String(decoding: bytes[start..<end], as: UTF8.self)).string
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    let before = start > bytes.startIndex ? "…" : ""
    let after = end < bytes.endIndex ? "…" : ""
    return "“\(before)\(text)\(after)”"
  }

  /// Where a line stops being UTF-8; nil if it does not.
  static func invalidUTF8(in bytes: ArraySlice<UInt8>) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let units): offset += units.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
