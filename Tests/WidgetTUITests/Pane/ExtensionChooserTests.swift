import Testing
import WidgetKitCore
import WidgetRequests

@testable import WidgetTUI

@Suite struct ExtensionChooserTests {
  private func chooser(_ names: [String]) -> ExtensionChooser {
    ExtensionChooser(
      title: "Share",
      names.map { ExtensionChooser.Item(glyph: nil, name: SafeText($0), detail: "share") },
      preview: ContentPreview(summary: "plain text", lines: ["hello"])
    )
  }

  private func look(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .unicode) -> PaneLook {
    PaneLook(glyphs: glyphs, size: Size(columns: columns, rows: rows))
  }

  @Test func `typing narrows the list down, and Enter chooses a row of the whole list`() {
    var list = chooser(["Paste", "Pin", "Copy"])
    for letter in "cop".unicodeScalars { #expect(list.take(.character(letter), nil) == .stays) }
    #expect(list.matches == [2])
    #expect(list.take(.enter, nil) == .chooses(2))
    #expect(list.take(.character("x"), nil) == .stays)
    #expect(list.take(.enter, nil) == .stays)
    #expect(list.take(.escape, nil) == .cancels)
  }

  @Test func `keys and the mouse move through the list`() {
    var list = chooser(["Paste", "Pin", "Copy"])
    for key in [Key.down, .control("n")] { _ = list.take(key, nil) }
    #expect(list.selection == 2)
    _ = list.take(.control("p"), nil)
    #expect(list.take(.enter, nil) == .chooses(1))
    let picture = list.picture(look(60, 20))
    let row = TextWriter.text(picture.canvas).split(separator: "\n")
      .firstIndex { $0.contains("Copy") }
    let place = Position(column: 5, row: row ?? 0)
    let press = MouseEvent(action: .press, column: place.column, row: place.row)
    #expect(list.take(.mouse(press), picture.action(at: place)) == .chooses(2))
  }

  @Test func `a row that comes later matches what was typed, and moves no selection`() {
    var list = chooser(["Paste", "Pin", "Copy"])
    _ = list.take(.down, nil)
    list.add([ExtensionChooser.Item(name: "Look Up", detail: "what it names")])
    #expect(list.matches == [0, 1, 2, 3])
    #expect(list.take(.enter, nil) == .chooses(1))
    var narrow = chooser(["Paste", "Pin", "Copy"])
    for letter in "look".unicodeScalars { _ = narrow.take(.character(letter), nil) }
    #expect(narrow.take(.enter, nil) == .stays)
    narrow.add([ExtensionChooser.Item(name: "Look Up", detail: "what it names")])
    #expect(narrow.take(.enter, nil) == .chooses(3))
  }

  @Test func `what an extension is for is behind the names, where there is room`() {
    let items = [
      ExtensionChooser.Item(name: "Pin", words: "as a card of the page", detail: "share"),
      ExtensionChooser.Item(name: "Paste Link", detail: "share"),
    ]
    let list = ExtensionChooser(
      title: "Share",
      items,
      preview: ContentPreview(summary: "", lines: [])
    )
    let wide = TextWriter.text(list.picture(look(60, 20)).canvas)
    #expect(wide.contains("Pin         as a card of the page"))
    let narrow = TextWriter.text(list.picture(look(36, 20)).canvas)
    #expect(narrow.contains("Pin") && !narrow.contains("as a"))
  }

  @Test func `a list that is longer than its place says which row is chosen of how many`() {
    var list = chooser((0..<12).map { "Extension \($0)" })
    #expect(TextWriter.text(list.picture(look(60, 20)).canvas).contains("1/12"))
    _ = list.take(.up, nil)
    let text = TextWriter.text(list.picture(look(60, 20)).canvas)
    #expect(text.contains("12/12") && text.contains("Extension 11"))
    #expect(!TextWriter.text(chooser(["A", "B"]).picture(look(60, 20)).canvas).contains("1/2"))
  }

  @Test func `a key among 500 extensions takes a few milliseconds`() {
    var list = chooser((0..<500).map { "Extension number \($0) of many" })
    var times: [Duration] = []
    for letter in "extension 49".unicodeScalars {
      times.append(
        ContinuousClock().measure {
          _ = list.take(.character(letter), nil)
          _ = list.picture(look(80, 20))
        }
      )
    }
    #expect(list.matches.count < 500)
    // Without optimization and on a busy machine it takes many times as long.
    #expect(times.min() ?? .zero < .milliseconds(250))
  }

  @Test(arguments: [(0, 0), (1, 1), (10, 3), (19, 4), (20, 4), (30, 6), (500, 200)])
  func `it fits into every size`(columns: Int, rows: Int) {
    for glyphs in GlyphSet.allCases {
      let picture = chooser(["Paste", "日本語", "e\u{301}"]).picture(look(columns, rows, glyphs))
      #expect(picture.canvas.size.columns <= columns && picture.canvas.size.rows <= rows)
      #expect(picture.targets.allSatisfy { picture.canvas.bounds.intersection($0.area) == $0.area })
    }
  }
}
