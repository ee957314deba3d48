import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// Widgets that show and hide the cards of their app.
@Suite(.timeLimit(.minutes(5))) struct ContentRequestsTests {
  private static let other = CardID("com.example.B")

  private func world() throws -> EngineWorld {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", Self.other.bundleIdentifier)
    let world = try EngineWorld(first: #","view":"a""#, folder: folder)
    try world.open()
    world.center.screen.setVisible([EngineWorld.id, Self.other])
    world.settle()
    return world
  }

  private func set(_ flag: Bool, _ world: EngineWorld) {
    let request = SetHasContentRequest(
      flag: flag,
      bundleIdentifier: Self.other.bundleIdentifier
    )
    world.center.services.setHasContent(request, from: EngineWorld.id)
    world.settle()
  }

  @Test func `a card that is shown and hidden all the time starts few processes`() throws {
    let world = try world()
    for turn in 0..<1_000 {
      set(turn % 2 == 1, world)
      world.center.screen.setVisible(Set(world.center.page.all.map(\.id)))
      world.settle()
    }
    #expect(world.runs.count <= 8)
    set(false, world)
    world.pass(.seconds(10))
    #expect(!world.center.contentFlags.hasContent(Self.other))
    set(true, world)
    world.pass(.seconds(10))
    #expect(world.center.contentFlags.hasContent(Self.other))
  }

  @Test func `a single request is done at once`() throws {
    let world = try world()
    set(false, world)
    #expect(!world.center.contentFlags.hasContent(Self.other))
    set(true, world)
    #expect(world.center.contentFlags.hasContent(Self.other))
  }
}
