import FoundationEssentials
import Glibc
import WidgetKitCore

/// Writes standard output and standard error completely, without control characters.
enum StandardStreams {
  /// Why standard output could not be written; nil if it could, or if its reader has exited.
  private(set) static var failure: CommandError?

  /// Writes bytes to standard output as they are; an error is stored in ``failure``.
  static func write(_ bytes: [UInt8]) {
    guard failure == nil, !write(bytes, to: STDOUT_FILENO), errno != EPIPE else { return }
    let reason = unsafe String(cString: strerror(errno))
    failure = .failure("could not write standard output: \(reason)")
  }

  /// Whether nothing is written to standard error, as its reader is a stranger.
  static var isDiscreet = false

  /// Whether somebody still reads standard output, as far as the system knows.
  static var hasReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    guard unsafe poll(&output, 1, 0) >= 0 else { return true }
    return output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }

  /// Whether texts are in UTF-8, as the locale says; otherwise they are in ASCII.
  static let isUTF8 = CharacterLocale(ProcessInfo.processInfo.environment).isUTF8

  /// Writes text to standard output, in the encoding of the locale.
  static func write(text: String) {
    write(encoded(text))
  }

  /// Writes text and a line feed to standard output, in the encoding of the locale.
  static func writeLine(_ text: SafeText) {
    write(text: "\(text)\n")
  }

  /// Writes text and a line feed to standard output, on a terminal without a break within a word.
  static func writeParagraph(_ text: SafeText) {
    guard isatty(STDOUT_FILENO) == 1,
      let columns = TerminalSize.drawable(of: STDOUT_FILENO)?.columns
    else { return writeLine(text) }
    for line in text.string.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = ParagraphLines.lines(of: String(line), columns: columns)
      write(text: parts.map { $0 + "\n" }.joined())
    }
  }

  /// Writes a page to standard output, in the encoding of its format.
  static func write(_ page: [UInt8], as format: PageFormat) {
    guard format.followsLocale, !isUTF8 else { return write(page) }
    write(text: String(decoding: page, as: UTF8.self))
  }

  /// Writes a value as indented JSON and a line feed to standard output, in UTF-8 in every locale.
  static func writeJSON(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    guard let data = try? encoder.encode(value) else { return }
    write(Array("\(HarmlessJSON.text(String(decoding: data, as: UTF8.self)))\n".utf8))
  }

  private static func encoded(_ text: String) -> [UInt8] {
    Array((isUTF8 ? text : ASCIIText.text(like: text)).utf8)
  }

  /// Writes words that ask a person for something to standard error.
  static func writePrompt(_ words: String) { write(encoded(words), to: STDERR_FILENO) }

  /// Writes `today: …` to standard error.
  static func writeError(_ error: CommandError) {
    writeError(error.description)
  }

  /// Writes `today: …` to standard error, without control characters.
  static func writeError(_ text: String) {
    guard !isDiscreet else { return }
    // One line, so that the text of a widget cannot imitate a message of the program.
    let clean = SafeText(text).onOneLine
    write(encoded("today: \(clean)\n"), to: STDERR_FILENO)
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&ready, 1, -1)
      } else if count < 0 && errno != EINTR {
        return false
      }
      sent += max(0, count)
    }
    return true
  }
}
