import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// Updates of widgets on a page that is not shown.
@Suite struct HiddenPageTests {
  private static let other = CardID("com.example.B")

  /// A page with A, which is shown, and one with B.
  private func world() throws -> EngineWorld {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", "com.example.B")
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(1))}"#],
      folder: folder
    ) { configuration in
      configuration.widgetFolders = []
      try? FileManager.default.createDirectory(
        atPath: "\(folder.path)/data/today",
        withIntermediateDirectories: true
      )
      try? FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/data/today/widgets",
        withDestinationPath: "\(folder.path)/widgets"
      )
      configuration.environment["XDG_DATA_HOME"] = "\(folder.path)/data"
      configuration.environment["XDG_DATA_DIRS"] = "/nowhere"
      let pages =
        "{ pages: [{ name: 'Home', cards: ['com.example.A'] }, "
        + "{ name: 'Work', cards: ['com.example.B'] }] }"
      configuration.pages =
        UserConfiguration(bytes: Array(pages.utf8), path: "c.json").settings.pages
    }
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.pass(.seconds(1))
    return world
  }

  /// The reasons of the updates that a widget was asked for, in all its runs.
  private func updates(of name: String, _ world: EngineWorld) throws -> [UpdateReason] {
    try zip(world.runs, world.programs).filter { $0.1.contains("/\(name).widget/") }.flatMap {
      try $0.0.messages(WidgetPerformUpdateRequest.self).map(\.reason)
    }
  }

  @Test func `a widget on a hidden page is updated when that is due, and suspended again`() throws {
    let world = try world()
    #expect(try updates(of: "B", world) == [])
    world.pass(.seconds(2 * 3_600), step: .seconds(1))
    let reasons = try updates(of: "B", world)
    #expect(!reasons.isEmpty && reasons.allSatisfy { $0 == .schedule }, "\(reasons)")
    // Far fewer than of one that is seen.
    #expect(try reasons.count < updates(of: "A", world).count)
    let runs = zip(world.runs, world.programs).filter { $0.1.contains("/B.widget/") }.map(\.0)
    #expect(runs.allSatisfy { $0.isSuspended || $0.methods.contains("shutdown") })
    #expect(world.center.page.all.first { $0.id == Self.other }?.view != nil)
  }

  @Test func `a request for all cards reaches every page`() throws {
    let world = try world()
    world.center.updates.refresh(nil)
    world.pass(.seconds(1))
    #expect(try updates(of: "A", world).last == .user)
    #expect(try updates(of: "B", world) == [.user])
  }
}
