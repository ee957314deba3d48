import Testing

@testable import WidgetKitCore

@Suite struct TextWindowTests {
  private func words(_ window: TextWindow) -> String { window.glyphs.map(\.text).joined() }

  @Test(
    arguments: [
      ("", 0, 5, "", 0), ("abc", 3, 5, "abc", 3), ("abcde", 0, 5, "abcde", 0),
      ("abcde", 4, 5, "abcde", 4), ("abcde", 5, 5, "cde", 3), ("abcdefgh", 8, 5, "efgh", 4),
      ("abcdefgh", 5, 5, "cdefg", 3), ("abc", 3, 1, "", 0), ("abc", 1, 1, "b", 0),
      ("abc", 99, 5, "abc", 3), ("abc", -4, 5, "abc", 0), ("abc", 1, 0, "", 0),
      ("東京都", 3, 4, "都", 2), ("東京都", 0, 3, "東", 0), ("a東京", 3, 5, "東京".dropFirst() + "", 3),
    ] as [(String, Int, Int, String, Int)]
  )
  func `it shows the part with the cursor`(
    text: String,
    cursor: Int,
    columns: Int,
    shown: String,
    column: Int
  ) {
    let window = TextWindow(text, cursor: cursor, columns: columns)
    #expect(words(window).drop { $0 == " " } == shown)
    #expect(window.cursorColumn == column)
  }

  @Test func `it stays where it is while the cursor moves within it`() {
    let text = "abcdefghijklmnopqrstuvwxyz"
    let starts = (0...26).map { words(TextWindow(text, cursor: $0, columns: 10)).first }
    #expect(Set(starts).count == 5)
  }

  @Test func `it fits its width, and has the cursor, for every text`() {
    for text in ["", "a", "東京都 a 東", "e\u{301}e\u{301}", "👩‍👩‍👧 and 🇩🇰", "\u{1B}[2J"] {
      for cursor in 0...text.count {
        for columns in 0...12 {
          let window = TextWindow(text, cursor: cursor, columns: columns)
          let width = window.glyphs.reduce(0) { $0 + $1.width }
          #expect(width <= columns)
          #expect(window.cursorColumn == 0 || window.cursorColumn < columns)
          #expect(window.character(at: window.cursorColumn) == cursor || columns == 0)
        }
      }
    }
  }
}
