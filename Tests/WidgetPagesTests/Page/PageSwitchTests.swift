import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// Several pages in the engine: only the cards of one are on the screen.
@Suite struct PageSwitchTests {
  private static let other = CardID("com.example.B")
  private static let work = PageName(rawValue: "Work") ?? .home

  /// A page with A, and one with B.
  private func world() throws -> EngineWorld {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", "com.example.B")
    return try EngineWorld(
      ["viewWillAppear": "{}", "viewWillDisappear": "{}"],
      first: #","view":\#(stack(2))"#,
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
      configuration.pages =
        UserConfiguration(
          bytes: Array(
            "{ pages: [{ name: 'Home', cards: ['com.example.A'] }, { name: 'Work', cards: ['com.example.B'] }] }"
              .utf8
          ),
          path: "c.json"
        ).settings.pages
    }
  }

  private func open(_ world: EngineWorld) {
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.pass(.seconds(1))
  }

  @Test func `only widgets of the page that is shown are started and drawn`() throws {
    let world = try world()
    open(world)
    #expect(world.center.notices.problems == [])
    #expect(world.center.page.names == [.home, Self.work])
    #expect(world.center.page.shown.map(\.id) == [EngineWorld.id])
    #expect(world.center.page.all.map(\.id) == [EngineWorld.id, Self.other])
    #expect(world.runs.count == 1)
    #expect(world.center.drawing.cards(at: world.clock.now).map(\.card.id) == [EngineWorld.id])
  }

  @Test func `on another page the views disappear, and the widgets are suspended`() throws {
    let world = try world()
    open(world)
    #expect(world.center.screen.show(page: PageName(rawValue: "work") ?? .home))
    #expect(world.center.page.shown.map(\.id) == [Self.other])
    world.center.screen.setWidth(60)
    // The dashboard says what is on the screen.
    world.center.screen.setVisible([Self.other])
    world.pass(.seconds(6))
    let first = world.runs[0]
    #expect(first.methods.contains("viewWillDisappear"))
    #expect(first.isSuspended)
    #expect(world.runs.count == 2)
    #expect(world.center.drawing.cards(at: world.clock.now).map(\.card.bodySize.columns) == [58])

    #expect(world.center.screen.show(page: .home))
    #expect(world.center.screen.setWidth(60))
    world.center.screen.setVisible([EngineWorld.id])
    world.pass(.seconds(2))
    #expect(!first.isSuspended)
    #expect(world.runs.count == 2)
    #expect(!world.center.screen.show(page: PageName(rawValue: "None") ?? .home))
  }

  @Test func `pages of config json are taken over while the page is open`() throws {
    let world = try world()
    open(world)
    world.center.screen.show(page: Self.work)
    var configuration = world.center.configuration
    configuration.pages =
      UserConfiguration(
        bytes: Array(
          "{ pages: [{ name: 'All', cards: ['com.example.B', 'com.example.C'] }] }".utf8
        ),
        path: "c.json"
      ).settings.pages
    world.center.apply(configuration)
    world.pass(.seconds(1))
    // Without its page, the one that was shown is the first one.
    #expect(world.center.screen.page.rawValue == "All")
    #expect(world.center.page.shown.map(\.id) == [Self.other])
    #expect(
      world.center.notices.problems.map(\.string) == [
        "c.json:1:51: no widget “com.example.C”; did you mean “com.example.A”?"
      ]
    )
  }
}
