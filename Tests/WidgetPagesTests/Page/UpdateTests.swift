import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct UpdateTests {
  private func world(_ update: String) throws -> EngineWorld {
    try EngineWorld(["widgetPerformUpdate": update], first: #","view":\#(stack(2))"#)
  }

  @Test func `a card that appears is updated`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    #expect(try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason) == [.appear])
    #expect(world.updates == [.newData])
    #expect(world.picture.first == "new 1")
    #expect(try world.card.state == .live)
    #expect(try world.snapshotFiles().count == 1)
  }

  @Test func `no data draws nothing and writes nothing`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    let files = try world.snapshotFiles()
    let date = try world.card.contentDate
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData","view":"ignored"}"#
    world.pass(.seconds(1))
    let changes = world.changes
    try FileManager.default.removeItem(atPath: world.center.folders.snapshots)
    for _ in 0..<3 {
      world.center.updates.refresh(nil)
      world.pass(.seconds(20))
    }
    #expect(world.updates == [.newData, .noData, .noData, .noData])
    #expect(world.changes == changes)
    #expect(try world.snapshotFiles().isEmpty)
    #expect(!files.isEmpty)
    #expect(try world.card.contentDate == date)
    #expect(world.picture.first == "new 1")
  }

  @Test func `new data with an equal view is fresh`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(2))}"#)
    try world.open()
    world.pass(.seconds(60))
    let date = try #require(try world.card.contentDate)
    let changes = world.changes
    world.center.updates.refresh(nil)
    world.settle()
    #expect(try #require(try world.card.contentDate) > date)
    #expect(world.changes == changes + 1)
  }

  @Test func `unchanged content after a restart keeps its age`() throws {
    let world = try world(#"{"result":"noData"}"#)
    let widget = try world.open()
    let date = try #require(try world.card.contentDate)
    world.pass(.seconds(60), step: .seconds(1))
    widget.crash()
    world.pass(.seconds(5), step: .milliseconds(100))
    #expect(try world.card.state == .live)
    #expect(try world.card.contentDate == date)
  }

  @Test func `changed content after a restart is new`() throws {
    let world = try world(#"{"result":"noData"}"#)
    let widget = try world.open()
    let date = try #require(try world.card.contentDate)
    world.pass(.seconds(10), step: .seconds(1))
    widget.notify("setView", #"{"view":\#(stack(2, "other"))}"#)
    world.pass(.seconds(60), step: .seconds(1))
    #expect(try #require(try world.card.contentDate) > date)
    let pushed = try #require(try world.card.contentDate)
    widget.crash()
    world.pass(.seconds(5), step: .milliseconds(100))
    #expect(world.picture.first == "row 1")
    #expect(try #require(try world.card.contentDate) > pushed)
  }

  @Test func `a failed update keeps the content, shows the reason and is retried soon`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.center.updates.refresh(nil)
    world.settle()
    #expect(try world.card.state == .failed)
    #expect(try world.card.message == "no network")
    #expect(world.picture.first == "new 1")
    world.pass(.seconds(14), step: .seconds(1))
    #expect(world.updates == [.newData, .failed])
    world.pass(.seconds(2), step: .seconds(1))
    #expect(world.updates == [.newData, .failed, .failed])
    world.pass(.seconds(28), step: .seconds(1))
    #expect(world.updates.count == 3)
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData"}"#
    world.pass(.seconds(3), step: .seconds(1))
    #expect(world.updates.last == .noData)
    #expect(try world.card.state == .live)
    #expect(try world.card.message == nil)
  }

  @Test(arguments: ["hidden", "crashed", "set"])
  func `a failed update is shown also when the view appears again, until a good one`(
    cause: String
  ) throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new")),"refreshAfter":600}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.center.updates.refresh(nil)
    world.settle()
    switch cause {
    case "hidden":
      world.center.screen.setVisible([])
      world.pass(.seconds(6), step: .seconds(1))
      world.center.screen.setVisible([EngineWorld.id])
    case "crashed": widget.crash()
    default: world.center.page.controllers[0].tell(.bundleChanged)
    }
    world.pass(.seconds(3), step: .milliseconds(100))
    #expect(try world.card.state == .failed)
    #expect(try world.card.message == "no network")
    #expect(try world.card.hasFailedUpdate)
    try world.widget.answers["widgetPerformUpdate"] = #"{"result":"noData"}"#
    world.pass(.seconds(120), step: .seconds(1))
    #expect(try world.card.state == .live)
    #expect(try world.card.message == nil)
    #expect(try !world.card.hasFailedUpdate)
  }

  @Test func `content of a page that begins after a failed update says that it failed`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new")),"refreshAfter":600}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.center.updates.refresh(nil)
    world.settle()
    world.center.shutdown {}
    world.pass(.seconds(3))
    let next = try EngineWorld([:], folder: world.folder) { $0.clock = world.clock }
    next.center.load()
    next.center.screen.setWidth(50)
    #expect(try next.card.view != nil)
    #expect(try next.card.hasFailedUpdate)
  }

  @Test func `content whose updates fail is marked as stale after two intervals`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3)),"refreshAfter":60}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed"}"#
    world.pass(.seconds(118), step: .seconds(1))
    #expect(try !world.card.isStale)
    world.pass(.seconds(5), step: .seconds(1))
    #expect(try world.card.isStale)
  }

  @Test func `an update is due as often as the widget requests`() throws {
    let world = try world(#"{"result":"noData","refreshAfter":60}"#)
    let widget = try world.open()
    world.pass(.seconds(301), step: .seconds(1))
    #expect(
      try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason)
        == [.appear, .schedule, .schedule, .schedule, .schedule, .schedule]
    )
  }

  @Test func `a late answer does not answer the next update`() throws {
    let world = try world("")
    world.answers["widgetPerformUpdate"] = nil
    let widget = try world.open()
    world.pass(.seconds(31), step: .seconds(1))
    #expect(world.updates == [.failed])
    #expect(try world.card.message == "No answer in 30 s")
    world.center.updates.refresh(nil)
    world.settle()
    let first = try #require(
      widget.received.compactMap { line -> Int? in
        guard case .request(.number(let id), "widgetPerformUpdate") = line.kind else { return nil }
        return id
      }.first
    )
    widget.say(#"{"jsonrpc":"2.0","id":\#(first),"result":{"result":"newData","view":"late"}}"#)
    world.settle()
    #expect(world.updates == [.failed])
    #expect(world.picture.first == "row 1")
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"in time"}"#)
    world.settle()
    #expect(world.updates == [.failed, .newData])
    #expect(world.picture.first == "in time")
  }

  @Test("a widget whose process has ended is updated on schedule")
  func updatesAfterAnEnd() throws {
    let world = try world(#"{"result":"noData","refreshAfter":60}"#)
    let widget = try world.open()
    world.pass(.seconds(10), step: .seconds(1))
    widget.crash()
    world.pass(.seconds(10), step: .seconds(1))
    #expect(world.runs.count == 2)
    let count = world.updates.count
    world.pass(.seconds(130), step: .seconds(1))
    #expect(world.updates.count == count + 2)
  }

  @Test("the interval of the bundle applies if the widget requests none")
  func bundleInterval() throws {
    let answer = #"{"result":"newData","view":"a"}"#
    let world = try EngineWorld(
      ["widgetPerformUpdate": answer],
      bundle: "TodayRefreshInterval = 120;"
    )
    try world.open()
    world.pass(.seconds(119), step: .seconds(1))
    #expect(world.updates.count == 1)
    world.pass(.seconds(30), step: .seconds(1))
    #expect(world.updates.count == 2)
    try world.widget.answers["widgetPerformUpdate"] =
      #"{"result":"newData","view":"b","refreshAfter":600}"#
    world.pass(.seconds(150), step: .seconds(1))
    #expect(world.updates.count == 3)
    world.pass(.seconds(300), step: .seconds(1))
    #expect(world.updates.count == 3)
  }

  @Test func `a second answer to one request is dropped`() throws {
    let world = try world(#"{"result":"newData","view":"once"}"#)
    let widget = try world.open()
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"twice"}"#)
    world.settle()
    #expect(world.picture == ["once"])
    #expect(world.updates == [.newData])
  }

  @Test func `a view beyond a limit is refused and the content stays`() async throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3))}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] =
      #"{"result":"newData","view":\#(stack(5_000))}"#
    world.center.updates.refresh(nil)
    world.settle()
    try await world.finishReading()
    #expect(world.updates == [.newData, .failed])
    #expect(world.picture == ["row 1", "row 2", "row 3"])
  }
}
