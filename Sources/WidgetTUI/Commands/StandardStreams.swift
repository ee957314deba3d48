import Glibc
import WidgetKitCore

/// Standard output and standard error, written whole and cleaned.
enum StandardStreams {
  /// Writes to standard output; false where nobody reads it any more.
  @discardableResult
  static func write(_ bytes: [UInt8]) -> Bool {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Writes a line to standard output.
  @discardableResult
  static func writeLine(_ text: SafeText) -> Bool {
    write(Array("\(text)\n".utf8))
  }

  /// Writes `today: …` to standard error.
  static func complain(_ error: CommandError) {
    complain(error.description)
  }

  /// Writes `today: …` to standard error, without anything that could act on a terminal.
  static func complain(_ text: String) {
    let clean = SafeText(text)
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
