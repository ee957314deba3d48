/// Bytes that wait until a widget reads them: at most so many messages and bytes.
nonisolated struct OutputQueue {
  /// The most messages that may wait.
  var messageLimit = 64
  /// The most bytes that may wait.
  var byteLimit = 256 * 1024

  private var lines: [[UInt8]] = []
  private var sent = 0
  private(set) var byteCount = 0

  init() {}

  var isEmpty: Bool { lines.isEmpty }

  /// What waits, beside what may, in words.
  var words: String {
    "\(lines.count) messages of \(byteCount) bytes wait for it; "
      + "the limits are \(messageLimit) and \(byteLimit)"
  }

  /// Adds a line; false where it does not fit any more: the widget does not read.
  mutating func append(_ line: [UInt8]) -> Bool {
    guard lines.count < messageLimit, byteCount + line.count <= byteLimit || lines.isEmpty else {
      return false
    }
    lines.append(line)
    byteCount += line.count
    return true
  }

  /// Hands the bytes to `write`, which returns how many it took, or nil where it can take none
  /// now, until all are taken.
  mutating func drain(_ write: (ArraySlice<UInt8>) -> Int?) {
    while let line = lines.first {
      guard let count = write(line[sent...]) else { return }
      sent += count
      byteCount -= count
      if sent == line.count {
        lines.removeFirst()
        sent = 0
      }
    }
  }
}
