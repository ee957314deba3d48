import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Looking back at what cards showed.
struct PagePastTests {
  private static func words(_ words: String) -> String {
    #"{"type":"vstack","children":[{"type":"text","text":"\#(words)"},{"type":"button","label":"Go","action":"go"}]}"#
  }

  /// A page whose widget has shown some words, each for two minutes.
  private func world(_ words: [String], bundle: String = "") throws -> EngineWorld {
    let world = try EngineWorld(
      ["performAction": "{}"],
      first: #","view":\#(Self.words("first"))"#,
      bundle: bundle
    )
    let widget = try world.open()
    for words in words {
      widget.notify("setView", #"{"view":\#(Self.words(words))}"#)
      world.pass(.seconds(120), step: .seconds(1))
    }
    return world
  }

  private func shown(_ world: EngineWorld) -> String? { world.picture.first }

  @Test func `goes back content by content, and forward to the present`() throws {
    let world = try world(["one", "two", "three"])
    let past = world.center.drawing.past
    #expect(shown(world) == "three")
    #expect(past.step(.forward, of: EngineWorld.id) == .nothing)
    #expect(past.step(.back, of: EngineWorld.id) == .past)
    world.settle()
    #expect(shown(world) == "two")
    let card = try world.card
    #expect(card.past?.number == 2 && card.past?.count == 3)
    #expect(past.step(.back, of: EngineWorld.id) == .past)
    world.settle()
    #expect(shown(world) == "one")
    #expect(past.step(.back, of: EngineWorld.id) == .nothing)
    #expect(shown(world) == "one")
    #expect(past.step(.forward, of: EngineWorld.id) == .past)
    world.settle()
    #expect(shown(world) == "two")
    #expect(past.step(.forward, of: EngineWorld.id) == .present)
    world.settle()
    #expect(shown(world) == "three")
    #expect(try world.card.past == nil)
  }

  @Test func `the lines of graphs that differ are not marked`() throws {
    let world = try world(["▁▂▃ ⣀⣤⣶ 12 %", "▂▃▅ ⣤⣶⣿ 47 %", "end"])
    _ = world.center.drawing.past.step(.back, of: EngineWorld.id)
    world.pass(.seconds(1))
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let marked = body.from.runs.flatMap(\.cells).filter { $0.style.attributes.contains(.underline) }
    #expect(marked.map(\.glyph.text).joined() == "47")
  }

  @Test func `the widget goes on behind it, and nothing of it can be pressed`() throws {
    let world = try world(["one", "two"])
    let past = world.center.drawing.past
    #expect(past.step(.back, of: EngineWorld.id) == .past)
    world.pass(.seconds(1))
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    #expect(body.from.targets.isEmpty)
    try world.widget.notify("setView", #"{"view":\#(Self.words("three"))}"#)
    world.pass(.seconds(1))
    #expect(shown(world) == "one")
    #expect(past.end())
    world.pass(.seconds(1))
    #expect(shown(world) == "three")
    #expect(!past.end())
  }

  @Test func `what differs from the content before it is marked`() throws {
    let world = try world(["load 10 of 80", "load 35 of 80", "end"])
    _ = world.center.drawing.past.step(.back, of: EngineWorld.id)
    world.pass(.seconds(1))
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let cells = try #require(body.from.runs.first).cells
    let marked = cells.filter { $0.style.attributes.contains(.underline) }
    #expect(marked.map(\.glyph.text).joined() == "35")
  }

  @Test func `shows the page at a moment, also one of which nothing is kept`() throws {
    let world = try world(["one", "two"])
    let past = world.center.drawing.past
    let now = world.clock.date
    #expect(past.show([EngineWorld.id], at: now.addingTimeInterval(-150)) == [])
    world.settle()
    #expect(shown(world) == "one")
    #expect(past.show([EngineWorld.id], at: now.addingTimeInterval(-3600)) == [EngineWorld.id])
    world.settle()
    #expect(shown(world) == "Nothing is kept from then.")
    #expect(past.step(.forward, of: [EngineWorld.id]) == .past)
    world.settle()
    #expect(shown(world) == "one")
    #expect(past.step(.forward, of: [EngineWorld.id]) == .present)
    #expect(past.step(.back, of: [EngineWorld.id]) == .past)
    #expect(past.step(.back, of: [EngineWorld.id]) == .nothing)
  }

  @Test func `shows nothing on a locked page, which keeps nothing either`() throws {
    let world = try world(["one", "two"])
    let past = world.center.drawing.past
    #expect(past.step(.back, of: EngineWorld.id) == .past)
    world.center.setLocked(true)
    #expect(try world.card.past == nil)
    #expect(past.step(.back, of: EngineWorld.id) == .nothing)
    try world.widget.notify("setView", #"{"view":\#(Self.words("secret"))}"#)
    world.pass(.seconds(120), step: .seconds(1))
    world.center.setLocked(false)
    try world.widget.notify("setView", #"{"view":\#(Self.words("three"))}"#)
    world.pass(.seconds(120), step: .seconds(1))
    #expect(past.step(.back, of: EngineWorld.id) == .past)
    world.settle()
    #expect(shown(world) == "two")
  }
}
