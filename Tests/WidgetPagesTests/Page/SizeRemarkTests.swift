import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetPages
@testable import WidgetPlatform

/// What the log says of sizes that a widget cannot have.
@Suite struct SizeRemarkTests {
  private let answers = ["viewWillTransitionToSize": "{}", "performAction": "{}"]

  private func world(_ view: String, _ more: String = "") throws -> EngineWorld {
    let first = #","view":\#(view)\#(more)"#
    return try EngineWorld(answers, hearing: ["transitionDidComplete"], first: first)
  }

  /// The lines of the log of the card with these words.
  private func log(_ words: String, _ world: EngineWorld) -> [String] {
    let path = world.center.folders.log(of: EngineWorld.id)
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.contains(words) }
      .map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  @Test func `a height above the limit is clamped, and the granted size is told and logged`() throws
  {
    let world = try world(stack(3))
    let widget = try world.open()
    world.pass(.seconds(5))
    widget.notify("setPreferredContentSize", #"{"height":500}"#)
    world.pass(.seconds(2))
    widget.notify("setPreferredContentSize", #"{"height":600}"#)
    world.pass(.seconds(2))
    #expect(world.rows == 100)
    let sizes = try widget.messages(ViewWillTransitionToSizeRequest.self).map(\.size.rows)
    #expect(sizes == [100])
    #expect(
      log("granted", world) == ["asked for 500 rows, granted 100: a card has at most 100"]
    )
  }

  @Test func `the size that was granted comes with the appearance`() throws {
    let world = try EngineWorld(
      ["viewWillAppear": "{}"],
      first: #","view":\#(stack(3)),"preferredContentSize":{"height":500}"#
    )
    let widget = try world.open()
    #expect(try widget.messages(ViewWillAppearRequest.self).map(\.size.rows) == [100])
    #expect(log("granted", world).count == 1)
  }

  @Test func `rows that do not fit are cut off and reported once`() throws {
    let world = try world(stack(9), #","preferredContentSize":{"height":4}"#)
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(stack(12))}"#)
    world.pass(.seconds(3))
    #expect(world.rows == 4)
    #expect(
      log("does not fit", world)
        == ["the view does not fit into its frame of 4 rows: 5 are cut off"]
    )
  }

  @Test func `columns that do not fit are cut off and reported once`() throws {
    let wide = #"{"type":"text","text":"wide","frame":{"width":70}}"#
    let world = try world(wide)
    let widget = try world.open()
    widget.notify("setView", #"{"view":"narrow"}"#)
    world.pass(.seconds(1))
    widget.notify("setView", #"{"view":\#(wide)}"#)
    world.pass(.seconds(1))
    #expect(
      log("columns", world) == [
        "the view needs at least 70 columns, its frame has 38: what does not fit is cut off"
      ]
    )
  }

  @Test func `a view that fits, and a compact card, are not reported`() throws {
    let fitting = try world(stack(9))
    try fitting.open()
    #expect(log("rows", fitting) == [])
    let compact = try world(stack(9), #","largestAvailableDisplayMode":"expanded""#)
    try compact.open()
    compact.pass(.seconds(1))
    #expect(compact.rows == 4)
    #expect(log("rows", compact) == [])
  }

  @Test func `a height that follows the first picture without another content is reported`() throws
  {
    let world = try world(stack(3))
    let widget = try world.open()
    world.pass(.seconds(1))
    for height in [5, 7] {
      widget.notify("setPreferredContentSize", #"{"height":\#(height)}"#)
      world.pass(.seconds(2))
    }
    #expect(
      log("late height", world) == [
        "late height: 5 rows were stated after the first picture, and its content has not changed; "
          + "state the height together with the first view"
      ]
    )
  }

  @Test func `a height with the first picture, with another content or after a press is not`()
    throws
  {
    let first = try world(stack(3), #","preferredContentSize":{"height":5}"#)
    try first.open()
    first.pass(.seconds(2))
    #expect(log("late height", first) == [])

    let changed = try world(stack(3))
    let widget = try changed.open()
    changed.pass(.seconds(2))
    widget.notify("setView", #"{"view":\#(stack(4))}"#)
    widget.notify("setPreferredContentSize", #"{"height":6}"#)
    changed.pass(.seconds(2))
    #expect(log("late height", changed) == [])

    let pressed = try world(stack(3))
    let other = try pressed.open()
    pressed.pass(.seconds(2))
    pressed.press("more")
    other.notify("setPreferredContentSize", #"{"height":6}"#)
    pressed.pass(.seconds(2))
    #expect(log("late height", pressed) == [])
  }
}
