import Testing

@testable import WidgetTUI

/// What commands print in columns.
struct TextTableTests {
  private func lines(_ rows: [[String]], widest: Int = .max) -> [String] {
    TextTable(rows, widest: widest).lines.map { "\($0)" }
  }

  @Test func `a column is as wide as its widest cell, and the last cell of a row is not padded`() {
    #expect(lines([["a", "bcd", "e"], ["fgh", "i", ""]]) == ["a    bcd  e", "fgh  i    "])
    #expect(lines([["a"], ["fgh", "i"]]) == ["a", "fgh  i"])
    #expect(lines([]).isEmpty)
  }

  @Test func `a cell has the columns that a terminal gives it`() {
    #expect(lines([["日本", "a"], ["e\u{301}", "b"]]) == ["日本  a", "e\u{301}     b"])
  }

  @Test func `no control character of a cell is printed, and a cell has one line`() {
    let text = lines([["a\u{1B}[31m", "b\nc"]])[0]
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 }, "\(text)")
  }

  @Test func `a long cell moves only what follows it in its row`() {
    #expect(lines([["a", "b"], ["cdef", "g"]], widest: 2) == ["a   b", "cdef  g"])
  }
}
