import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions
@testable import WidgetTUI

@Suite struct TodayViewTests {
  @Test(arguments: [(20, 40), (40, 40), (80, 24), (120, 24), (200, 24)])
  func `the page looks as recorded`(columns: Int, rows: Int) {
    let size = Size(columns: columns, rows: rows)
    let canvas = TodayView.draw(SamplePage.model(size))
    Golden.expect(TextWriter.text(canvas), matches: "TodayView.\(columns)x\(rows).txt")
  }

  @Test(arguments: [GlyphSet.console, .ascii])
  func `the page looks as recorded without the characters`(glyphs: GlyphSet) {
    let look = PageLook(glyphs: glyphs, hasColors: false, now: SamplePage.now)
    let model = SamplePage.model(Size(columns: 80, rows: 24), look: look)
    Golden.expect(
      TextWriter.text(TodayView.draw(model)),
      matches: "TodayView.\(glyphs.rawValue).80x24.txt"
    )
  }

  @Test(arguments: [(40, 30), (80, 24), (120, 40), (200, 40)])
  func `the inspector looks as recorded`(columns: Int, rows: Int) throws {
    var model = SamplePage.model(Size(columns: columns, rows: rows))
    let card = try #require(model.content.cards.first)
    var found = Inspection(
      identifier: SafeText(card.id.bundleIdentifier),
      path: "/usr/share/today/widgets/Weather.widget",
      state: .failed,
      message: "Unable to Load: crashed (signal 11), starts again in 4 s"
    )
    var crashed = RunRecord(start: SamplePage.now.addingTimeInterval(-3_600), reason: .appear)
    crashed.milliseconds = 61_250
    crashed.cpuMilliseconds = 120
    crashed.bytesReceived = 12_345
    crashed.bytesSent = 678
    crashed.newData = 3
    crashed.failed = 1
    crashed.faults = 2
    crashed.end = "signal 11"
    var present = RunRecord(start: SamplePage.now.addingTimeInterval(-90), reason: .update)
    present.newData = 1
    found.runs = [crashed]
    found.run = present
    found.process = 4_711
    found.lastUpdate = SamplePage.now.addingTimeInterval(-60)
    found.nextUpdate = SamplePage.now.addingTimeInterval(840)
    found.log = [
      "2026-11-20T11:01:00Z stderr: Traceback (most recent call last):",
      "2026-11-20T11:01:01Z ended: signal 11", "2026-11-20T11:58:30Z refused: params.view: no view",
    ]
    var inspector = Inspector(card: card.id)
    inspector.take(found, now: SamplePage.now, on: model.size)
    model.inspector = inspector
    Golden.expect(
      TextWriter.text(TodayView.draw(model)),
      matches: "Inspector.\(columns)x\(rows).txt"
    )
  }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: 1, rows: 1), Size(columns: 2, rows: 2),
    Size(columns: 20, rows: 5), Size(columns: 15, rows: 3), Size(columns: 3, rows: 50),
    Size(columns: 400, rows: 1), Size(columns: 400, rows: 120),
  ])
  func `every size can be drawn, navigated, and shows the list of keys`(size: Size) {
    var model = SamplePage.model(size)
    for direction in [FocusDirection.down, .right, .down, .down, .left, .up, .down, .down] {
      model.moveFocus(direction)
      model.moveElementFocus(forward: true)
      #expect(TodayView.draw(model).size == size)
      #expect((0...model.lastScrollRow).contains(model.place.scrollRow))
    }
    model.mode = .help(TodayModel.KeyList())
    #expect(TodayView.draw(model).size == size)
    model.content.cards = []
    model.content.searchedFolders = ["/somewhere/long/enough/to/wrap"]
    model.content.problems = ["A bundle is broken: it has no CFBundleIdentifier"]
    model.relayout()
    #expect(TodayView.draw(model).size == size)
  }

  @Test func `small screens omit the keys, then the day, then the borders`() {
    func chrome(_ columns: Int, _ rows: Int) -> [Bool] {
      let chrome = PageChrome(size: Size(columns: columns, rows: rows))
      return [chrome.showsFooter, chrome.showsHeader, chrome.showsBorders]
    }
    #expect(chrome(80, 24) == [true, true, true])
    #expect(chrome(80, 9) == [false, true, true])
    #expect(chrome(20, 5) == [false, false, true])
    #expect(chrome(20, 3) == [false, false, false])
    #expect(chrome(10, 24) == [true, true, false])
  }

  @Test func `the card with the focus is visible`() {
    var model = SamplePage.model(Size(columns: 40, rows: 12))
    for _ in 0..<5 {
      model.moveFocus(.down)
      let frame = model.place.focus.flatMap { model.frameOnScreen($0.card) } ?? .zero
      #expect(frame.intersection(model.viewport).size == frame.size)
    }
    #expect(model.place.focus?.card == model.content.cards.last?.id)
    for _ in 0..<5 { model.moveFocus(.up) }
    #expect(model.place.scrollRow == 0)
  }

  @Test func `the card with the focus stays where it is when one above it grows`() {
    var model = SamplePage.model(Size(columns: 40, rows: 12))
    for _ in 0..<3 { model.moveFocus(.down) }
    let id = CardID("com.example.Builds")
    #expect(model.place.focus?.card == id)
    let frame = model.frameOnScreen(id)
    model.content.bodies[CardID("com.example.Clock")] = CardBody(
      LaidOutView(size: Size(columns: 36, rows: 9))
    )
    model.relayout()
    #expect(model.frameOnScreen(id) == frame)
    model.content.bodies[id] = CardBody(LaidOutView(size: Size(columns: 36, rows: 7)))
    model.relayout()
    let grown = model.frameOnScreen(id) ?? .zero
    #expect(grown.intersection(model.viewport).size == grown.size)
  }

  @Test(arguments: [40, 80, 120, 200])
  func `the first visible card stays where it is when the focus is elsewhere`(
    columns: Int
  ) throws {
    var model = SamplePage.model(Size(columns: columns, rows: 12))
    let above = CardID("com.example.Clock")
    // The focus is on the first card, which is scrolled away.
    model.content.bodies[above] = CardBody(LaidOutView(size: Size(columns: 30, rows: 30)))
    for card in model.content.cards where card.id != above {
      model.content.bodies[card.id] = CardBody(LaidOutView(size: Size(columns: 30, rows: 20)))
    }
    model.relayout()
    model.scroll(by: 40)
    let scrolled = model.place.scrollRow
    let visible = model.visibleCards
    let first = try #require(
      visible.compactMap { id in model.frameOnScreen(id).map { (id, $0) } }
        .min { ($0.1.minColumn, $0.1.minRow) < ($1.1.minColumn, $1.1.minRow) }
    )
    #expect(!visible.contains(above) || columns > 80)
    for rows in Array(20...40).reversed() + Array(20...60) {
      model.content.bodies[above] = CardBody(LaidOutView(size: Size(columns: 30, rows: rows)))
      model.relayout()
      guard model.place.scrollRow > 0, model.place.scrollRow < model.lastScrollRow else { continue }
      #expect(model.frameOnScreen(first.0)?.minRow == first.1.minRow, "with \(rows) rows")
    }
    #expect(scrolled > 0)
    model.content.cards.removeFirst()
    let place = model.frameOnScreen(first.0)
    model.relayout()
    if columns == 40 { #expect(model.frameOnScreen(first.0)?.minRow == place?.minRow) }
  }

  @Test func `left and right move to the card beside`() {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    #expect(model.place.focus?.card.description == "com.example.Clock")
    model.moveFocus(.right)
    #expect(model.place.focus?.card.description == "com.example.System")
    model.moveFocus(.right)
    #expect(model.place.focus?.card.description == "com.example.System")
    model.moveFocus(.left)
    #expect(model.place.focus?.card.description == "com.example.Clock")
  }

  @Test func `tab moves through the elements and back to the card`() {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    model.place.focus = PageFocus(card: CardID("com.example.ClownTown"))
    // Of several elements, none is pressed before one has the focus.
    #expect(model.pressedTarget == nil)
    model.moveElementFocus(forward: true)
    #expect(model.focusedTarget?.elementID == "post1")
    #expect(model.pressedTarget?.link == "clowntown://post/1")
    model.moveElementFocus(forward: true)
    #expect(model.focusedTarget?.elementID == "more")
    model.moveElementFocus(forward: true)
    #expect(model.focusedTarget == nil)
    model.moveElementFocus(forward: false)
    #expect(model.focusedTarget?.elementID == "more")
  }

  @Test func `an element keeps the focus when its view changes`() {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    let id = CardID("com.example.ClownTown")
    model.place.focus = PageFocus(card: id)
    model.moveElementFocus(forward: false)
    var view = SamplePage.posts(36)
    view.targets[1].action = "less"
    view.targets.insert(view.targets[0], at: 0)
    model.content.bodies[id] = CardBody(view)
    model.relayout()
    #expect(model.focusedTarget?.action == "less")
    model.content.bodies[id] = CardBody(LaidOutView(size: Size(columns: 36, rows: 1)))
    model.relayout()
    #expect(model.focusedTarget == nil)
  }

  /// The first or the last line of a page, without the blanks around it.
  private func line(_ canvas: Canvas, isLast: Bool) -> String {
    let lines = TextWriter.lines(canvas)
    return (isLast ? lines.last : lines.first) ?? ""
  }

  @Test(arguments: [19, 20, 30, 40, 60, 80, 120])
  func `the number of problems stays at every width`(columns: Int) {
    var model = SamplePage.model(Size(columns: columns, rows: 24))
    model.content.dayWords = "Wednesday 25 November"
    model.content.problems = ["one", "two"]
    let header = line(TodayView.draw(model), isLast: false)
    #expect(header.contains("2 problems"), "\(header)")
    #expect(header.hasPrefix(" Today"), "\(header)")
  }

  @Test(arguments: [false, true])
  func `the number of notices is on the first line, also of a locked page, and can be pressed`(
    isLocked: Bool
  ) {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    #expect(!line(TodayView.draw(model), isLast: false).contains("waiting"))
    model.content.waitingNotices = 3
    model.content.isLocked = isLocked
    #expect(line(TodayView.draw(model), isLast: false).contains("3 waiting"))
    let hits = TodayView.picture(of: model).hits
    let places = (0..<80).filter {
      hits.chromeHit(Position(column: $0, row: 0)) == .waitingNotices
    }
    #expect(places.count == "3 waiting".count)
  }

  @Test
  func `the hint about keys is on the last line, or on the first one where there is no other`() {
    for (rows, isOnLast) in [(24, true), (9, false)] {
      var model = SamplePage.model(Size(columns: 40, rows: rows))
      for index in model.content.cards.indices { model.content.cards[index].state = .live }
      let picture = TodayView.draw(model)
      #expect(line(picture, isLast: false).hasPrefix(" Today  Friday 20 November"))
      #expect(line(picture, isLast: true).contains("? keys") == isOnLast)
      #expect(line(picture, isLast: false).hasSuffix("? keys") == !isOnLast)
    }
  }

  @Test(arguments: [18, 20, 30, 40, 60, 80, 120, 200], [GlyphSet.unicode, .console, .ascii])
  func `the keys to the list of keys and out stay at every width`(columns: Int, glyphs: GlyphSet) {
    var model = SamplePage.model(Size(columns: columns, rows: 24))
    model.look.glyphs = glyphs
    let id = CardID("com.example.ClownTown")
    (model.content.waitingNotices, model.content.noticeCard) = (3, id)
    for zoomed in [false, true] {
      model.place.focus = PageFocus(card: id)
      if zoomed { model.toggleZoom() }
      for _ in 0..<3 {
        let footer = line(TodayView.draw(model), isLast: true)
        #expect(footer.contains("? keys  q quit"), "\(footer)")
        model.moveElementFocus(forward: true)
      }
    }
    model.content.notice = "Done."
    #expect(line(TodayView.draw(model), isLast: true).hasPrefix(" Done."))
    if columns >= 30 {
      #expect(line(TodayView.draw(model), isLast: true).hasPrefix(" Done.  "))
      #expect(line(TodayView.draw(model), isLast: true).hasSuffix("  ? keys  q quit"))
    }
  }

  @Test
  func `the number of problems names the key that shows them, and can be clicked`() {
    var model = SamplePage.model(Size(columns: 80, rows: 10))
    model.content.problems = ["one"]
    model.layOut()
    func header() -> String { line(TodayView.draw(model), isLast: false) }
    #expect(header().contains("1 problem: End"))
    let hits = TodayView.picture(of: model).hits
    #expect((0..<80).contains { hits.chromeHit(Position(column: $0, row: 0)) == .problems })
    // Where they are on the screen, and where the key does something else, it is not named.
    model.scroll(by: model.contentRows)
    #expect(header().contains("1 problem") && !header().contains("End"))
    model.scroll(by: -model.contentRows)
    model.place.focus = PageFocus(card: CardID("com.example.ClownTown"))
    model.toggleZoom()
    #expect(header().contains("1 problem") && !header().contains("End"))
  }

  @Test func `a card that was not on the screen yet is not counted as starting`() {
    var model = SamplePage.model(Size(columns: 60, rows: 12))
    for index in model.content.cards.indices { model.content.cards[index].state = .starting }
    model.layOut()
    let visible = model.visibleCards.count
    #expect(visible < model.content.cards.count)
    #expect(line(TodayView.draw(model), isLast: false).contains("\(visible) starting"))
  }

  @Test func `the footer has the keys of the card with the focus`() throws {
    var model = SamplePage.model(Size(columns: 100, rows: 60))
    model.layOut()
    let plain = try #require(
      model.content.cards.first { !$0.offersExpanded && model.targets(of: $0.id).isEmpty }
    )
    model.place.focus = PageFocus(card: plain.id)
    var footer = line(TodayView.draw(model), isLast: true)
    for word in ["more", "press", "elements"] { #expect(!footer.contains(" \(word)"), "\(footer)") }
    let rich = try #require(model.content.cards.first { !model.targets(of: $0.id).isEmpty })
    model.place.focus = PageFocus(card: rich.id)
    footer = line(TodayView.draw(model), isLast: true)
    #expect(footer.contains("elements"), "\(footer)")
    model.place.focus = nil
    footer = line(TodayView.draw(model), isLast: true)
    #expect(footer.contains("m more") && footer.contains("elements"), "\(footer)")
  }

  @Test func `the footer does not count cards behind a list over the page`() {
    var model = SamplePage.model(Size(columns: 80, rows: 12))
    model.layOut()
    #expect(line(TodayView.draw(model), isLast: true).contains(" more"))
    model.mode = .help(TodayModel.KeyList())
    #expect(!line(TodayView.draw(model), isLast: true).contains(" more"))
  }

  @Test func `the footer and the list of keys offer less if the card is expanded`() throws {
    var model = SamplePage.model(Size(columns: 80, rows: 30))
    let index = try #require(model.content.cards.firstIndex { $0.offersExpanded })
    model.place.focus = PageFocus(card: model.content.cards[index].id)
    for (mode, word, other) in [
      (DisplayMode.compact, "more", "less"), (DisplayMode.expanded, "less", "more"),
    ] {
      model.content.cards[index].displayMode = mode
      model.mode = .page
      let footer = line(TodayView.draw(model), isLast: true)
      #expect(footer.contains("m \(word)"), "\(footer)")
      #expect(!footer.contains("m \(other)"), "\(footer)")
      model.mode = .help(TodayModel.KeyList())
      let help = TextWriter.lines(TodayView.draw(model)).joined(separator: "\n")
      #expect(help.contains("show \(word) of the card"))
      #expect(!help.contains("show \(other)"))
    }
  }

  @Test(arguments: [34, 40, 52]) func `the list of keys is whole on a narrow screen`(
    columns: Int
  ) throws {
    var model = SamplePage.model(Size(columns: columns, rows: 60))
    model.mode = .help(TodayModel.KeyList())
    let rows = TextWriter.lines(TodayView.draw(model))
    let start = try #require(rows.firstIndex { $0.contains(" Keys ") })
    let list = rows[start...].prefix { !$0.hasPrefix("╰") }
    #expect(!list.contains { $0.contains("…  │") || $0.contains("… │") })
    // Parts of a description are below each other.
    let words = list.map { row in
      row.dropFirst(19).prefix { $0 != "│" }.split(separator: " ").joined(separator: " ")
    }
    #expect(words.joined(separator: " ").contains("show the card alone"))
  }

  @Test(arguments: [true, false])
  func `a pressed button looks pressed, with and without the focus`(hasColors: Bool) throws {
    let look = PageLook(hasColors: hasColors, now: SamplePage.now)
    var model = SamplePage.model(Size(columns: 80, rows: 24), look: look)
    let index = try #require(model.content.cards.firstIndex { $0.name == "ClownTown" })
    let id = model.content.cards[index].id
    let button = try #require(model.targets(of: id).first { $0.action == "more" })
    func drawn(focus: Bool, pressed: Bool) throws -> Canvas {
      model.place.focus =
        focus ? PageFocus(card: id, element: PageFocus.Element(button, at: 1)) : nil
      model.content.cards[index].pressed = pressed ? [button] : []
      return TodayView.draw(model)
    }
    /// The cells that only a press makes different.
    func difference(focus: Bool) throws -> [Cell] {
      let (rest, down) = (
        try drawn(focus: focus, pressed: false), try drawn(focus: focus, pressed: true)
      )
      return zip(rest.cells, down.cells).filter { $0 != $1 }.map(\.1)
    }
    for focus in [true, false] {
      let cells = try difference(focus: focus)
      #expect(cells.map(\.glyph.text).joined() == "[ More ]")
      #expect(cells.allSatisfy { $0.style.attributes.contains(.underline) })
      // Turned over: what the focus has turned over already is turned back.
      #expect(cells.allSatisfy { $0.style.attributes.contains(.reverse) != focus })
    }
    let words = try drawn(focus: false, pressed: false).cells.map(\.glyph.text)
    let place = try #require(
      words.indices.first { words[$0...].prefix(8).joined() == "[ More ]" }
    )
    let looks = try [(false, false), (true, false), (false, true), (true, true)].map {
      let canvas = try drawn(focus: $0, pressed: $1)
      return canvas.cells[place].style
    }
    #expect(Set(looks).count == 4)
  }

  @Test(arguments: [GlyphSet.unicode, .console, .ascii])
  func `an element whose command runs has a mark at the end of its row`(glyphs: GlyphSet) throws {
    let look = PageLook(glyphs: glyphs, now: SamplePage.now)
    var model = SamplePage.model(Size(columns: 80, rows: 24), look: look)
    let index = try #require(model.content.cards.firstIndex { $0.name == "ClownTown" })
    let targets = model.targets(of: model.content.cards[index].id)
    let button = try #require(targets.first { $0.action == "more" })
    let rest = TodayView.draw(model)
    model.content.cards[index].pending = [button]
    let marked = TodayView.draw(model)
    let changed = zip(rest.cells, marked.cells).filter { $0 != $1 }.map(\.1)
    let words = changed.map(\.glyph.text).joined()
    #expect(words == "[ More ]" + (glyphs == .unicode ? "…" : "*"))
    #expect(changed.prefix(8).allSatisfy { $0.style.attributes.contains(.underline) })
    #expect(changed.last?.style.foreground == .accent)
  }

  @Test func `the footer has the help of the element with the focus`() throws {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    let index = try #require(model.content.cards.firstIndex { $0.name == "ClownTown" })
    let id = model.content.cards[index].id
    var view = try #require(model.content.bodies[id])
    for target in view.from.targets.indices { view.from.targets[target].help = "Says\nmore" }
    model.content.bodies[id] = view
    model.place.focus = PageFocus(card: id)
    #expect(!line(TodayView.draw(model), isLast: true).contains("Says"))
    model.moveElementFocus(forward: true)
    // What is said about a link does not hide where it leads.
    #expect(line(TodayView.draw(model), isLast: true).contains("⏎ opens clowntown://post/1 · Says"))
    model.moveElementFocus(forward: true)
    #expect(model.focusedTarget?.elementID == "more")
    let footer = line(TodayView.draw(model), isLast: true)
    #expect(footer.contains("⏎ Says") && footer.contains("more"))
    #expect(footer.ranges(of: "⏎").count == 1)
  }

  @Test func `after a failed press the heading reports it, and the footer shows the reason`() throws
  {
    var model = SamplePage.model(Size(columns: 80, rows: 30))
    let index = try #require(model.content.cards.firstIndex { $0.name == "ClownTown" })
    let keys = line(TodayView.draw(model), isLast: true)
    model.content.cards[index].pressCue = "press failed"
    model.content.notice = "ClownTown: no clowns\nin town"
    model.relayout()
    let canvas = TodayView.draw(model)
    Golden.expect(TextWriter.text(canvas), matches: "TodayView.failedPress.80x30.txt")
    // On one line, in the colour of what is wrong, before the keys that there is room for.
    let footer = canvas.row(29)
    #expect(line(canvas, isLast: true).hasPrefix(" ClownTown: no clowns in town"))
    #expect(footer.dropFirst().prefix(28).allSatisfy { $0.style.foreground == .orange })
    #expect(line(canvas, isLast: true).contains("cards") && !keys.isEmpty)
    model.content.notice = nil
    #expect(line(TodayView.draw(model), isLast: true) == keys)
  }

  @Test(arguments: [15, 20, 40])
  func `a text that is too long for the footer is truncated`(columns: Int) {
    var model = SamplePage.model(Size(columns: columns, rows: 24))
    model.content.notice = "ClownTown: the answer came too late to be of any use to anybody"
    let footer = line(TodayView.draw(model), isLast: true)
    #expect(footer.count <= columns)
    #expect(footer.contains("…"))
  }
}
