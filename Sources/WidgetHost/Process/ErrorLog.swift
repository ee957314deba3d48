import WidgetKitCore

/// The last lines that a widget wrote on its standard error: a short ring, cleaned.
///
/// Adding a line costs the same however many are kept; an empty line is a line.
nonisolated struct ErrorLog {
  /// The most bytes kept.
  var byteLimit = 64 * 1024
  /// The most lines kept.
  var lineLimit = 4096

  /// What is kept stands behind ``first``; what is before was dropped.
  private var kept: [SafeText] = []
  private var first = 0
  private var pending: [UInt8] = []
  private var byteCount = 0

  /// The longest line; a longer one is cut there.
  private static let longestLine = 4096

  init() {}

  /// The lines that are kept, the oldest first.
  var lines: [SafeText] { Array(kept[first...]) }

  /// Adds what was read; returns the lines that became whole.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [SafeText] {
    var whole: [SafeText] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || pending.count >= Self.longestLine {
        whole.append(SafeText(String(decoding: pending, as: UTF8.self)))
        pending.removeAll(keepingCapacity: true)
        if byte == UInt8(ascii: "\n") { continue }
      }
      pending.append(byte)
    }
    for line in whole { keep(line) }
    return whole
  }

  /// Takes the last line as it is, where its end never came.
  mutating func finish() -> [SafeText] {
    pending.isEmpty ? [] : append([UInt8(ascii: "\n")])
  }

  private mutating func keep(_ line: SafeText) {
    kept.append(line)
    byteCount += line.string.utf8.count
    while kept.count - first > 1, byteCount > byteLimit || kept.count - first > lineLimit {
      byteCount -= kept[first].string.utf8.count
      kept[first] = ""
      first += 1
    }
    // As many are moved as were dropped since the last time.
    if first > 64, first > kept.count / 2 {
      kept.removeFirst(first)
      first = 0
    }
  }
}
