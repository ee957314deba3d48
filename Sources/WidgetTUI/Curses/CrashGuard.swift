import CNcurses
import CPlatform
import Glibc

/// Prepares the handlers that restore the terminal in a crash.
enum CrashGuard {
  /// Stores the terminal's settings and installs the handlers, before the screen is opened.
  static func install() {
    platform_terminal_remember(STDIN_FILENO)
    platform_terminal_guard()
  }

  /// Prepares the restore sequence from terminfo, after the screen was opened.
  static func prepareBytes(isFrameMode: Bool, answersQuestions: Bool, marksPastes: Bool) {
    // CAN ends an unfinished sequence.
    var bytes: [UInt8] = [0x18]
    if isFrameMode { bytes += Array("\u{1B}[?2026l".utf8) }
    if answersQuestions {
      bytes += Array((TerminalReport.unfollow + TerminalReport.unfollowFocus).utf8)
    }
    if marksPastes { bytes += Array(PasteReader.unfollow.utf8) }
    if capability("kmous") != nil {
      bytes += Array("\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l".utf8)
    }
    for name in ["rmkx", "sgr0", "cnorm", "rmcup"] { bytes += capability(name) ?? [] }
    bytes += Array("\r\n".utf8)
    unsafe platform_terminal_set_restore_bytes(bytes, bytes.count)
  }

  /// The text of a capability, without padding such as `$<5>`.
  private static func capability(_ name: String) -> [UInt8]? {
    guard let text = unsafe cn_capability(name) else { return nil }
    var result: [UInt8] = []
    var rest = unsafe Array(String(cString: text).utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
