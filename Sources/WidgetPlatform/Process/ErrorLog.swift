import WidgetKitCore

/// The last lines that a widget wrote to its standard error: a short ring, cleaned.
///
/// The cost of adding a line does not depend on how many are kept; an empty line is a line.
struct ErrorLog {
  /// The limit on the bytes kept.
  var byteLimit = 64 * 1024
  /// The limit on the lines kept.
  var lineLimit = 4096

  /// The kept lines begin at ``first``; those before it are dropped.
  private var kept: [SafeText] = []
  private var first = 0
  private var pending: [UInt8] = []
  private var byteCount = 0

  /// The length at which a line is cut.
  private static let longestLine = 4096

  init() {}

  /// The kept lines, oldest first.
  var lines: [SafeText] { Array(kept[first...]) }

  /// Adds bytes that were read; returns the lines that they complete.
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

  /// Completes the last line if its end was never received.
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
    // The number of moved lines is the number of lines dropped since the last time.
    if first > 64, first > kept.count / 2 {
      kept.removeFirst(first)
      first = 0
    }
  }
}
