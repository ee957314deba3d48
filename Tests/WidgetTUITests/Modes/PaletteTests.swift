import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

@Suite struct PaletteTests {
  private func palette(_ titles: SafeText...) -> Palette {
    Palette(
      titles.map { Palette.Item(title: $0, detail: "", action: .perform(.help)) },
      themeNote: nil
    )
  }

  private func type(_ text: String, in palette: inout Palette) {
    for scalar in text.unicodeScalars { _ = palette.take(.character(scalar)) }
  }

  @Test(arguments: [
    ("rac", ["Refresh all cards"]), ("tm", ["Theme: Midnight"]), ("theme mid", ["Theme: Midnight"]),
    ("CARD", ["Refresh the card", "Refresh all cards"]), ("xyz", []), ("zz", []),
    ("", ["Refresh the card", "Refresh all cards", "Theme: Midnight", "Quit"]),
  ])
  func `what is typed narrows the list down, the best match first`(
    text: String,
    titles: [SafeText]
  ) {
    var palette = palette("Refresh the card", "Refresh all cards", "Theme: Midnight", "Quit")
    type(text, in: &palette)
    #expect(palette.matches.map(\.title) == titles)
  }

  @Test func `what removes something is below everything else that fits`() {
    let items: [Palette.Item] = [
      Palette.Item(title: "Remove the row", detail: "", action: .perform(.removeRow), use: 9),
      Palette.Item(title: "Remove Reminders", detail: "", action: .remove(CardID("a"))),
      Palette.Item(title: "Go to Reminders", detail: "", action: .perform(.help)),
    ]
    var palette = Palette(items, themeNote: nil)
    type("rem", in: &palette)
    #expect(
      palette.matches.map(\.title) == ["Go to Reminders", "Remove the row", "Remove Reminders"]
    )
    #expect(Palette.Item.Action.perform(.removeRow).name == nil)
  }

  @Test func `a line that needs a name types the words before it`() throws {
    let items = [
      Palette.Item(title: "Rename Home…", detail: "", action: .types(Palette.renameWords))
    ]
    var palette = Palette(
      items,
      themeNote: nil,
      searchesGallery: true,
      renamedPage: PageName.home
    )
    guard case .stays = palette.take(.enter) else {
      Issue.record("the palette has ended")
      return
    }
    #expect(palette.entry.text == "rename page " && palette.matches.isEmpty)
    type("Desk", in: &palette)
    guard case .chooses(let item) = palette.take(.enter) else {
      Issue.record("nothing was chosen")
      return
    }
    #expect(item.title == "Rename Home to “Desk”")
  }

  @Test func `a page is made for the card with the focus by its name`() {
    let card = (id: CardID("org.today.Clock"), name: SafeText("Clock"))
    let items = [Palette.Item(title: "Quit", detail: "", action: .perform(.quit))]
    func titles(_ text: String, _ card: (id: CardID, name: SafeText)?) -> [SafeText] {
      var palette = Palette(
        items,
        themeNote: nil,
        searchesGallery: true,
        movableCard: card,
        renamedPage: card == nil ? nil : .home
      )
      type(text, in: &palette)
      return palette.matches.map(\.title)
    }
    #expect(titles("new page Work", card).first == "Move Clock to the new page “Work”")
    #expect(titles("rename page Start", card).first == "Rename Home to “Start”")
    #expect(!titles("rename page Start", nil).contains { $0.string.contains("Rename") })
    // A word with a mistake is no name of a page.
    #expect(titles("Wrok", card) == ["Search the gallery of widgets for “Wrok”"])
    #expect(!titles("new page Work", nil).contains { $0.string.contains("Move") })
    #expect(!titles("new page  ", card).contains { $0.string.contains("Move") })
  }

  @Test(arguments: [
    ("re", "Refresh", "Press by a letter"), ("th", "Theme: Paper", "Nothing at the end"),
    ("q", "Quit", "Inquire"), ("all", "Refresh all cards", "A long line"),
  ])
  func `beginnings of words and neighbouring letters are better`(
    typed: String,
    better: String,
    worse: String
  ) throws {
    let high = try #require(FuzzyMatch.score(of: typed, in: better))
    #expect(high > FuzzyMatch.score(of: typed, in: worse) ?? .min)
  }

  @Test func `the selection goes around, and typing begins at the top again`() {
    var palette = palette("One", "Two", "Three")
    _ = palette.take(.up)
    #expect(palette.selected?.title == "Three")
    _ = palette.take(.down)
    #expect(palette.selected?.title == "One")
    _ = palette.take(.end)
    type("t", in: &palette)
    #expect(palette.selected?.title == "Two")
    type("zzz", in: &palette)
    #expect(palette.selected == nil)
    for key in [Key.up, .down, .pageDown, .end, .home, .pageUp, .enter] {
      guard case .stays = palette.take(key) else {
        Issue.record("\(key) did something in an empty list")
        return
      }
    }
    guard case .ends = palette.take(.escape) else {
      Issue.record("Esc did not end the list")
      return
    }
  }
}

@Suite struct TypedLineTests {
  @Test func `keys edit a line, and others are left to the page`() {
    var entry = LineEditor(limit: LineEditor.nameLimit)
    /// Whether each key was taken, and the text after it.
    func take(_ key: Key) -> String? { entry.take(key) ? entry.text : nil }
    for scalar in "ab e\u{301}".unicodeScalars { _ = take(.character(scalar)) }
    #expect(entry.text == "ab e\u{301}")
    #expect(take(.backspace) == "ab ")
    #expect(take(.control("w")) == "")
    #expect(take(.backspace) == "")
    #expect(take(.up) == nil && take(.escape) == nil && take(.control("l")) == nil)
    for _ in 0..<500 { _ = take(.character("x")) }
    #expect(entry.text.count == 200)
    #expect(take(.control("u")) == "")
    #expect(take(.paste("a\nb")) == "a b")
    #expect(take(.home) == "a b" && take(.control("k")) == "")
  }

  @Test func `the part around the cursor is drawn, at every width`() {
    var entry = LineEditor("a long text 東京")
    for columns in 0...20 {
      var canvas = Canvas(size: Size(columns: 24, rows: 1))
      entry.draw(on: &canvas, at: .zero, columns: columns, .unicode, in: canvas.bounds)
      let reversed = canvas.cells.indices.filter {
        canvas.cells[$0].style.attributes.contains(.reverse)
      }
      #expect(reversed.count == min(1, columns))
      #expect(reversed.allSatisfy { $0 < columns })
    }
    _ = entry.take(.home)
    var canvas = Canvas(size: Size(columns: 8, rows: 1))
    entry.draw(on: &canvas, at: .zero, columns: 8, .unicode, in: canvas.bounds)
    #expect(TextWriter.text(canvas) == "a long …\n")
  }
}

@Suite struct PageFilterTests {
  private let model = SamplePage.model(Size(columns: 80, rows: 40))

  private func shown(_ text: String) -> [String] {
    let filter = PageFilter(text)
    return model.content.cards.filter {
      filter?.matches($0, model.content.bodies[$0.id], isLocked: false) ?? true
    }
    .map { $0.name.string }
  }

  @Test func `cards are found by words of their name and of their text, whatever the case`() {
    #expect(shown("CLOCK") == ["Clock"])
    #expect(shown("passed main") == ["Builds"])
    #expect(shown("suspenders") == ["ClownTown"])
    #expect(shown("clock suspenders") == [])
    #expect(shown("  ").count == model.content.cards.count)
  }

  @Test func `rows behind Show More and in a closed fold are found, but not on a locked page`()
    throws
  {
    let rows = ["bread", "salt", "milk"].map { name in
      ListRow(id: name, view: ViewNode(.text(TextContent(spans: [TextSpan(SafeText(name))]))))
    }
    var list = ListContent(rows: rows)
    list.minimumVisibleRowCount = 1
    let label = ViewNode(.text(TextContent(spans: [TextSpan("more")])))
    let inside = ViewNode(.text(TextContent(spans: [TextSpan("pep"), TextSpan("per")])))
    let fold = ViewNode(.fold(FoldContent(label: label, children: [inside])))
    var card = SamplePage.card("Reminders", .live, age: 0)
    card.view = ViewNode(.vstack(StackContent(children: [ViewNode(.list(list)), fold])))
    let view = ViewLayout.layOut(
      try #require(card.view),
      width: 40,
      in: LayoutEnvironment(now: SamplePage.now, glyphs: .unicode)
    )
    let body = CardBody(view)
    for text in ["milk", "MILK bread", "pepper", "reminders milk"] {
      let filter = try #require(PageFilter(text))
      #expect(filter.matches(card, body, isLocked: false), "\(text)")
      #expect(!filter.matches(card, body, isLocked: true), "\(text)")
      #expect(!filter.matches(card, nil, isLocked: false), "\(text)")
    }
    #expect(PageFilter("milky")?.matches(card, body, isLocked: false) == false)
  }
}

@Suite struct PressLettersTests {
  private let hits = TodayView.picture(of: SamplePage.model(Size(columns: 80, rows: 40))).hits

  @Test func `every element on the screen has a letter, and the letter presses it`() throws {
    let pressable = hits.pressable { $0 == CardID("com.example.Builds") }
    #expect(pressable.count >= 3)
    #expect(pressable.contains { $0.part == .state })
    var letters = PressLetters(pressable)
    guard case .presses(let hit) = letters.take(.character("s")) else {
      Issue.record("the letter of the second element did not press it")
      return
    }
    #expect(hit == pressable[1])
  }

  @Test func `more elements than letters have two letters, but those of the card with the focus`() {
    let many = (0..<60).map { PageHit(card: CardID("com.example.\($0)"), part: .state) }
    func pressed(_ keys: String, of letters: PressLetters) -> PageHit? {
      var letters = letters
      var hit: PageHit?
      for scalar in keys.unicodeScalars {
        if case .presses(let found) = letters.take(.character(scalar)) { hit = found }
      }
      return hit
    }
    // 24 have a letter each, and the others begin with `n` or `m`.
    #expect(pressed("a", of: PressLetters(many)) == many[0])
    #expect(pressed("V", of: PressLetters(many)) == many[22])
    #expect(pressed("na", of: PressLetters(many)) == many[24])
    #expect(pressed("m", of: PressLetters(many)) == nil)
    let near = PressLetters(many, focus: many[50].card)
    #expect(pressed("a", of: near) == many[50] && pressed("s", of: near) == many[0])
    let most = (0..<900).map { PageHit(card: CardID("com.example.\($0)"), part: .state) }
    #expect(pressed("aa", of: PressLetters(most)) == most[0])
    var letters = PressLetters(many)
    guard case .ends = letters.take(.character("!")) else {
      Issue.record("another character did not end it")
      return
    }
  }

  @Test func `a letter stays with its element when others come before it`() {
    let card = CardID("com.example.A")
    func hit(_ id: String, row: Int) -> (PageHit, Rect) {
      let area = Rect(column: 0, row: row, columns: 4, rows: 1)
      let target = PressTarget(
        frame: area,
        elementID: id,
        action: id,
        link: nil,
        newValue: nil,
        label: SafeText(id)
      )
      return (PageHit(card: card, part: .target(target)), area)
    }
    let letters = PressLetters([hit("one", row: 0).0])
    var picture = PagePicture(canvas: Canvas(size: Size(columns: 4, rows: 3)))
    for (hit, area) in [hit("new", row: 0), hit("one", row: 1)] { picture.hits.add(hit, in: area) }
    letters.draw(on: &picture)
    #expect(TextWriter.text(picture.canvas) == "\na\n\n")
  }

  @Test(arguments: [
    // Before the words, where there is room; then at the blanks of the element, behind it, and on its beginning.
    ("│ Later   │", 2, 5, "│aLater   │"), ("│  42 today│", 1, 9, "│a 42 today│"),
    ("│Later   │", 1, 8, "│Later  a│"), ("│Later   │", 1, 5, "│Latera  │"),
    ("│Later   │", 1, 7, "│Later a │"), ("│Later Now│", 1, 5, "│aater Now│"),
    ("│日本│", 1, 4, "│a 本│"), ("Later", 0, 5, "aater"),
  ])
  func `a letter covers no words where there is room beside them`(
    row: String,
    column: Int,
    columns: Int,
    lettered: String
  ) {
    let area = Rect(column: column, row: 0, columns: columns, rows: 1)
    let target = PressTarget(
      frame: area,
      elementID: "one",
      action: "one",
      link: nil,
      newValue: nil,
      label: "one"
    )
    let hit = PageHit(card: CardID("com.example.A"), part: .target(target))
    let line = TextLine(SafeText(row))
    var picture = PagePicture(canvas: Canvas(size: Size(columns: line.width, rows: 1)))
    picture.canvas.write(line, style: .plain, at: .zero, in: picture.canvas.bounds)
    picture.hits.add(hit, in: area)
    PressLetters([hit]).draw(on: &picture)
    #expect(TextWriter.text(picture.canvas) == lettered + "\n")
  }
}
