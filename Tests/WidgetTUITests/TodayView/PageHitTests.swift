import Testing
import WidgetHost
import WidgetKitCore

@testable import WidgetTUI

@Suite struct PageHitTests {
  private let model = SamplePage.model(Size(columns: 80, rows: 24))

  private func hit(_ column: Int, _ row: Int) -> PageHit? {
    model.hit(Position(column: column, row: row))
  }

  @Test func `a press hits what is drawn there`() {
    let clowns = CardID("com.example.ClownTown")
    #expect(hit(4, 6) == PageHit(card: clowns, part: .target(0)))
    #expect(hit(31, 8) == PageHit(card: clowns, part: .target(1)))
    #expect(hit(4, 8) == PageHit(card: clowns, part: .card))
    #expect(hit(0, 6) == PageHit(card: clowns, part: .card))
    #expect(hit(37, 5) == PageHit(card: clowns, part: .state))
  }

  @Test func `nothing is hit beside the cards`() {
    #expect(hit(5, 0) == nil)
    #expect(hit(5, 20) == nil)
    #expect(hit(5, 23) == nil)
    #expect(hit(-1, -1) == nil)
    #expect(hit(400, 400) == nil)
  }

  @Test func `a page that is scrolled is hit where it is drawn`() {
    var model = SamplePage.model(Size(columns: 40, rows: 12))
    model.scroll(by: 10)
    let hit = model.hit(Position(column: 31, row: 4))
    #expect(hit == PageHit(card: CardID("com.example.ClownTown"), part: .target(1)))
  }
}
