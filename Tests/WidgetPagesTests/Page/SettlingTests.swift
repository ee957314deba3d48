import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages

/// When a headless page has settled.
@Suite struct SettlingTests {
  /// A world as for a command: without animations and scheduled updates.
  private func world(
    _ answers: [String: String] = [:],
    hearing: [String] = [],
    first: String = ""
  ) throws -> EngineWorld {
    try EngineWorld(answers, hearing: hearing, first: first) {
      $0.animates = false
      $0.schedulesUpdates = false
    }
  }

  /// How long it takes until the card has settled.
  private func timeToSettle(_ world: EngineWorld, atMost limit: Duration) -> Duration? {
    var isSettled = world.center.page.isSettled(EngineWorld.id)
    world.center.signals.onSettle = { isSettled = world.center.page.isSettled(EngineWorld.id) }
    let start = world.clock.now
    while !isSettled, start.duration(to: world.clock.now) < limit { world.pass(.milliseconds(50)) }
    return isSettled ? start.duration(to: world.clock.now) : nil
  }

  @Test("a card with a delayed height has settled when the height is granted")
  func heldHeight() throws {
    let world = try world(["widgetPerformUpdate": #"{"result":"noData"}"#], first: #","view":"a""#)
    world.answers["widgetPerformUpdate"] = nil
    let widget = try world.open()
    // Until then a height belongs to the first content and is placed at once.
    world.pass(CardSize.placingTime * 2)
    for height in 3...5 {
      widget.notify("setPreferredContentSize", #"{"height":\#(height)}"#)
      world.settle()
    }
    widget.answer("widgetPerformUpdate", #"{"result":"noData"}"#)
    world.settle()
    #expect(!world.center.page.isSettled(EngineWorld.id))
    let time = try #require(timeToSettle(world, atMost: .seconds(10)))
    #expect(time <= .milliseconds(1_100))
    #expect(world.rows == 5)
  }

  @Test("a widget that does not answer a transition does not delay settling")
  func silentAboutHeight() throws {
    let world = try world(["viewWillTransitionToSize": "{}"], first: #","view":"a""#)
    world.answers["viewWillTransitionToSize"] = nil
    let widget = try world.open()
    widget.notify("setPreferredContentSize", #"{"height":4}"#)
    world.settle()
    let time = try #require(timeToSettle(world, atMost: .seconds(10)))
    #expect(time <= .milliseconds(1_100))
  }

  @Test("a widget that only pushes has a second for its first view")
  func pushes() throws {
    let world = try world()
    let widget = try world.open()
    #expect(!world.center.page.isSettled(EngineWorld.id))
    world.pass(.milliseconds(700))
    #expect(!world.center.page.isSettled(EngineWorld.id))
    widget.notify("setView", #"{"view":"pushed"}"#)
    #expect(try #require(timeToSettle(world, atMost: .seconds(1))) <= .milliseconds(100))
    #expect(world.picture == ["pushed"])
    #expect(world.center.page.hasOwnView(EngineWorld.id))
  }

  @Test("a widget without a view has settled after a second", arguments: [false, true])
  func showsNothing(updates: Bool) throws {
    let world = try world(updates ? ["widgetPerformUpdate": #"{"result":"noData"}"#] : [:])
    try world.open()
    let time = try #require(timeToSettle(world, atMost: .seconds(10)))
    #expect(time <= .milliseconds(1_050))
    #expect(try world.card.view == nil)
  }

  @Test("a widget that only pushes, not visible, keeps its view and is not asked again")
  func pushesInBackground() throws {
    let world = try world()
    world.center.screen.setWidth(40)
    world.center.load()
    #expect(world.center.updates.refreshIfDue(EngineWorld.id))
    world.settle()
    #expect(!world.center.page.isSettled(EngineWorld.id))
    try world.widget.notify("setView", #"{"view":"pushed"}"#)
    world.settle()
    #expect(world.center.page.isSettled(EngineWorld.id))
    #expect(!world.center.updates.isDue(EngineWorld.id))
    world.center.shutdown {}
    world.pass(.seconds(2))
    #expect(try world.snapshotFiles().count == 1)
    let next = try EngineWorld(folder: world.folder)
    next.center.load()
    #expect(!next.center.updates.isDue(EngineWorld.id))
  }

  @Test("the dashboard does not wait for a first view")
  func pageThatStays() throws {
    let world = try EngineWorld()
    try world.open()
    #expect(world.center.page.isSettled(EngineWorld.id))
  }
}
