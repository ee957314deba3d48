import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetTesting

@testable import WidgetTUI

/// Keys of the page that do nothing, the list of keys, and redoing.
@Suite struct PageKeysTests {
  private func type(_ keys: Key..., in world: DashboardWorld) {
    for key in keys { world.screen.type(key) }
    world.clock.advance(by: .seconds(1))
  }

  @Test(
    arguments: [
      (.character("b"), "“b”"), (.function(5), "“F5”"), (.control("g"), "“Ctrl-G”"),
      (.insert, "“Insert”"),
    ] as [(Key, String)]
  )
  func `a key that does nothing says so, until the next one`(key: Key, name: String) throws {
    let world = try DashboardWorld()
    let words = "\(name) does nothing here; ? lists the keys."
    type(key, in: world)
    #expect(world.screen.shows(words))
    type(.home, in: world)
    #expect(!world.screen.shows("does nothing here"))
    // Who presses Esc wants to be on the page, and is.
    type(.escape, in: world)
    #expect(!world.screen.shows("does nothing here"))
  }

  @Test func `F1 lists the keys, and closes the list`() throws {
    let world = try DashboardWorld()
    for isShown in [true, false] {
      type(.function(1), in: world)
      #expect(world.screen.shows("next, previous card") == isShown)
    }
  }

  @Test func `a message that came by itself goes with a key once it could be read`() throws {
    let world = try DashboardWorld()
    let notices = world.dashboard.center.notices
    notices.say("Something has ended.")
    type(.home, in: world)
    #expect(world.screen.shows("Something has ended."))
    world.clock.advance(by: .seconds(2))
    type(.home, in: world)
    #expect(!world.screen.shows("Something has ended."))
  }

  @Test func `a theme that was undone is chosen again, until something else is done`() throws {
    let world = try DashboardWorld()
    func choose(_ theme: String) {
      world.screen.type(.character(":"))
      for scalar in theme.unicodeScalars { world.screen.type(.character(scalar)) }
      type(.enter, in: world)
    }
    func theme(after keys: Key...) -> String {
      for key in keys { type(key, in: world) }
      return world.screen.theme.definition.id
    }
    type(.character("U"), in: world)
    #expect(world.screen.shows("There is nothing to redo"))
    for theme in ["paper", "midnight"] { choose(theme) }
    #expect(theme(after: .character("u"), .character("u")) == "dark")
    #expect(theme(after: .character("U")) == "paper")
    #expect(theme(after: .control("r")) == "midnight")
    #expect(world.screen.shows("The theme is the later one again."))
    #expect(theme(after: .control("r")) == "midnight")
    #expect(theme(after: .character("u")) == "paper")
    choose("ember")
    #expect(theme(after: .character("U")) == "ember")
    #expect(world.screen.shows("There is nothing to redo"))
    // In edit mode the keys are the same.
    #expect(theme(after: .character("e"), .character("u")) == "paper")
    #expect(theme(after: .control("r")) == "ember")
  }
}
