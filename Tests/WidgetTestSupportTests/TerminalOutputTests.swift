import Testing
import WidgetTestSupport

struct TerminalOutputTests {
  static let cases: [(String, [TerminalOutput])] = [
    ("", []),
    ("aé", [.character("a"), .character("é")]),
    ("\u{07}\u{9b}", [.control(7), .control(0x9b)]),
    ("\u{1b}[?1049h", [.csi(parameters: "?1049", final: "h")]),
    ("\u{1b}[m", [.csi(parameters: "", final: "m")]),
    ("\u{1b}(B\u{1b}7", [.escape("(B"), .escape("7")]),
    ("\u{1b}]0;x\u{07}", [.string(introducer: "]", text: "0;x")]),
    ("\u{1b}Pq\u{1b}\\", [.string(introducer: "P", text: "q")]),
    ("\u{1b}", [.unfinished("ESC")]),
    ("\u{1b}[3", [.unfinished("3")]),
  ]

  @Test(arguments: cases)
  func `output is cut by the grammar of ECMA-48`(text: String, parts: [TerminalOutput]) {
    #expect(TerminalOutput.parse(Array(text.utf8)) == parts)
  }
}
