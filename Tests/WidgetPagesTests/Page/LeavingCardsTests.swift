import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

@Suite struct LeavingCardsTests {
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

  /// The progress of a card that leaves the page, 100 times per second, and what is drawn.
  private func way(_ world: EngineWorld) -> [Double] {
    var way: [Double] = []
    while let drawn = world.center.drawing.cards(at: world.clock.now).first, way.count < 100 {
      #expect(world.center.drawing.isAnimating)
      #expect(drawn.body?.size.rows == 6)
      way.append(drawn.card.leaving ?? -1)
      world.pass(.milliseconds(10))
    }
    return way
  }

  @Test func `a card without content shrinks away in a quarter of a second`() throws {
    let world = try world()
    try hide(world)
    #expect(world.center.page.shown.isEmpty)
    let way = way(world)
    #expect((24...26).contains(way.count))
    #expect(way.first == 0)
    #expect(way == way.sorted())
    #expect(!world.center.drawing.isAnimating)
  }

  @Test func `without animation it is removed at once`() throws {
    let world = try world(animates: false)
    try hide(world)
    #expect(way(world).isEmpty)
  }

  @Test func `a card that is not visible is removed without animation`() throws {
    let world = try world()
    world.center.screen.setVisible([])
    try hide(world)
    #expect(way(world).isEmpty)
  }

  @Test func `a card that is leaving cannot be pressed`() throws {
    let world = try world()
    let widget = try world.widget
    try hide(world)
    world.center.input.press(.action("more"), on: EngineWorld.id)
    world.settle()
    #expect(!widget.methods.contains("performAction"))
  }

  @Test
  func `a card that another program removes shrinks away`() async throws {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", "com.example.B")
    let world = try EngineWorld(first: ",\"view\":\(stack(6))", folder: folder)
    let (removed, next) = (EngineWorld.id, CardID("com.example.B"))
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([removed, next])
    world.center.start()
    world.pass(.seconds(2))
    await eventually("a watch for this user") {
      world.pass(.milliseconds(100))
      return world.center.follower.isFollowing
    }
    #expect(world.center.page.shown.map(\.id) == [removed, next])

    // What `today remove` does.
    try PageBook(
      world.center.configuration.searchPaths,
      environment: ["HOME": "\(folder.path)/home"]
    )
    .change([.remove(removed)])
    await eventually("the page to follow") {
      world.settle()
      return world.center.page.shown.map(\.id) == [next]
    }
    var way: [Double] = []
    while case let drawn = world.center.drawing.cards(at: world.clock.now), drawn.count == 2 {
      #expect(drawn.map(\.card.id) == [removed, next])
      #expect(drawn.allSatisfy { $0.body?.size.rows == 6 })
      #expect(drawn[1].card.leaving == nil)
      #expect(world.center.drawing.isAnimating)
      way.append(drawn[0].card.leaving ?? -1)
      world.pass(.milliseconds(10))
    }
    #expect((24...26).contains(way.count))
    #expect(way.first == 0)
    #expect(way == way.sorted())
    #expect(world.center.drawing.cards(at: world.clock.now).map(\.card.id) == [next])
    #expect(!world.center.drawing.isAnimating)
    // Its widget was ended in the normal way, the other one goes on.
    #expect(
      world.runs.map { $0.methods.contains("shutdown") }.sorted { !$0 && $1 } == [false, true]
    )
  }
}
