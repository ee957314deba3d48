import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

@Suite struct PlacedPaneTests {
  /// A page of lists of so many rows, of which one has the focus.
  private func model(_ size: Size, _ rows: [Int], focus: Int) -> TodayModel {
    var model = TodayModel(size: size, look: PageLook(now: SamplePage.now))
    let drawn = rows.enumerated().map { index, count in
      (
        card: SamplePage.card("Card\(index)", .live, age: 0),
        body: CardBody(SamplePage.list((0..<count).map { "row \($0)" }, width: 20))
      )
    }
    model.take(drawn)
    model.relayout()
    model.place.focus = PageFocus(card: drawn[focus].card.id)
    return model
  }

  private func pane(_ columns: Int, _ rows: Int) -> PlacedPane {
    PlacedPane(canvas: Canvas(size: Size(columns: columns, rows: rows)))
  }

  @Test func `it is below the card if there is room, else above it, else as low as needed`() {
    let size = Size(columns: 40, rows: 24)
    let first = model(size, [3, 3, 3], focus: 0)
    let frame = first.frameOnScreen(first.content.cards[0].id) ?? .zero
    #expect(pane(30, 6).area(on: first).minRow == frame.maxRow)
    #expect(pane(30, 6).area(on: first).minColumn == frame.minColumn)
    let last = model(size, [3, 3, 3], focus: 2)
    let lastFrame = last.frameOnScreen(last.content.cards[2].id) ?? .zero
    let above = pane(30, 9).area(on: last)
    #expect(lastFrame.maxRow + 9 > last.viewport.maxRow)
    #expect(above.maxRow == lastFrame.minRow && above.size.rows == 9)
    #expect(pane(30, 20).area(on: last).maxRow == last.viewport.maxRow)
  }

  @Test func `what is around it is as it was`() {
    var model = model(Size(columns: 40, rows: 24), [3, 3, 3], focus: 0)
    let before = TodayView.draw(model)
    let placed = pane(30, 6)
    model.mode = .pane(placed)
    let after = TodayView.draw(model)
    let area = placed.area(on: model)
    for row in 0..<24 {
      for column in 0..<40 where !area.contains(Position(column: column, row: row)) {
        #expect(before.row(row)[column] == after.row(row)[column], "\(column), \(row)")
      }
    }
    #expect(after.row(area.minRow)[area.minColumn] == .blank)
  }

  @Test(arguments: [0, 1, 4, 7, 9, 10, 24], [0, 1, 20, 120])
  func `it is on the screen, and has the whole of a low one`(rows: Int, columns: Int) {
    let size = Size(columns: columns, rows: rows)
    for model in [
      model(size, [3, 3], focus: 1), TodayModel(size: size, look: PageLook(now: SamplePage.now)),
    ] {
      let room = PlacedPane.room(on: model)
      // A page of nine rows has one line of its own, and one of ten has two.
      #expect(room.size.rows == (rows >= 10 ? rows - 2 : rows == 9 ? 8 : rows))
      let area = pane(84, 40).area(on: model)
      #expect(area.intersection(Rect(origin: .zero, size: size)) == area)
      _ = TodayView.draw(model)
    }
  }
}
