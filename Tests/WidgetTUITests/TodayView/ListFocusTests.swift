import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// The focus on rows of a list, on fields and on folds.
@Suite struct ListFocusTests {
  private static let id = CardID("com.example.A")

  private func model(_ rows: [String], more: String = "") throws -> TodayModel {
    var model = TodayModel(size: Size(columns: 50, rows: 20), look: PageLook(now: SamplePage.now))
    model.take([(card, try body(rows, more: more))])
    model.relayout()
    return model
  }

  private var card: Card {
    var card = Card(id: Self.id, name: "A")
    card.state = .live
    card.removesRows = true
    return card
  }

  private func body(_ rows: [String], more: String = "", hasField: Bool = true) throws -> CardBody {
    let rows = rows.map { #"{"id":"\#($0)","view":"\#($0)"}"# }.joined(separator: ",")
    let field = hasField ? #"{"type":"field","id":"f","text":"abc"},"# : ""
    let json =
      #"{"type":"vstack","children":[\#(field){"type":"list","id":"l"\#(more),"rows":[\#(rows)]},"#
      + #"{"type":"button","label":"x","action":"x"}]}"#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    return CardBody(ViewLayout.layOut(node, width: 40, in: .init(now: SamplePage.now)))
  }

  private func row(_ model: TodayModel) -> String? {
    if case .row(let row)? = model.focusedTarget?.role { row.row } else { nil }
  }

  /// Whether the focus has moved in its list.
  private func moves(_ model: inout TodayModel, forward: Bool) -> Bool {
    model.moveInList(forward: forward)
  }

  private func take(_ body: CardBody, into model: inout TodayModel) {
    model.take([(card, body)])
    model.relayout()
  }

  @Test func `down and up go from row to row, and leave the list at its ends`() throws {
    var model = try model(["a", "b", "c"])
    model.moveElementFocus(forward: true)
    #expect(model.place.focus?.isField == true)
    var isAtEnd = !moves(&model, forward: true)
    #expect(isAtEnd)
    model.moveElementFocus(forward: true)
    #expect(row(model) == "a" && model.canRemoveFocusedRow)
    let (second, third) = (moves(&model, forward: true), moves(&model, forward: true))
    #expect(second && third)
    #expect(row(model) == "c")
    isAtEnd = !moves(&model, forward: true)
    #expect(isAtEnd)
    for _ in 0..<3 {
      let hasMoved = moves(&model, forward: false)
      #expect(hasMoved)
    }
    #expect(model.place.focus?.element == nil)
    isAtEnd = !moves(&model, forward: false)
    #expect(isAtEnd)
  }

  @Test(arguments: [
    (["a", "b", "c"], "b"), (["b", "a", "c"], "b"), (["a", "c"], "c"), (["a"], "a"),
    (["new", "a", "b"], "b"),
  ])
  func `the focus follows a row, and goes to its neighbour when it goes`(
    rows: [String],
    focused: String
  ) throws {
    var model = try model(["a", "b", "c"])
    for _ in 0..<3 { model.moveElementFocus(forward: true) }
    #expect(row(model) == "b")
    take(try body(rows), into: &model)
    #expect(row(model) == focused)
  }

  @Test func `nothing takes the place of a field that has gone`() throws {
    var model = try model(["a"])
    model.moveElementFocus(forward: true)
    take(try body(["a"], hasField: false), into: &model)
    #expect(model.focusedTarget == nil)
    #expect(model.place.focus?.isField == true)
    take(try body(["a"]), into: &model)
    #expect(model.focusedTarget != nil)
  }

  @Test func `a list without rows leaves the focus on another element or the card`() throws {
    var model = try model(["a", "b"])
    for _ in 0..<2 { model.moveElementFocus(forward: true) }
    take(try body([]), into: &model)
    #expect(row(model) == nil)
    #expect(model.place.focus?.card == Self.id)
  }

  @Test func `a field with the focus has a cursor, and its neighbours are not reversed`() throws {
    var model = try model(["a"])
    model.moveElementFocus(forward: true)
    let canvas = TodayView.draw(model)
    let reversed = canvas.cells.indices.filter {
      canvas.cells[$0].style.attributes.contains(.reverse)
    }
    #expect(reversed.count == 1)
    model.look.hasColors = false
    #expect(TodayView.draw(model).cells.contains { $0.style.attributes.contains(.reverse) })
  }

  @Test func `the footer has the keys of a field and of a row`() throws {
    var model = try model(["a"])
    func footer() -> String {
      TextWriter.text(TodayView.draw(model)).split(separator: "\n").last.map(String.init) ?? ""
    }
    model.moveElementFocus(forward: true)
    #expect(footer().contains("Esc clear and leave"))
    model.moveElementFocus(forward: true)
    #expect(footer().contains("x remove"))
    take(try body([], hasField: false), into: &model)
    model.place.focus = PageFocus(card: Self.id)
    #expect(!footer().contains("x remove"))
  }
}
