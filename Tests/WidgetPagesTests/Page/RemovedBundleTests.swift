import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Bundles that are deleted while their cards are on an open page.
@Suite struct RemovedBundleTests {
  private func openWorld() throws -> EngineWorld {
    let world = try EngineWorld(first: #","view":"hello""#)
    try world.folder.widget("widgets/B.widget", "com.example.B")
    try world.open()
    #expect(world.center.page.all.count == 2)
    return world
  }

  private func search(_ world: EngineWorld) {
    let paths = SearchPaths(
      named: ["\(world.folder.path)/widgets"],
      environment: [:],
      executable: nil
    )
    world.center.page.take(BundleCatalog.scan(paths))
    world.settle()
  }

  private func remove(_ world: EngineWorld) throws {
    try FileManager.default.removeItem(atPath: "\(world.folder.path)/widgets/A.widget")
  }

  @Test func `the card goes, its process ends, and the page says so`() throws {
    let world = try openWorld()
    let widget = try world.widget
    try remove(world)
    search(world)
    world.pass(.seconds(2))
    search(world)
    #expect(world.center.page.all.map(\.id.bundleIdentifier) == ["com.example.B"])
    #expect(widget.methods.last == "shutdown")
    #expect(world.center.notices.current?.string.contains("removed from the disk") == true)
  }

  @Test func `a bundle that is replaced within a second keeps its card and its process`() throws {
    let world = try openWorld()
    let widget = try world.widget
    try remove(world)
    search(world)
    try world.folder.widget("widgets/A.widget", EngineWorld.id.bundleIdentifier)
    world.pass(.seconds(2))
    search(world)
    #expect(world.center.page.all.count == 2)
    #expect(!widget.methods.contains("shutdown"))
    // It counts as missing from the beginning when it goes again.
    try remove(world)
    search(world)
    #expect(world.center.page.all.count == 2)
  }

  @Test func `a bundle that has become invalid keeps its card`() throws {
    let world = try openWorld()
    let list = "\(world.folder.path)/widgets/A.widget/Info.plist"
    try Data("{".utf8).write(to: URL(filePath: list))
    for _ in 0..<3 {
      search(world)
      world.pass(.seconds(2))
    }
    #expect(world.center.page.all.count == 2)
  }

  @Test func `the card has its old place when the bundle comes back`() throws {
    let world = try openWorld()
    let before = world.center.page.all.map(\.id)
    try remove(world)
    search(world)
    world.pass(.seconds(2))
    search(world)
    #expect(world.center.page.all.count == 1)
    try world.folder.widget("widgets/A.widget", EngineWorld.id.bundleIdentifier)
    search(world)
    #expect(world.center.page.all.map(\.id) == before)
  }
}
