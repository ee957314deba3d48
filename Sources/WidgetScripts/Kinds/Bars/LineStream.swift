/// The lines of a program that keeps printing, of which the newest counts.
struct LineStream {
  /// The bytes of a line that are kept; a longer line is cut.
  private static let lineBytes = 64 * 1024

  private var pending: [UInt8] = []
  /// The newest line that is complete; nil if there is none in this run.
  private(set) var newest: String?

  mutating func begin() {
    pending = []
    newest = nil
  }

  /// Takes what was read; returns the lines that it completes.
  @discardableResult
  mutating func append(_ bytes: [UInt8]) -> [String] {
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = pieces.removeLast()
    var lines: [String] = []
    for piece in pieces {
      pending += piece.prefix(max(0, Self.lineBytes - pending.count))
      lines.append(Self.text(pending))
      pending = []
    }
    pending += last.prefix(max(0, Self.lineBytes - pending.count))
    newest = lines.last ?? newest
    return lines
  }

  /// All lines of an output, without empty ones at its end.
  static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { text(Array($0)) }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return lines
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}
