import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetTesting

@testable import WidgetTUI

/// A page for everybody on a screen without a terminal, with a clock that the test advances.
@Suite struct PageViewingTests {
  private func world() throws -> DashboardWorld {
    let settings = #"{ keys: { j: "quit", q: "edit", L: "lock" } }"#
    return try DashboardWorld(settings: settings, size: Size(columns: 70, rows: 20)) {
      ($0.role, $0.isLocked) = (.viewer, true)
      ($0.schedulesUpdates, $0.widgetFolders) = (false, [])
    }
  }

  @Test func `the keys of a public page are few, whatever its owner has bound`() throws {
    let world = try world()
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
    let world = try world()
    world.type(.character("?"))
    #expect(world.screen.shows("close this list"))
    #expect(!world.screen.shows("edit the page") && !world.screen.shows("lock the page"))
    let pages = "\(world.folder)/home/.local/state/today/pages"
    #expect((try? FileManager.default.contentsOfDirectory(atPath: pages)) ?? [] == [])
  }

  @Test func `somebody whose terminal takes no picture for a minute is disconnected`() throws {
    let world = try world()
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

  @Test func `what the terminal says of its cells has no picture read`() throws {
    let world = try world()
    world.screen.imageLook = .symbols(colors: 16, .unicode)
    world.screen.onImageLook()
    world.clock.advance(by: .seconds(2))
    #expect(world.dashboard.center.images.look == nil)
  }
}
