import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetSessions
@testable import WidgetTUI

/// The picture of a card that asks what its widget may do.
@Suite struct PermissionQuestionGoldenTests {
  private func model(_ size: Size) -> TodayModel {
    let question = PermissionQuestion(
      [
        EntitlementRequest(.network),
        EntitlementRequest(.homeFiles, items: ["Documents/trips", "Pictures"]),
        EntitlementRequest(.devices, items: ["/dev/ttyUSB0"]),
      ],
      name: "Weather",
      app: "com.example.Travel"
    )
    var model = TodayModel(size: size, look: PageLook(now: SamplePage.now))
    model.content.dayWords = "Friday 20 November"
    var card = SamplePage.card("Weather", .stopped, age: 600)
    card.message = "Asks to use the network"
    card.asksForPermission = true
    for _ in 0..<3 {
      let columns = max(0, model.widths[card.id] - 2)
      let view = ViewLayout.layOut(
        question.view(columns: columns),
        width: columns,
        height: nil,
        in: LayoutEnvironment(now: SamplePage.now)
      )
      model.content.cards = [card]
      model.content.bodies = [card.id: CardBody(view)]
      model.relayout()
    }
    return model
  }

  @Test(arguments: [
    Size(columns: 40, rows: 18), Size(columns: 80, rows: 16), Size(columns: 120, rows: 16),
  ])
  func `a question looks as recorded, in dark and light`(size: Size) {
    let canvas = TodayView.draw(model(size))
    for isDark in [true, false] {
      let writer = ANSIWriter(theme: Theme(depth: .full, isDark: isDark))
      let name = "Permission.\(isDark ? "dark" : "light").\(size.columns)x\(size.rows).ansi"
      Golden.expect(writer.text(canvas), matches: name)
    }
  }

  @Test func `its buttons can be reached with keys and the mouse`() throws {
    var model = model(Size(columns: 80, rows: 16))
    let hits = TodayView.picture(of: model).hits
    let targets = hits.areas.compactMap { hit, area -> (String?, Rect)? in
      guard case .target(let target) = hit.part else { return nil }
      return (target.elementID, area)
    }
    #expect(targets.map(\.0) == ["grant", "once", "deny"])
    #expect(targets.allSatisfy { $0.1.size.rows == 1 })
    model.place.focus = PageFocus(card: model.content.cards[0].id)
    // Enter on the card as a whole presses none of them.
    #expect(model.pressedTarget == nil)
    let place = try #require(model.areaOnScreen(model.content.cards[0].id))
    #expect(targets.allSatisfy { place.intersection($0.1) == $0.1 })
  }
}
