import Testing

@testable import WidgetTUI

/// Bytes on their way to a terminal, in parts.
struct TerminalTextTests {
  private func text(_ parts: [[UInt8]]) -> String {
    var text = TerminalText()
    return parts.map { text.next($0) }.joined() + text.end()
  }

  @Test func `the parts in which bytes come make no difference`() {
    let bytes = Array("one\nzwei ä €\u{1B}[2J\n🙂\u{7} end".utf8)
    let whole = text([bytes])
    #expect(!whole.unicodeScalars.contains { $0 != "\n" && $0.value < 0x20 })
    #expect(whole.hasPrefix("one\nzwei ä €") && whole.hasSuffix(" end\n"))
    for split in 0...bytes.count {
      #expect(text([Array(bytes[..<split]), Array(bytes[split...])]) == whole)
    }
    #expect(text(bytes.map { [$0] }) == whole)
  }

  @Test(arguments: [("", ""), ("a", "a\n"), ("a\n", "a\n"), ("\n", "\n")])
  func `there is a line feed behind a text, and none behind nothing`(bytes: String, shown: String) {
    #expect(text([Array(bytes.utf8)]) == shown)
  }

  @Test func `a line of any length is shown, with all its characters`() {
    let euro = Array("€".utf8)
    var text = TerminalText()
    var shown = ""
    for _ in 0..<800_000 / 2 { shown += text.next(euro) }
    #expect(shown.utf8.count > 1 << 19)
    shown += text.end()
    #expect(shown == String(repeating: "€", count: 400_000) + "\n")
  }
}
