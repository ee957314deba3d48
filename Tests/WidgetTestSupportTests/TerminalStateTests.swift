import Testing
import WidgetTestSupport

/// What output leaves set in a terminal.
struct TerminalStateTests {
  private func state(_ text: String) -> TerminalState { TerminalState(after: Array(text.utf8)) }

  @Test(arguments: [
    "\u{1b}[1;24r", "\u{1b}[?1049h", "\u{1b}[?1006;1000h\u{1b}[?1000l", "\u{1b}[4h", "\u{1b})0",
    "\u{1b}(0", "\u{0e}", "\u{1b}[3g", "\u{1b}H", "\u{1b}[5 q", "\u{1b}[?25l", "\u{1b}[?12l",
    "\u{1b}[?7l", "\u{1b}=", "\u{1b}[22;0;0t", "\u{1b}[23t", "\u{1b}]0;title\u{07}", "\u{1b}[>1u",
    "\u{1b}[<u", "\u{1b}[>4;2m", "\u{1b}[1m", "\u{1b}[38;5;3m", "\u{1b}]8;;file:///\u{1b}\\",
    "\u{1b}]11;#000000\u{07}", "\u{1b}]104\u{07}", "\u{1b}c", "\u{1b}[!p", "\u{1b}[12",
    "\u{1b}[?69h\u{1b}[3;9s",
  ])
  func `what is set is seen`(output: String) {
    #expect(state(output) != TerminalState())
  }

  @Test(arguments: [
    "text\r\n", "\u{1b}[1;24r\u{1b}[r", "\u{1b}[?1049h\u{1b}[?1049l", "\u{1b}[?25l\u{1b}[?25h",
    "\u{1b}[?1006;1000h\u{1b}[?1006l\u{1b}[?1000l", "\u{1b}[4h\u{1b}[4l", "\u{1b}(0\u{1b}(B",
    "\u{0e}\u{0f}", "\u{1b}=\u{1b}>", "\u{1b}[22;0;0t\u{1b}[23;0;0t", "\u{1b}[>1u\u{1b}[<u",
    "\u{1b}[1;38;5;3m\u{1b}[22;39m", "\u{1b}[1;38;2;1;2;3m\u{1b}[m", "\u{1b}]11;?\u{07}",
    "\u{1b}]8;;file:///\u{1b}\\\u{1b}]8;;\u{1b}\\", "\u{1b}[?7h\u{1b}[5;7H", "\u{1b}[3\u{18}x",
    "\u{1b}[>4;2m\u{1b}[>4m",
  ])
  func `what is taken back is not`(output: String) {
    #expect(state(output) == TerminalState())
  }
}
