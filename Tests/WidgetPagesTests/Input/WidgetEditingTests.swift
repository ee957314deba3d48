import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The editing of a widget by the user, which it is told of.
@Suite struct WidgetEditingTests {
  private static let editing = ["widgetDidBeginEditing", "widgetDidEndEditing"]
  private static let list =
    #"{"type":"list","id":"l","rows":[{"id":"a","view":"row a"},{"id":"b","view":"row b"}]}"#

  private func open(
    hearing notifications: [String] = editing,
    answers: [String: String] = [:],
    allowsEditing: String = #","allowsEditing":true"#,
    folder: BundleFolder? = nil
  ) throws -> EngineWorld {
    let world = try EngineWorld(
      answers,
      hearing: notifications,
      first: #"\#(allowsEditing),"view":\#(Self.list)"#,
      folder: folder
    )
    try world.open()
    world.pass(.seconds(1))
    return world
  }

  /// What the widget was told from a message on.
  private func told(_ world: EngineWorld, since count: Int) throws -> [String] {
    Array(try world.widget.methods.dropFirst(count))
  }

  @Test func `a widget is told when its editing begins and ends, once each`() throws {
    let world = try open()
    #expect(try world.card.allowsEditing && !world.card.isEdited)
    let count = try world.widget.methods.count
    let begins = world.center.input.beginEditing(EngineWorld.id)
    #expect(try begins && world.card.isEdited)
    let repeats = world.center.input.beginEditing(EngineWorld.id)
    #expect(repeats)
    world.center.input.endEditing()
    world.center.input.endEditing()
    world.settle()
    #expect(try told(world, since: count) == Self.editing)
    #expect(try !world.card.isEdited)
  }

  @Test(arguments: ["", #","allowsEditing":false"#, #","allowsEditing":null"#])
  func `a widget that does not allow it is not edited, and the user is told`(answer: String) throws
  {
    let world = try open(allowsEditing: answer)
    let count = try world.widget.methods.count
    let begins = world.center.input.beginEditing(EngineWorld.id)
    world.settle()
    #expect(try !begins && !world.card.isEdited && !world.card.allowsEditing)
    #expect(world.center.notices.current?.string.contains("nothing to edit") == true)
    #expect(try told(world, since: count) == [])
  }

  @Test func `a widget that only allows it is edited, and told nothing that it does not implement`()
    throws
  {
    let world = try open(hearing: [], answers: ["listDidMoveRow": "{}", "listDidRemoveRow": "{}"])
    let count = try world.widget.methods.count
    #expect(world.picture == ["row a", "row b"])
    world.center.input.beginEditing(EngineWorld.id)
    #expect(world.picture.allSatisfy { $0.hasPrefix("≡ row") && $0.hasSuffix("✕") })
    world.center.input.endEditing()
    world.settle()
    #expect(world.picture == ["row a", "row b"])
    #expect(try told(world, since: count) == [])
  }

  @Test func `the editing of one widget ends before that of another one begins`() throws {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", "com.example.B")
    let world = try EngineWorld(
      hearing: Self.editing,
      first: #","allowsEditing":true,"view":\#(Self.list)"#,
      folder: folder
    )
    let ids = [EngineWorld.id, CardID("com.example.B")]
    world.center.screen.setWidth(40)
    world.center.screen.setVisible(Set(ids))
    world.center.start()
    world.pass(.seconds(1))
    for id in ids { world.center.input.beginEditing(id) }
    world.settle()
    #expect(world.center.page.shown.filter(\.isEdited).map(\.id) == [ids[1]])
    let ended = world.runs.filter { $0.methods.last == "widgetDidEndEditing" }
    let begun = world.runs.filter { $0.methods.last == "widgetDidBeginEditing" }
    #expect(ended.count == 1 && begun.count == 1)
  }

  @Test func `it ends before the view disappears, and before the page closes`() throws {
    let appearances = Self.editing + ["viewDidDisappear"]
    let hidden = try open(hearing: appearances, answers: ["viewWillDisappear": "{}"])
    hidden.center.input.beginEditing(EngineWorld.id)
    hidden.center.screen.setVisible([])
    hidden.pass(.seconds(10))
    #expect(
      try hidden.widget.methods.suffix(4)
        == [
          "widgetDidBeginEditing", "widgetDidEndEditing", "viewWillDisappear", "viewDidDisappear",
        ]
    )
    #expect(try !hidden.card.isEdited && !hidden.card.allowsEditing)
    let closed = try open(hearing: appearances, answers: ["viewWillDisappear": "{}"])
    closed.center.input.beginEditing(EngineWorld.id)
    closed.center.shutdown {}
    closed.pass(.seconds(3))
    #expect(
      try closed.widget.methods.suffix(4)
        == ["widgetDidEndEditing", "viewWillDisappear", "viewDidDisappear", "shutdown"]
    )
  }

  @Test func `it ends when the page is hidden, suspended or locked, and a locked page begins none`()
    throws
  {
    let ways: [(WidgetCenter) -> Void] = [
      { $0.screen.setHost(.background) }, { $0.suspend {} }, { $0.setLocked(true) },
    ]
    for way in ways {
      let world = try open()
      world.center.input.beginEditing(EngineWorld.id)
      way(world.center)
      world.pass(.seconds(1))
      #expect(try world.widget.methods.last == "widgetDidEndEditing")
      #expect(try !world.card.isEdited)
    }
    let locked = try open()
    locked.center.setLocked(true)
    let begins = locked.center.input.beginEditing(EngineWorld.id)
    #expect(!begins)
  }

  @Test func `it ends with the process, and the next process is not edited`() throws {
    let world = try open()
    world.center.input.beginEditing(EngineWorld.id)
    try world.widget.crash()
    #expect(world.center.page.shown.allSatisfy { !$0.isEdited })
    world.pass(.seconds(5))
    #expect(world.runs.count == 2)
    #expect(world.runs[0].methods.last == "widgetDidBeginEditing")
    #expect(!world.runs[1].methods.contains("widgetDidBeginEditing"))
    #expect(try world.card.allowsEditing && !world.card.isEdited)
    // One that is killed for what it does is told nothing either.
    world.center.input.beginEditing(EngineWorld.id)
    world.runs[1].violate("too much output")
    world.settle()
    #expect(world.runs[1].methods.last == "widgetDidBeginEditing")
    #expect(world.center.page.shown.allSatisfy { !$0.isEdited })
  }
}
