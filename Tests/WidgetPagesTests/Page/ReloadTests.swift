import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

@Suite struct ReloadTests {
  private func world() throws -> EngineWorld {
    try EngineWorld(["widgetPerformUpdate": #"{"result":"noData"}"#])
  }

  @Test("a requested update is made once by an open page, with the reason event")
  func whileOpen() async throws {
    let world = try world()
    let widget = try world.open()
    try ReloadRequests(world.center.folders).ask(EngineWorld.id)
    await eventually("the request is taken") {
      !ReloadRequests(world.center.folders).isPending(EngineWorld.id)
    }
    world.settle()
    let reasons = try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason)
    #expect(reasons == [.appear, .event])
  }

  @Test("an update requested while no page was open is made when one opens")
  func beforeOpening() throws {
    let world = try world()
    let requests = ReloadRequests(world.center.folders)
    try requests.ask(EngineWorld.id)
    try requests.ask(CardID("com.example.Elsewhere"))
    let widget = try world.open()
    #expect(!requests.isPending(EngineWorld.id))
    #expect(requests.isPending(CardID("com.example.Elsewhere")))
    #expect(try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason).contains(.event))
  }
}
