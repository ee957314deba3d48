import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct TextLineTests {
  private func string(_ line: TextLine) -> String { line.glyphs.map(\.text).joined() }

  @Test(arguments: [
    (5, "hello"), (4, "hel…"), (1, "…"), (0, ""), (-1, ""),
  ])
  func `a line is cut with an ellipsis`(columns: Int, expected: String) {
    #expect(string(TextLine("hello").truncated(to: columns, glyphSet: .unicode)) == expected)
  }

  @Test func `a wide character has no half`() {
    let line = TextLine("日本語").truncated(to: 4, glyphSet: .unicode)
    #expect(string(line) == "日…")
    #expect(string(TextLine("日本語").truncated(to: 5, glyphSet: .ascii)) == "日...")
  }

  @Test(arguments: [0, 1, 2, 3, 7, 80])
  func `wrapped lines fit`(columns: Int) {
    let lines = TextLine.wrapped("a longer sentence\nwith 日本語 in it", columns: columns)
    #expect(lines.allSatisfy { $0.width <= max(2, columns) })
    #expect(columns > 0 || lines.isEmpty)
  }

  @Test func `lines break at spaces`() {
    let lines = TextLine.wrapped("one two three", columns: 7).map(string)
    #expect(lines == ["one two", "three"])
  }
}
