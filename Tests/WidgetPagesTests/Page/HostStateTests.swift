import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetPages
@testable import WidgetSessions

@Suite struct HostStateTests {
  private static let told = [
    "viewDidAppear", "viewDidDisappear", "hostDidBecomeActive", "hostWillResignActive",
    "hostDidEnterBackground", "hostWillEnterForeground",
  ]

  private func world() throws -> EngineWorld {
    try EngineWorld(
      ["viewWillAppear": "{}", "viewWillDisappear": "{}"],
      hearing: Self.told,
      first: #","view":"a""#
    )
  }

  @Test func `a hidden page makes its views disappear at once, and shows them again`() throws {
    let world = try world()
    let widget = try world.open()
    let before = widget.methods.count
    world.center.screen.setHost(.background)
    world.pass(.milliseconds(300))
    #expect(widget.isSuspended)
    #expect(
      widget.methods[before...] == [
        "hostWillResignActive", "viewWillDisappear", "viewDidDisappear", "hostDidEnterBackground",
      ]
    )
    let hidden = widget.methods.count
    world.center.screen.setHost(.active)
    world.settle()
    #expect(!widget.isSuspended)
    #expect(
      widget.methods[hidden...] == [
        "hostWillEnterForeground", "viewWillAppear", "viewDidAppear", "hostDidBecomeActive",
      ]
    )
  }

  @Test func `the focus is told, and nothing disappears`() throws {
    let world = try world()
    let widget = try world.open()
    let before = widget.methods.count
    world.center.screen.setHost(.inactive)
    world.center.screen.setHost(.active)
    world.pass(.seconds(6))
    #expect(widget.methods[before...] == ["hostWillResignActive", "hostDidBecomeActive"])
    #expect(!widget.isSuspended)
  }

  @Test func `a card that comes on a hidden page appears when the page is shown`() throws {
    let world = try world()
    world.center.screen.setWidth(40)
    world.center.screen.setHost(.background)
    world.center.screen.setVisible([EngineWorld.id])
    world.center.start()
    world.settle()
    #expect(world.runs.isEmpty)
    world.center.screen.setHost(.active)
    world.settle()
    #expect(try world.widget.methods.suffix(2) == ["viewWillAppear", "viewDidAppear"])
  }

  @Test func `a page that was hidden is still hidden after a suspension of the host`() throws {
    let world = try world()
    let widget = try world.open()
    world.center.screen.setHost(.background)
    world.pass(.milliseconds(300))
    world.center.suspend {}
    world.pass(.seconds(3))
    let before = widget.methods.count
    world.center.resume()
    world.pass(.seconds(1))
    #expect(widget.methods.count == before)
    world.center.screen.setHost(.active)
    world.settle()
    #expect(widget.methods.last == "hostDidBecomeActive")
  }

  @Test func `a suspension of the host tells it between the last view and the first`() throws {
    let world = try world()
    let widget = try world.open()
    let before = widget.methods.count
    world.center.suspend {}
    world.pass(.seconds(1))
    #expect(widget.isSuspended)
    world.center.resume()
    world.settle()
    #expect(
      widget.methods[before...] == [
        "hostWillResignActive", "viewWillDisappear", "viewDidDisappear", "hostDidEnterBackground",
        "hostWillEnterForeground", "viewWillAppear", "viewDidAppear", "hostDidBecomeActive",
      ]
    )
  }
}
