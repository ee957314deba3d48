import Glibc
import WidgetKitCore
import WidgetRequests

/// Standard output for what extensions return, and for content that is given back.
///
/// What is no terminal gets the bytes as they are. A terminal gets text without control characters, as the text is
/// that of another program, and a line feed behind it, so that the prompt is on a line of its own.
enum ResultOutput {
  /// Writes content.
  ///
  /// - Throws: ``CommandError`` with the reason, unless the reader has exited.
  static func write(_ content: RequestSpool) throws(CommandError) {
    guard isatty(STDOUT_FILENO) == 1 else {
      let error = content.copy(to: STDOUT_FILENO)
      guard error == 0 || error == EPIPE else {
        let reason = unsafe String(cString: strerror(error))
        throw .failure("could not write standard output: \(reason)")
      }
      return
    }
    var text = TerminalText()
    content.forEachPart { bytes in
      StandardStreams.write(text: text.next(bytes))
      return StandardStreams.failure == nil
    }
    StandardStreams.write(text: text.end())
  }

  /// Passes on what comes from standard input until its end, which a terminal has not.
  static func passInput() {
    guard isatty(STDIN_FILENO) == 0 else { return }
    guard isatty(STDOUT_FILENO) == 1 else {
      return RequestSpool.pass(from: STDIN_FILENO, to: STDOUT_FILENO)
    }
    var text = TerminalText()
    RequestSpool.pass(from: STDIN_FILENO) { bytes in
      StandardStreams.write(text: text.next(bytes))
      return StandardStreams.failure == nil
    }
    StandardStreams.write(text: text.end())
  }
}

/// Bytes on their way to a terminal, in parts: whole lines of them, without control characters.
struct TerminalText {
  /// The bytes of a line that are kept until its end.
  private static let lineLimit = 1 << 20

  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []
  private var endsLine = true

  /// The text of the lines that end in some bytes.
  mutating func next(_ bytes: [UInt8]) -> String {
    let before = rest.count
    rest += bytes
    // What was kept has no end of a line.
    let end =
      bytes.lastIndex(of: UInt8(ascii: "\n")).map { before + $0 + 1 }
      ?? (rest.count > Self.lineLimit ? Self.end(ofCharactersIn: rest) : 0)
    guard end > 0 else { return "" }
    defer { rest.removeFirst(end) }
    return text(rest[..<end])
  }

  /// The text of what is left, with a line feed if there is any text without one at its end.
  mutating func end() -> String {
    defer { (rest, endsLine) = ([], true) }
    let last = text(rest[...])
    return endsLine ? last : last + "\n"
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = SafeText(String(decoding: bytes, as: UTF8.self)).string
    if let last = text.last { endsLine = last.isNewline }
    return text
  }

  /// Where the last whole character of UTF-8 ends.
  private static func end(ofCharactersIn bytes: [UInt8]) -> Int {
    let tail = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    let lead = bytes.count - tail - 1
    return lead >= 0 && bytes[lead] >= 0xC0 ? lead : bytes.count
  }
}
