import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetSessions

/// Cards that are shown as they are on a locked page.
@Suite struct LockedCardTests {
  private let secret = #"{"type":"text","text":"balance 4711","privacySensitive":true}"#

  /// A view with a private text and another one.
  private var first: String {
    #","view":{"type":"vstack","children":[{"type":"text","text":"open 0815"},\#(secret)]}"#
  }

  @Test func `a locked page shows the name of a card alone, whether or not its content is private`()
    throws
  {
    for view in [secret, #"{"type":"text","text":"open 0815"}"#] {
      let world = try EngineWorld(first: #","view":\#(view)"#)
      try world.open()
      #expect(!world.picture.isEmpty)
      world.center.setLocked(true)
      #expect(world.picture.isEmpty)
      for card in [try world.card, try #require(world.drawn.first?.card)] {
        #expect(card.isConcealed && card.name == "A")
        #expect(card.view == nil && card.message == nil && card.ageDate == nil)
      }
      #expect(world.drawn.allSatisfy { $0.body == nil })
      world.center.setLocked(false)
      #expect(!world.picture.isEmpty)
      #expect(try !world.card.isConcealed && world.card.view != nil)
    }
  }

  @Test func `a card that the user allows is shown, with its private content covered`() throws {
    let world = try EngineWorld(first: first) { $0.allowedWhenLocked = ["com.example.A": true] }
    try world.open()
    world.center.setLocked(true)
    #expect(world.picture.first == "open 0815")
    #expect(world.picture.count == 2 && world.picture.last != "balance 4711")
    let other = try EngineWorld(first: first) { $0.allowedWhenLocked = ["com.example.B": true] }
    try other.open()
    other.center.setLocked(true)
    #expect(other.picture.isEmpty)
  }

  @Test func `the setting applies at once`() throws {
    let world = try EngineWorld(first: first)
    try world.open()
    world.center.setLocked(true)
    var configuration = world.center.configuration
    configuration.allowedWhenLocked = ["com.example.A": true]
    world.center.apply(configuration)
    #expect(world.picture.first == "open 0815")
    configuration.allowedWhenLocked = [:]
    world.center.apply(configuration)
    #expect(world.picture.isEmpty)
  }

  @Test func `neither the inspector nor a preview nor a message says more`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: first)
    let widget = try world.open()
    world.center.notices.say("A: 0815 was pressed")
    world.center.setLocked(true)
    #expect(world.center.notices.current == nil)
    let found = try #require(world.center.inspection(of: EngineWorld.id))
    #expect(found.view == nil && found.messages.isEmpty && found.settings.isEmpty)
    #expect(found.log.isEmpty && found.runs.isEmpty && found.path == nil && found.message == nil)
    let preview = try #require(world.center.preview.drawing(of: EngineWorld.id))
    #expect(preview.body == nil && preview.card.view == nil)
    // What a press leads to that was made before.
    world.center.page[EngineWorld.id]?.say("0815")
    world.center.notices.sayUnlessLocked("A: 0815")
    #expect(world.center.notices.current == nil)
    _ = widget
    world.center.setLocked(false)
    world.center.page[EngineWorld.id]?.say("0815")
    #expect(world.center.notices.current == "A: 0815")
  }

  @Test func `a press that fails says why, until one succeeds`() throws {
    let world = try EngineWorld(
      ["performAction": #"{"result":"failed","error":"the disk is full"}"#],
      first: first
    )
    let widget = try world.open()
    world.press("go")
    world.settle()
    #expect(world.center.notices.current == "A: the disk is full")
    widget.answers["performAction"] = "{}"
    world.press("go")
    world.settle()
    #expect(world.center.notices.current == nil)
    widget.answers["performAction"] = #"{"result":"failed"}"#
    world.press("go")
    world.settle()
    #expect(world.center.notices.current == "A: the widget reported a failure")
  }

  @Test func `what is said of a failed press goes when the user asks for an update`() throws {
    let world = try EngineWorld(
      [
        "performAction": #"{"result":"failed","error":"the disk is full"}"#,
        "widgetPerformUpdate": #"{"result":"noData"}"#,
      ],
      first: first
    )
    try world.open()
    world.press("go")
    world.settle()
    #expect(try world.card.pressCue == "press failed")
    #expect(world.center.notices.current == "A: the disk is full")
    world.center.updates.refresh(nil)
    world.settle()
    #expect(try world.card.pressCue == nil)
    #expect(world.center.notices.current == nil)
  }

  @Test func `a failed card does not say why on a locked page`() throws {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"failed","error":"no 0815 there"}"#],
      first: first
    )
    try world.open()
    #expect(try world.card.message != nil)
    world.center.setLocked(true)
    let card = try world.card
    #expect(card.message == nil && card.state == .live && !card.isStale)
  }

  @Test func `no private content of it is stored, and no press reaches it`() throws {
    let world = try EngineWorld(
      ["performAction": "{}"],
      first: #","view":{"type":"button","id":"b","label":"pay 4711","action":"pay","#
        + #""privacySensitive":true}"#
    ) {
      $0.allowedWhenLocked = ["com.example.A": true]
      $0.isLocked = true
    }
    try world.open()
    try world.press(element: "b")
    world.pass(.seconds(40))
    #expect(try world.presses.isEmpty)
    #expect(try world.snapshotFiles().isEmpty)
  }

  @Test func `the setting is read with its place, beside settings of the widget`() {
    let text =
      "{ widgets: { 'org.today.Clock': { allowWhenLocked: true, span: 2, zones: [] },"
      + " 'org.today.System:b': { allowWhenLocked: 7 } } }"
    let read = UserConfiguration(bytes: Array(text.utf8), path: "config.json")
    let clock = CardSettings(span: 2, allowWhenLocked: true)
    #expect(read.settings.cards == ["org.today.Clock": clock])
    #expect(
      read.problems.map(\.string) == [
        "config.json:1:121: widgets.\"org.today.System:b\".allowWhenLocked: expected true or false, "
          + "found 7"
      ]
    )
    let good = UserConfiguration(
      bytes: Array("{ widgets: { 'a.b': { allowWhenLocked: true, span: 2 } } }".utf8),
      path: "config.json"
    )
    #expect(good.settings.cards == ["a.b": CardSettings(span: 2, allowWhenLocked: true)])
    #expect(good.settings.spans == ["a.b": 2])
  }
}
