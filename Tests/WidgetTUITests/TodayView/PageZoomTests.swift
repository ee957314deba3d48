import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

@Suite struct PageZoomTests {
  private static let clowns = CardID("com.example.ClownTown")

  /// ClownTown alone on a screen, with a body of some rows, each a pressable element of its own.
  private func model(_ size: Size, rows: Int = 40) -> TodayModel {
    var model = SamplePage.model(size)
    model.place.focus = PageFocus(card: Self.clowns)
    model.toggleZoom()
    let width = max(0, model.widths[Self.clowns] - 2)
    var view = SamplePage.list((0..<rows).map { "line \($0)" }, width: width)
    view.targets = (0..<rows).map { row in
      PressTarget(
        frame: Rect(column: 0, row: row, columns: width, rows: 1),
        elementID: "row\(row)",
        action: "press \(row)",
        link: nil,
        newValue: nil,
        label: "row"
      )
    }
    model.content.bodies[Self.clowns] = CardBody(view)
    model.relayout()
    return model
  }

  @Test(arguments: [(40, 20), (80, 24), (120, 24), (200, 24)])
  func `one card alone looks as recorded`(columns: Int, rows: Int) {
    var model = model(Size(columns: columns, rows: rows))
    model.scroll(by: 5)
    Golden.expect(
      TextWriter.text(TodayView.draw(model)),
      matches: "Zoom.\(columns)x\(rows).txt"
    )
  }

  @Test func `the card has the whole width, its page has the others as they were`() {
    let before = SamplePage.model(Size(columns: 120, rows: 24))
    var model = model(Size(columns: 120, rows: 24))
    #expect(model.widths[Self.clowns] == 118)
    #expect(model.widths.zoom == CardZoom(card: Self.clowns, rows: 20))
    #expect(model.visibleCards == [Self.clowns])
    let other = CardID("com.example.Clock")
    #expect(model.widths[other] == before.widths[other])
    model.toggleZoom()
    #expect(model.widths == before.widths)
    model.content.bodies = before.content.bodies
    model.relayout()
    #expect(model.visibleCards.contains(other) && model.place.scrollRow == before.place.scrollRow)
  }

  @Test func `the frame is as high as what is drawn in it, and says nothing of more`() {
    var model = model(Size(columns: 80, rows: 24), rows: 3)
    // The body has all rows of the screen.
    model.content.bodies[Self.clowns]?.from.size.rows = 20
    model.content.bodies[Self.clowns]?.size.rows = 20
    model.relayout()
    #expect(model.frameOnScreen(Self.clowns)?.size.rows == 5)
    #expect(!TextWriter.text(TodayView.draw(model)).contains("more ─"))
  }

  @Test func `it scrolls to its ends and no further`() {
    var model = model(Size(columns: 80, rows: 24))
    for (rows, row) in [(-3, 0), (3, 3), (1_000, 20), (Int.max, 20), (-1, 19), (Int.min, 0)] {
      model.scroll(by: rows)
      #expect(model.place.zoom?.scrollRow == row)
    }
    #expect(model.place.focus == PageFocus(card: Self.clowns))
    model.scroll(by: 20)
    model.size = Size(columns: 80, rows: 60)
    model.relayout()
    #expect(model.place.zoom?.scrollRow == 0)
  }

  @Test func `the element with the focus is on the screen, and a press goes to it`() throws {
    var model = model(Size(columns: 80, rows: 24))
    for index in 0..<40 {
      model.moveElementFocus(forward: true)
      let target = try #require(model.focusedTarget)
      #expect(target.elementID == "row\(index)")
      let picture = TodayView.picture(of: model)
      let row = 2 + index - (model.place.zoom?.scrollRow ?? 0)
      let hit = picture.hits.hit(Position(column: 5, row: row))
      #expect(hit == PageHit(card: Self.clowns, part: .target(target)))
    }
    #expect(model.place.zoom?.scrollRow == 20)
  }

  @Test func `a frame that cuts its card says how much more there is`() {
    var model = model(Size(columns: 80, rows: 24))
    func border() -> String {
      let canvas = TodayView.draw(model)
      return canvas.row(22).map(\.glyph.text).joined()
    }
    #expect(border().contains("↓ 20 more"))
    model.scroll(by: 5)
    #expect(border().contains("↑ 5") && border().contains("↓ 15 more"))
    model.scroll(by: 100)
    #expect(border().contains("↑ 20 more") && !border().contains("↓"))
  }

  @Test func `a card on the page that is too low for its content says so`() throws {
    var model = SamplePage.model(Size(columns: 80, rows: 24))
    model.content.cards[0].hiddenRows = 3
    model.relayout()
    let frame = try #require(model.frameOnScreen(model.content.cards[0].id))
    let border = TodayView.draw(model).row(frame.maxRow - 1)
    #expect(border.map(\.glyph.text).joined().contains("↓ 3 more ─╯"))
  }

  @Test func `a card that goes is not shown alone any more`() {
    var model = model(Size(columns: 80, rows: 24))
    model.content.cards.removeAll { $0.id == Self.clowns }
    model.relayout()
    #expect(model.place.zoom == nil && model.visibleCards.count == 5)
  }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: 1, rows: 1), Size(columns: 15, rows: 3),
    Size(columns: 20, rows: 5), Size(columns: 400, rows: 1), Size(columns: 400, rows: 120),
  ])
  func `every size can be drawn and scrolled`(size: Size) {
    var model = model(size)
    for step in [-1, 1, 7, 1_000, -3] {
      model.scroll(by: step)
      model.moveElementFocus(forward: true)
      #expect(TodayView.draw(model).size == size)
    }
  }
}
