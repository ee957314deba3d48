import Testing
import WidgetTestSupport

@testable import WidgetKitCore

@Suite struct `SGR sequences` {
  private func spans(_ raw: String) -> [TextSpan] {
    var parser = AnsiParser()
    return parser.spans(of: raw)
  }

  @Test func `pieces of one style are one span, whatever sequences are between them`() {
    let raw = String(repeating: "a\u{1B}[1m\u{200B}\u{1B}[0m", count: 2_000)
    #expect(spans(raw) == [TextSpan(SafeText(String(repeating: "a", count: 2_000)))])
  }

  @Test(arguments: [
    ("1", TextStyle(bold: true)),
    (
      "1;2;3;4;7;9",
      TextStyle(
        bold: true,
        dim: true,
        italic: true,
        underline: true,
        strikethrough: true,
        reverse: true
      )
    ),
    ("31", TextStyle(foreground: .indexed(1))),
    ("97;100", TextStyle(foreground: .indexed(15), background: .indexed(8))),
    ("38;5;208", TextStyle(foreground: .indexed(208))),
    ("38:5:208", TextStyle(foreground: .indexed(208))),
    ("48;2;1;2;3;1", TextStyle(background: .rgb(red: 1, green: 2, blue: 3), bold: true)),
    ("38:2::1:2:3", TextStyle(foreground: .rgb(red: 1, green: 2, blue: 3))),
    ("38:2:1:2:3", TextStyle(foreground: .rgb(red: 1, green: 2, blue: 3))),
    ("4:3", TextStyle(underline: true)),
    ("4;4:0", TextStyle.inherited),
    ("1;22", TextStyle.inherited),
    ("1;0;3", TextStyle(italic: true)),
    ("1;", TextStyle.inherited),
    ("38;5;999", TextStyle.inherited),
    ("38;5", TextStyle.inherited),
    ("38", TextStyle.inherited),
    ("99999999999999999999", TextStyle.inherited),
  ])
  func `parameters become a style`(parameters: String, style: TextStyle) {
    #expect(spans("\u{1B}[\(parameters)mx") == [TextSpan("x", style: style)])
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb", "ab"),
    ("a\u{1B}[?25lb", "ab"),
    ("a\u{1B}]0;title\u{7}b", "ab"),
    ("a\u{1B}]8;;http://x\u{1B}\\b", "ab"),
    ("a\u{1B}P1$r\u{1B}\\b", "ab"),
    ("a\u{1B}(Bb", "ab"),
    ("a\u{1B}cb", "ab"),
    ("a\u{9B}2Jb", "ab"),
    ("a\u{7}\u{8}\rb", "ab"),
    ("a\u{1B}", "a"),
    ("a\u{1B}[", "a"),
    ("a\u{1B}[12", "a"),
    ("a\u{1B}\u{1B}[1;1Hb", "ab"),
    ("one\ntwo", "one\ntwo"),
    ("a\u{1B}]unended", "aunended"),
  ])
  func `every other sequence is removed`(raw: String, text: String) {
    #expect(spans(raw).map(\.text.string).joined() == text)
  }

  @Test func `no escape character remains`() {
    let pieces = ["\u{1B}", "[", "]", "m", "2", ";", "J", "\\", "\u{7}", "\u{9B}", "P", "\n", "x"]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let raw = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let text = spans(raw).map(\.text.string).joined()
      #expect(
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }
      )
    }
  }
}
