import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// Arrows inside of a card that was entered, and of one that is alone.
@Suite struct ElementMovesTests {
  private static let first = CardID("com.example.A")
  private static let second = CardID("com.example.B")

  /// A page with a card of elements, each an `id` and the place where it is, and a card of one line.
  private func model(
    _ elements: [(id: String, row: Int, column: Int)],
    rows: Int = 8,
    size: Size = Size(columns: 50, rows: 24)
  ) -> TodayModel {
    var model = TodayModel(size: size, look: PageLook(now: SamplePage.now))
    var view = LaidOutView(size: Size(columns: 46, rows: rows))
    view.targets = elements.map { id, row, column in
      PressTarget(
        frame: Rect(column: column, row: row, columns: 8, rows: 1),
        elementID: id,
        action: id,
        link: nil,
        newValue: nil,
        label: SafeText(id)
      )
    }
    model.take([
      (card(Self.first), CardBody(view)),
      (card(Self.second), CardBody(LaidOutView(size: Size(columns: 46, rows: 1)))),
    ])
    model.relayout()
    model.place.focus = PageFocus(card: Self.first)
    return model
  }

  private func card(_ id: CardID) -> Card {
    var card = Card(id: id, name: "A")
    card.state = .live
    return card
  }

  /// What has the focus after each move.
  private func walk(_ model: inout TodayModel, _ moves: [FocusDirection]) -> [String] {
    moves.map { move in
      model.moveFocus(move)
      return model.focusedTarget?.elementID ?? model.place.focus?.card.description ?? ""
    }
  }

  private static let menu = [
    (id: "a", row: 0, column: 0), (id: "b", row: 0, column: 10), (id: "c", row: 0, column: 20),
    (id: "d", row: 2, column: 0), (id: "e", row: 3, column: 20), (id: "f", row: 7, column: 10),
  ]

  @Test func `arrows go over the elements of a card that was entered, row by row`() {
    var model = model(Self.menu)
    let hasEntered = model.enterCard()
    #expect(hasEntered && model.focusedTarget?.elementID == "a")
    let path = walk(&model, [.right, .right, .right, .down, .down, .down, .up, .left])
    #expect(path == ["b", "c", "c", "d", "e", "f", "e", "e"])
  }

  @Test func `behind the last element is the next card, above the first the card itself`() {
    var model = model(Self.menu)
    let hasEntered = model.enterCard()
    #expect(hasEntered)
    #expect(walk(&model, [.up]) == ["com.example.A"])
    #expect(walk(&model, [.down, .down]) == ["com.example.B", "com.example.B"])
    let isEmpty = !model.enterCard()
    #expect(isEmpty)
  }

  @Test func `without an entered card arrows go from card to card`() {
    var model = model(Self.menu)
    #expect(walk(&model, [.down, .up]) == ["com.example.B", "com.example.A"])
  }

  @Test
  func `one element is pressed at once, one field is typed into, of several the first is taken`() {
    var model = model([Self.menu[1]])
    #expect(model.pressedTarget?.elementID == "b")
    model = self.model(Self.menu)
    #expect(model.pressedTarget == nil)
  }

  @Test func `in a card that is alone arrows go in without Enter, and scroll what has no element`()
  {
    var model = model(
      [(id: "top", row: 0, column: 0), (id: "end", row: 59, column: 0)],
      rows: 60
    )
    model.toggleZoom()
    #expect(walk(&model, [.down]) == ["top"])
    // Nothing of what is between is passed over.
    for row in 1...20 {
      model.moveFocus(.down)
      #expect(model.place.zoom?.scrollRow == row && model.place.focus?.card == Self.first)
    }
    for _ in 0..<40 { model.moveFocus(.down) }
    #expect(model.focusedTarget?.elementID == "end")
    let last = model.place.zoom?.scrollRow
    #expect(walk(&model, [.down, .right, .left]) == ["end", "end", "end"])
    #expect(model.place.zoom?.scrollRow == last)
    for _ in 0..<80 { model.moveFocus(.up) }
    #expect(model.place.zoom?.scrollRow == 0)
    #expect(walk(&model, [.up, .up]) == ["com.example.A", "com.example.A"])
  }

  @Test func `the only card that a filter shows has the arrows, too`() {
    var model = model(Self.menu)
    model.take([(card(Self.first), model.content.bodies[Self.first])])
    model.relayout()
    #expect(model.isCardAlone)
    #expect(walk(&model, [.down, .right]) == ["a", "b"])
    model.mode = .edit(PageEditing())
    #expect(!model.isCardAlone)
  }

  @Test func `Page Down and Page Up scroll, whatever has the focus`() {
    var model = model(Self.menu, rows: 60)
    model.toggleZoom()
    let hasEntered = model.enterCard()
    model.scroll(by: 20)
    #expect(hasEntered && model.place.zoom?.scrollRow == 20)
    // From there, an arrow begins with what is seen.
    #expect(walk(&model, [.up]) == ["a"] || model.place.zoom?.scrollRow == 19)
  }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: 1, rows: 1), Size(columns: 16, rows: 3),
  ])
  func `a screen without room for the card is no trouble`(size: Size) {
    var model = model(Self.menu, size: size)
    for zoomed in [false, true] {
      if zoomed { model.toggleZoom() }
      _ = model.enterCard()
      for move: FocusDirection in [.down, .right, .up, .left, .down, .down] {
        model.moveFocus(move)
        #expect(TodayView.draw(model).size == size)
      }
    }
  }
}
