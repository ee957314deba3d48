import Testing
import WidgetKitCore
import WidgetRequests

@testable import WidgetTUI

@Suite struct PaneSheetTests {
  private let preview = ContentPreview(summary: "plain text", lines: ["a", "b"], more: 40)

  private func sheet(text: String? = nil, items: [PaneSheet.Item] = []) -> PaneSheet {
    PaneSheet(title: "Paste", preview: preview, text: text.map { ComposeText($0) }, items: items)
  }

  private func text(_ sheet: PaneSheet, _ columns: Int = 60, _ rows: Int = 24) -> String {
    let look = PaneLook(glyphs: .unicode, size: Size(columns: columns, rows: rows))
    return TextWriter.text(sheet.picture(look).canvas)
  }

  private func type(_ words: String, in sheet: inout PaneSheet) -> [PaneSheet.Event] {
    words.unicodeScalars.flatMap { sheet.take(.character($0), nil) }
  }

  @Test func `each change of the text is told, and Post has its result`() {
    var sheet = sheet(text: "")
    sheet.placeholder = "Say something"
    #expect(text(sheet).contains("Say something"))
    #expect(type("ab", in: &sheet) == [.textChanged, .textChanged])
    #expect(sheet.take(.enter, nil) == [.textChanged])
    #expect(sheet.take(.left, nil) == [])
    #expect(sheet.text?.text == "ab\n")
    #expect(sheet.take(.control("s"), nil) == [.posts])
  }

  @Test func `on the lowest screen it has the part with the focus, and both buttons`() {
    let choices = (1...9).map { "choice \($0)" }
    var sheet = sheet(
      text: "words",
      items: [
        PaneSheet.Item(id: "a", title: "Audience", value: "all"),
        PaneSheet.Item(id: "l", title: "List", value: "choice 1", choices: choices),
      ]
    )
    #expect(text(sheet, 20, 4).contains("words") && !text(sheet, 20, 4).contains("Audience"))
    #expect(text(sheet, 20, 4).contains("[Cancel] [Post]"))
    _ = sheet.take(.tab, nil)
    #expect(text(sheet, 20, 4).contains("Audience") && !text(sheet, 20, 4).contains("words"))
    _ = sheet.take(.tab, nil)
    #expect(text(sheet, 20, 4).contains("List"))
    _ = sheet.take(.enter, nil)
    #expect(text(sheet, 60, 10).contains(" 1/9 │"))
  }

  @Test func `Post is inert while the content is not valid, and the count is negative`() throws {
    var sheet = sheet(text: "much")
    (sheet.isValid, sheet.charactersRemaining) = (false, -1)
    #expect(sheet.take(.control("s"), nil) == [])
    #expect(sheet.take(.tab, nil) == [] && sheet.focus == .post)
    #expect(sheet.take(.enter, nil) == [])
    let look = PaneLook(glyphs: .unicode, size: Size(columns: 60, rows: 24))
    let picture = sheet.picture(look)
    let post = try #require(picture.targets.first { $0.action == .post })
    let press = MouseEvent(action: .press, column: post.area.minColumn, row: post.area.minRow)
    #expect(sheet.take(.mouse(press), .post) == [])
    let cells = picture.canvas.cells
    #expect(cells.contains { $0.glyph.text == "-" && $0.style.foreground == .red })
    sheet.isValid = true
    #expect(sheet.take(.mouse(press), .post) == [.posts])
  }

  @Test func `a row opens its choices, and has the one that is taken`() {
    let choices = ["1 day", "never"]
    let item = PaneSheet.Item(id: "t", title: "Expires", value: "1 day", choices: choices)
    var sheet = sheet(items: [item])
    #expect(sheet.focus == .post)
    _ = sheet.take(.up, nil)
    #expect(sheet.focus == .item(0))
    #expect(sheet.take(.enter, nil) == [])
    #expect(text(sheet).contains("│ never"))
    _ = sheet.take(.down, nil)
    #expect(sheet.take(.enter, nil) == [.chose(id: "t", value: "never")])
    #expect(sheet.items[0].value == "never" && sheet.opened == nil)
    #expect(sheet.take(.enter, nil) == [] && sheet.opened != nil)
    #expect(sheet.take(.escape, nil) == [] && sheet.opened == nil)
    #expect(sheet.take(.escape, nil) == [.cancels])
  }

  @Test func `a row without choices is typed, or asks the extension`() {
    var sheet = sheet(items: [
      PaneSheet.Item(id: "a", title: "Name", value: "", isTyped: true),
      PaneSheet.Item(id: "b", title: "Place", value: "", isPending: true),
    ])
    #expect(text(sheet).contains("… ›"))
    #expect(sheet.take(.mouse(MouseEvent(action: .press, column: 0, row: 0)), .item(0)) == [])
    #expect(type("me", in: &sheet) == [])
    #expect(sheet.take(.enter, nil) == [.chose(id: "a", value: "me")])
    #expect(sheet.take(.down, nil) == [])
    #expect(sheet.take(.enter, nil) == [.chose(id: "b", value: nil)])
  }

  @Test func `what is typed in a sheet without a text goes to a row, and a space posts nothing`() {
    var sheet = sheet(items: [
      PaneSheet.Item(id: "when", title: "When", value: "today", choices: ["today", "later"]),
      PaneSheet.Item(id: "title", title: "Title", value: "", isTyped: true),
    ])
    #expect(sheet.focus == .post)
    #expect(sheet.take(.character(" "), nil) == [])
    #expect(type("hello world", in: &sheet) == [])
    #expect(sheet.take(.enter, nil) == [.chose(id: "title", value: "hello world")])
    #expect(sheet.focus == .item(1))
    #expect(type("!", in: &sheet) == [])
    #expect(sheet.take(.enter, nil) == [.chose(id: "title", value: "hello world!")])
    #expect(sheet.take(.down, nil) == [])
    #expect(sheet.take(.enter, nil) == [.posts])
  }

  @Test func `completions are in place of the rows until one is taken`() {
    var sheet = sheet(
      text: "see @jo",
      items: [
        PaneSheet.Item(id: "a", title: "Audience", value: "all")
      ]
    )
    sheet.completions = [
      PaneSheet.Completion(text: "@joe", detail: "Joe", replaces: 3),
      PaneSheet.Completion(text: "@john", replaces: 3),
    ]
    #expect(text(sheet).contains("@john") && !text(sheet).contains("Audience"))
    _ = sheet.take(.down, nil)
    #expect(sheet.take(.tab, nil) == [.textChanged])
    #expect(sheet.text?.text == "see @john" && text(sheet).contains("Audience"))
  }

  @Test func `once it is posted only Cancel is left`() {
    var sheet = sheet(text: "a")
    sheet.didPost()
    #expect(text(sheet).contains("Posting") && !text(sheet).contains("[ Post ]"))
    #expect(type("b", in: &sheet) == [] && sheet.text?.text == "a")
    // As when Enter is pressed twice.
    #expect(sheet.take(.enter, nil) == [])
    #expect(sheet.take(.escape, nil) == [.cancels])
  }

  @Test(arguments: [(0, 0), (1, 1), (12, 3), (20, 4), (24, 7), (84, 12), (300, 100)])
  func `it fits into every size, and the buttons are there`(columns: Int, rows: Int) {
    var sheet = sheet(
      text: String(repeating: "many words 日本語 ", count: 40),
      items: [
        PaneSheet.Item(id: "a", title: "Audience", value: "all")
      ]
    )
    sheet.charactersRemaining = 12
    let look = PaneLook(glyphs: .ascii, size: Size(columns: columns, rows: rows))
    let picture = sheet.picture(look)
    #expect(picture.canvas.size.columns <= columns && picture.canvas.size.rows <= rows)
    if columns >= 24, rows >= 4 { #expect(text(sheet, columns, rows).contains("[ Post ]")) }
  }

  @Test func `a text is edited over its lines`() {
    var text = ComposeText("ab\ncd")
    _ = text.take(.up)
    #expect(text.take(.enter) && text.text == "ab\n\ncd")
    _ = text.take(.backspace)
    #expect(text.text == "ab\ncd" && text.row == 0)
    _ = text.take(.delete)
    #expect(text.text == "abcd")
    _ = text.take(.paste("x\r\ny"))
    #expect(text.text == "abx\nycd")
    let (rows, cursor) = ComposeText("abcdef").rows(columns: 4)
    #expect(rows.map(\.width) == [4, 2] && cursor == Position(column: 2, row: 1))
  }

  @Test func `Up and Down move by the rows that are shown`() {
    var text = ComposeText("abcdefghij\nkl")
    text.columns = 4
    func place() -> Position { text.rows(columns: 4).cursor }
    #expect(place() == Position(column: 2, row: 3))
    _ = text.take(.up)
    #expect(place() == Position(column: 2, row: 2) && text.row == 0)
    _ = text.take(.up)
    #expect(place() == Position(column: 2, row: 1))
    // Behind the last character of a row the next one begins.
    _ = text.take(.left)
    _ = text.take(.left)
    _ = text.take(.left)
    #expect(place() == Position(column: 3, row: 0))
    _ = text.take(.down)
    #expect(place() == Position(column: 3, row: 1))
    _ = text.take(.down)
    #expect(place() == Position(column: 2, row: 2))
    _ = text.take(.down)
    #expect(place() == Position(column: 2, row: 3))
    let goesOn = text.take(.down)
    #expect(!goesOn)
    // A wide character is where its first column is.
    text = ComposeText("日本語日本語")
    text.columns = 5
    #expect(text.rows(columns: 5).rows.map(\.width) == [4, 4, 4])
    _ = text.take(.up)
    #expect(text.rows(columns: 5).cursor == Position(column: 2, row: 1))
    _ = text.take(.up)
    let isTop = text.take(.up)
    #expect(!isTop && text.rows(columns: 5).cursor == Position(column: 2, row: 0))
  }

  @Test func `a long text is pasted whole, and what has no room is counted`() {
    var sheet = sheet(text: "")
    let lines = (1...2_100).map { "line \($0)" }.joined(separator: "\n")
    #expect(sheet.take(.paste(lines), nil) == [.textChanged])
    #expect(sheet.text?.text == lines && sheet.overflow == nil)
    let letters = String(repeating: "é", count: 200 * 1024)
    sheet.text = ComposeText("a\n")
    _ = sheet.take(.paste(letters), nil)
    // 256 KiB without the first line, in characters of two bytes.
    let count = (256 * 1024 - 2) / 2
    #expect(sheet.text?.text == "a\n" + letters.prefix(count))
    #expect(sheet.overflow == SafeText("No room for \(200 * 1024 - count) characters."))
    #expect(text(sheet, 80, 24).contains("No room for"))
    _ = sheet.take(.backspace, nil)
    #expect(sheet.overflow == nil)
    _ = sheet.take(.character("b"), nil)
    #expect(sheet.text?.text.hasSuffix("éb") == true)
  }
}
