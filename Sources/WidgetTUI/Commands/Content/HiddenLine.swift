import Glibc
import WidgetKitCore

/// A line that is typed on the terminal without being shown.
enum HiddenLine {
  private static let byteLimit = SecretValue.byteLimit + 1

  /// Asks for a line on standard error; nil if it is cancelled with Ctrl-C, or the terminal cannot hide it.
  static func read(_ prompt: String) -> [UInt8]? {
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var hidden = before
    // Without signals, as one would leave the terminal like this.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
    StandardStreams.writePrompt("\(prompt): ")
    defer {
      unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      StandardStreams.writePrompt("\n")
    }
    var line: [UInt8] = []
    while let byte = nextByte() {
      switch byte {
      case 0x03: return nil
      case 0x04, 0x0A, 0x0D: return line
      case 0x15: line = []
      case 0x08, 0x7F:
        // With the bytes that continue a character of UTF-8.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      default: if line.count < byteLimit { line.append(byte) }
      }
    }
    return line
  }

  private static func nextByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }
}
