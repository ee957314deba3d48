import Glibc
import WidgetKitCore

/// Writes standard output and standard error completely, without control characters.
enum StandardStreams {
  /// Why standard output could not be written; nil if it could, or if its reader has exited.
  private(set) static var failure: CommandError?

  /// Writes to standard output; an error is stored in ``failure``.
  static func write(_ bytes: [UInt8]) {
    guard failure == nil, !write(bytes, to: STDOUT_FILENO), errno != EPIPE else { return }
    let reason = unsafe String(cString: strerror(errno))
    failure = .failure("could not write standard output: \(reason)")
  }

  /// Writes text and a line feed to standard output.
  static func writeLine(_ text: SafeText) {
    write(Array("\(text)\n".utf8))
  }

  /// Writes `today: …` to standard error.
  static func writeError(_ error: CommandError) {
    writeError(error.description)
  }

  /// Writes `today: …` to standard error, without control characters.
  static func writeError(_ text: String) {
    // One line, so that the text of a widget cannot imitate a message of the program.
    let clean = SafeText(text).onOneLine
    write(Array("today: \(clean)\n".utf8), to: STDERR_FILENO)
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
