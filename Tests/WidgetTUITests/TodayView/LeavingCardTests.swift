import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform

@testable import WidgetTUI

@Suite struct LeavingCardTests {
  @Test(arguments: [40, 80, 120, 200])
  func `a card that leaves shrinks, cards below it move up, and it cannot be pressed`(
    columns: Int
  ) throws {
    let id = CardID("com.example.ClownTown")
    var model = SamplePage.model(Size(columns: columns, rows: 60))
    model.place.focus = PageFocus(card: id)
    let index = try #require(model.content.cards.firstIndex { $0.id == id })
    let column = try #require(model.page.columns.first { $0.contains(id) })
    let place = try #require(column.firstIndex(of: id))
    let below = column.indices.contains(place + 1) ? column[place + 1] : nil
    var lastRows = Int.max
    var lastRow = Int.max
    for step in 0...25 {
      model.content.cards[index].leaving = Double(step) / 25
      model.relayout()
      let frame = try #require(model.frameOnScreen(id))
      #expect(frame.size.rows <= lastRows)
      lastRows = frame.size.rows
      if let below, let row = model.frameOnScreen(below)?.minRow {
        #expect(row == frame.maxRow)
        #expect(row <= lastRow)
        lastRow = row
      }
      #expect(model.place.focus?.card != id)
      let picture = TodayView.picture(of: model)
      for row in 0..<60 {
        for column in 0..<columns {
          #expect(picture.hits.hit(Position(column: column, row: row))?.card != id)
        }
      }
    }
    #expect(lastRows == 0)
  }
}
