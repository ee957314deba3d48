import WidgetKitCore

/// The last lines that a widget wrote on its standard error: a short ring, cleaned.
nonisolated struct ErrorLog {
  /// The most bytes kept.
  var byteLimit = 64 * 1024

  private(set) var lines: [SafeText] = []
  private var pending: [UInt8] = []
  private var byteCount = 0

  init() {}

  /// Adds what was read; returns the lines that became whole.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [SafeText] {
    var whole: [SafeText] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || pending.count >= 4096 {
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
    lines.append(line)
    byteCount += line.string.utf8.count
    while byteCount > byteLimit, lines.count > 1 {
      byteCount -= lines.removeFirst().string.utf8.count
    }
  }
}
