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

  @Test func `marks stand where the line goes on, and never at the cursor`() throws {
    let mark = try #require(Glyph.glyphs(of: "…").first)
    for text in ["abcdefghij", "東京東京東京", "a東b京c東d京", "abc", "", "e\u{301}e\u{301}e\u{301}e\u{301}"]
    {
      for columns in 0...12 {
        for cursor in 0...text.count {
          let window = TextWindow(text, cursor: cursor, columns: columns)
          let marked = window.glyphs(markedAtStart: mark, atEnd: mark)
          func width(_ glyphs: [Glyph]) -> Int { glyphs.reduce(0) { $0 + $1.width } }
          #expect(width(marked) == width(window.glyphs))
          var column = 0
          for glyph in marked {
            if column == window.cursorColumn {
              #expect(glyph != mark, "\(text) \(cursor) \(columns)")
            }
            column += glyph.width
          }
        }
      }
    }
    let window = TextWindow("abcdefghij", cursor: 0, columns: 5)
    let words = window.glyphs(markedAtStart: mark, atEnd: mark).map(\.text).joined()
    #expect(words == "abcd…")
  }
}
