import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPages
import WidgetTesting

@testable import WidgetTUI

/// A page for everybody on a screen without a terminal, with a clock that the test advances.
@Suite struct PageViewingTests {
  private final class World {
    let folder = "/tmp/today-viewing-\(UInt64.random(in: 0 ... .max))"
    let clock = VirtualClock()
    let screen = FakeScreen(Size(columns: 70, rows: 20))
    let dashboard: Dashboard
    var hasEnded = false

    init() throws {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/home/.config/today",
        withIntermediateDirectories: true
      )
      try Data(#"{ keys: { j: "quit", q: "edit", L: "lock" } }"#.utf8)
        .write(to: URL(filePath: "\(folder)/home/.config/today/config.json"))
      var configuration = CenterConfiguration(
        environment: ["HOME": "\(folder)/home", "TZ": "UTC"],
        executablePath: "\(folder)/bin/today"
      )
      (configuration.role, configuration.isLocked) = (.viewer, true)
      configuration.schedulesUpdates = false
      configuration.clock = clock
      dashboard = try Dashboard(
        configuration,
        user: UserConfiguration(environment: configuration.environment),
        searchedFolders: [],
        screen: screen,
        events: screen
      )
      dashboard.center.load()
      dashboard.run { [weak self] in self?.hasEnded = true }
      clock.advance(by: .seconds(1))
    }

    isolated deinit {
      try? FileManager.default.removeItem(atPath: folder)
    }

    func type(_ key: Key) {
      screen.type(key)
      clock.advance(by: .milliseconds(100))
    }
  }

  @Test func `the keys of a public page are few, whatever its owner has bound`() throws {
    let world = try World()
    for entry in KeyCommand.all.map(\.entry) where entry.intent != .quit {
      for key in entry.keys {
        world.type(key)
        #expect(world.dashboard.model.content.isLocked)
        #expect(!world.dashboard.isQuitting, "after \(key)")
        switch world.dashboard.model.mode {
        case .page, .help: break
        default: Issue.record("\(key) leads to another mode")
        }
        world.type(.escape)
      }
    }
    world.type(.character("L"))
    #expect(world.screen.shows("This page stays locked."))
    world.type(.character(":"))
    #expect(world.screen.shows("This page can only be looked at"))
    world.type(.character("q"))
    #expect(world.dashboard.isQuitting)
  }

  @Test func `a viewer writes no page and lists only keys that it has`() throws {
    let world = try World()
    world.type(.character("?"))
    #expect(world.screen.shows("close this list"))
    #expect(!world.screen.shows("edit the page") && !world.screen.shows("lock the page"))
    let pages = "\(world.folder)/home/.local/state/today/pages"
    #expect((try? FileManager.default.contentsOfDirectory(atPath: pages)) ?? [] == [])
  }

  @Test func `somebody whose terminal takes no picture for a minute is sent away`() throws {
    let world = try World()
    world.clock.advance(by: .seconds(120))
    #expect(!world.dashboard.isQuitting)
    world.type(.character("?"))
    world.screen.isReady = false
    world.clock.advance(by: .seconds(30))
    #expect(!world.dashboard.isQuitting)
    world.screen.isReady = true
    world.type(.character("?"))
    world.screen.isReady = false
    world.clock.advance(by: .seconds(130))
    #expect(world.dashboard.isQuitting)
  }
}
