import Testing
import WidgetTestSupport

struct TestScreenTests {
  @Test func `wide and combining characters keep their columns`() {
    let screen = TestScreen(columns: 10, rows: 1)
    screen.write(Array("a漢e\u{301}b".utf8))
    #expect(screen.rows == ["a漢e\u{301}b"])
    #expect(screen.cell(column: 1, row: 0).width == 2)
    #expect(screen.cell(column: 2, row: 0).isRightHalf)
    #expect(screen.position(of: "b")?.column == 4)
  }

  @Test func `modes set together are each followed, in pieces of any size`() {
    let screen = TestScreen()
    for byte in "\u{1b}[?1006;1000h\u{1b}[?25l".utf8 { screen.write([byte]) }
    #expect(screen.reportsMouse)
    #expect(!screen.isCursorVisible)
    let report = screen.click(.left, column: 4, row: 2)
    #expect(String(decoding: report, as: UTF8.self) == "\u{1b}[<0;5;3M\u{1b}[<0;5;3m")
    screen.write(Array("\u{1b}[?1006;1000l\u{1b}[?12;25h".utf8))
    #expect(!screen.reportsMouse)
    #expect(screen.isCursorVisible)
    #expect(screen.click(.left, column: 4, row: 2) == [])
  }

  @Test func `other sequences pass unchanged`() {
    let screen = TestScreen(columns: 20, rows: 2)
    screen.write(Array("\u{1b}\u{1b}[31mred\u{1b}[m \u{1b}[?6n\u{1b}[Hx".utf8))
    #expect(screen.rows[0] == "xed")
    #expect(screen.cell(column: 1, row: 0).foreground == .index(1))
  }

  @Test func `colours and attributes are those that were set`() {
    let screen = TestScreen(columns: 4, rows: 1)
    screen.write(Array("\u{1b}[1;4;38;5;200ma\u{1b}[0;3;48;2;1;2;3mb\u{1b}[0;7mc".utf8))
    #expect(screen.cell(column: 0, row: 0).attributes == [.bold, .underline])
    #expect(screen.cell(column: 0, row: 0).foreground == .index(200))
    #expect(screen.cell(column: 1, row: 0).attributes == .italic)
    #expect(screen.cell(column: 1, row: 0).background == .rgb(0x01_0203))
    #expect(screen.cell(column: 2, row: 0).attributes == .reverse)
  }
}
