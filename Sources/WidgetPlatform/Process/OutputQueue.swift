/// Bytes that wait until a widget reads them, up to a limit on messages and bytes.
package struct OutputQueue {
  /// The limit on waiting messages.
  package var messageLimit = 64
  /// The limit on waiting bytes.
  package var byteLimit = 256 * 1024

  private var lines: [[UInt8]] = []
  private var sent = 0
  private(set) var byteCount = 0

  package init() {}

  var isEmpty: Bool { lines.isEmpty }

  /// A description of what is waiting, and of the limits.
  var words: String {
    "\(lines.count) messages of \(byteCount) bytes wait for it; "
      + "the limits are \(messageLimit) and \(byteLimit)"
  }

  /// The bytes that wait, without what was written of the first line.
  var rest: [UInt8] { Array(lines.joined().dropFirst(sent)) }

  /// Adds a line; returns false if it does not fit because the widget does not read.
  mutating func append(_ line: [UInt8]) -> Bool {
    guard lines.count < messageLimit, byteCount + line.count <= byteLimit || lines.isEmpty else {
      return false
    }
    lines.append(line)
    byteCount += line.count
    return true
  }

  /// Passes the bytes to `write` until all are taken; `write` returns how many it took, or nil if it
  /// can take none now.
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
