import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

@Suite struct DepartureTests {
  private func world(animates: Bool = true) throws -> EngineWorld {
    let world = try EngineWorld(first: ",\"view\":\(stack(6))") { $0.animates = animates }
    try world.open()
    world.pass(.seconds(2))
    return world
  }

  private func hide(_ world: EngineWorld) throws {
    try world.widget.say(
      #"{"jsonrpc":"2.0","id":"h","method":"setHasContent","params":{"flag":false,"bundleIdentifier":"com.example.A"}}"#
    )
    world.settle()
  }

  /// How far the card is on its way off the page, 100 times a second, and what is drawn of it.
  private func way(_ world: EngineWorld) -> [Double] {
    var way: [Double] = []
    while let drawn = world.center.drawnCards(at: world.clock.now).first, way.count < 100 {
      #expect(world.center.isAnimating)
      #expect(drawn.body?.size.rows == 6)
      way.append(drawn.card.leaving ?? -1)
      world.pass(.milliseconds(10))
    }
    return way
  }

  @Test func `a card without content shrinks away in a quarter of a second`() throws {
    let world = try world()
    try hide(world)
    #expect(world.center.cards.isEmpty)
    let way = way(world)
    #expect((24...26).contains(way.count))
    #expect(way.first == 0)
    #expect(way == way.sorted())
    #expect(!world.center.isAnimating)
  }

  @Test func `where nothing moves it is gone at once`() throws {
    let world = try world(animates: false)
    try hide(world)
    #expect(way(world).isEmpty)
  }

  @Test func `a card that is off the screen goes without a motion`() throws {
    let world = try world()
    world.center.setVisible([])
    try hide(world)
    #expect(way(world).isEmpty)
  }

  @Test func `a card that goes is not pressed`() throws {
    let world = try world()
    let widget = try world.widget
    try hide(world)
    world.center.press(.action("more"), on: EngineWorld.id)
    world.settle()
    #expect(!widget.methods.contains("performAction"))
  }
}
