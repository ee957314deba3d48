import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

@Suite struct ChangedNumbersTests {
  private static let id = CardID("com.example.Card")
  private var numbers = ChangedNumbers()
  private var contents = 0

  /// Shows a new content after `seconds`, and returns what is emphasized then.
  private mutating func show(
    _ lines: [SafeText],
    after seconds: Double,
    width: Int = 30,
    isNew: Bool = true,
    isClock: Bool = false
  ) -> [String] {
    contents += isNew ? 1 : 0
    var card = Card(id: Self.id, name: "Card")
    card.contentDate = SamplePage.now.addingTimeInterval(Double(contents))
    if isClock { card.view = ViewNode(.date(DateContent(date: nil, display: .time))) }
    let now = SamplePage.now.addingTimeInterval(seconds)
    let view = SamplePage.list(lines, width: width)
    numbers.take([card], [Self.id: CardBody(view)], of: [Self.id], at: now)
    return numbers.areas(of: Self.id, at: now).sorted { $0.minRow < $1.minRow }.map { area in
      let cells = view.runs[area.minRow].cells[area.minColumn..<area.maxColumn]
      return cells.map(\.glyph.text).joined()
    }
  }

  @Test mutating func `only the number that differs is emphasized, for a moment`() {
    #expect(show(["CPU 12 % of 8", "12:30 1,024"], after: 0) == [])
    #expect(show(["CPU 9 % of 8", "12:30 1,025"], after: 10) == ["9", "1,025"])
    #expect(numbers.nextEnd == SamplePage.now.addingTimeInterval(10.8))
    #expect(show(["CPU 9 % of 8", "12:30 1,025"], after: 10.5, isNew: false) == ["9", "1,025"])
    #expect(show(["CPU 9 % of 8", "12:30 1,025"], after: 10.8, isNew: false) == [])
    #expect(numbers.nextEnd == nil)
  }

  @Test mutating func `a number that moves because it gets longer is the same one`() {
    #expect(show(["Mail     9"], after: 0) == [])
    #expect(show(["Mail    10"], after: 10) == ["10"])
  }

  @Test mutating func `a number that changes all the time is emphasized once`() {
    #expect(show(["1"], after: 0) == [])
    #expect(show(["2"], after: 2) == ["2"])
    for second in 2..<10 {
      #expect(show(["\(SafeText("\(second * 7)"))"], after: Double(second * 2)) == [])
    }
    #expect(show(["100"], after: 30) == ["100"])
  }

  @Test mutating func `another text, another width and a clock are not compared`() {
    #expect(show(["Build 12 passed"], after: 0) == [])
    #expect(show(["Build 13 failed"], after: 10) == [])
    #expect(show(["Build 14 failed"], after: 20, width: 40) == [])
    #expect(show(["Build 15 failed"], after: 30, width: 40, isClock: true) == [])
    #expect(show(["Build 16 failed"], after: 40, width: 40) == [])
    #expect(show(["Build 17 failed", "1"], after: 50, width: 40) == [])
  }

  @Test mutating func `nothing is emphasized without motion`() {
    numbers.isOn = false
    #expect(show(["1"], after: 0) == [])
    #expect(show(["2"], after: 10) == [])
  }

  @Test func `an emphasized number is bold on the page, and as before afterwards`() throws {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    let builds = CardID("com.example.Builds")
    func show(_ text: SafeText, after seconds: Double) throws -> CellAttributes {
      model.look.now = SamplePage.now.addingTimeInterval(seconds)
      let index = try #require(model.content.cards.firstIndex { $0.id == builds })
      model.content.cards[index].contentDate = model.look.now
      model.content.bodies[builds] = CardBody(SamplePage.list([text], width: model.widths[builds]))
      model.relayout()
      model.noteChangedNumbers()
      let canvas = TodayView.picture(of: model).canvas
      let frame = try #require(model.frameOnScreen(builds))
      let cells = canvas.row(frame.minRow + 1)
      let place = try #require(cells.firstIndex { $0.glyph.text == "7" })
      return cells[place].style.attributes
    }
    #expect(try !show("main 6 of 7", after: 0).contains(.bold))
    #expect(try show("main 6 of 70", after: 10).contains(.bold))
    model.look.now += 0.8
    let canvas = TodayView.picture(of: model).canvas
    let frame = try #require(model.frameOnScreen(builds))
    let cell = canvas.row(frame.minRow + 1).first { $0.glyph.text == "7" }
    #expect(cell?.style.attributes.contains(.bold) == false)
  }
}
