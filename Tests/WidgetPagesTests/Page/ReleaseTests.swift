import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetSessions

/// A page that is released is deallocated, with its descriptors.
@Suite struct ReleaseTests {
  private final class Held {
    weak var center: WidgetCenter?
    weak var session: WidgetSession?
    weak var controller: CardRuntime?
  }

  private func use() throws -> Held {
    let held = Held()
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(3))}"#],
      first: #","view":"a""#
    )
    let widget = try world.open()
    widget.notify("setPreferredContentSize", #"{"height":9}"#)
    world.pass(.seconds(30), step: .milliseconds(100))
    world.center.screen.setVisible([])
    world.pass(.seconds(30), step: .milliseconds(100))
    held.center = world.center
    held.controller = world.center.page.controllers.first
    held.session = held.controller?.session
    return held
  }

  @Test func `a page is deallocated with all its parts`() throws {
    let held = try use()
    #expect(held.center == nil)
    #expect(held.controller == nil)
    #expect(held.session == nil)
  }
}
