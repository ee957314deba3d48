/// The last lines of what a program prints that keeps printing.
struct ScriptTail {
  /// The bytes of a line that are kept.
  private static let lineBytes = 4 * 1024

  private let limit: Int
  private var lines: [[UInt8]] = []
  private var pending: [UInt8] = []

  /// Keeps at most `limit` lines, which is at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Adds what was read.
  mutating func append(_ bytes: [UInt8]) {
    let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      if index > 0 {
        lines.append(pending)
        pending = []
      }
      // A return begins the line again, so that a progress bar does not fill it.
      if let last = piece.lastIndex(of: 0x0D), last < piece.endIndex - 1 {
        pending = Array(piece[(last + 1)...].prefix(Self.lineBytes))
      } else {
        pending += piece.prefix(max(0, Self.lineBytes - pending.count))
      }
    }
    lines.removeFirst(max(0, lines.count - limit))
  }

  /// The lines as a program would have printed them.
  var output: [UInt8] {
    let all = pending.isEmpty ? lines : lines + [pending]
    return Array(all.suffix(limit).joined(separator: [UInt8(ascii: "\n")]))
  }
}
