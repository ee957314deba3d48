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

  /// Prepares the restore sequence from terminfo, after the screen was opened;
  /// `margins` resets the margins.
  static func prepareBytes(
    isFrameMode: Bool,
    answersQuestions: Bool,
    marksPastes: Bool,
    margins: [UInt8]
  ) {
    // CAN ends an unfinished sequence.
    var bytes: [UInt8] = [0x18]
    if isFrameMode { bytes += Array("\u{1B}[?2026l".utf8) }
    if answersQuestions {
      bytes += Array((TerminalReport.unfollow + TerminalReport.unfollowFocus).utf8)
    }
    if marksPastes { bytes += Array(TerminalReport.unfollowPastes.utf8) }
    if TerminalCapability.bytes("kmous") != nil {
      bytes += Array("\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l".utf8)
    }
    bytes += TerminalCapability.erasingOtherScreen()
    // The cursor goes to the last row, in which the shell continues where there is no other screen.
    if !margins.isEmpty { bytes += margins + Array("\u{1B}[9999H".utf8) }
    // The cursor is shown last: some terminals give it the visibility that it had when its place was last saved.
    for name in ["rmkx", "sgr0", "rmcup", "cnorm"] { bytes += TerminalCapability.bytes(name) ?? [] }
    bytes += Array("\r\n".utf8)
    unsafe platform_terminal_set_restore_bytes(bytes, bytes.count)
  }
}
