import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// What is stored of a card, and when.
struct SnapshotKeepingTests {
  private func kept(_ world: EngineWorld) throws -> Snapshot? {
    let key = try #require(world.center.page.controllers.first).state.display.snapshotKey
    world.center.store.drain()
    return SnapshotStore(folder: world.center.folders.snapshots).snapshot(for: key)
  }

  @Test("pushed views are stored soon, and then twice a minute at most")
  func keepsPushes() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    #expect(try world.snapshotFiles().isEmpty)
    widget.notify("setView", #"{"view":\#(stack(2, "first"))}"#)
    world.pass(.seconds(1))
    #expect("\(try #require(try kept(world)).view)".contains("first 1"))
    let files = try world.snapshotFiles()
    for number in 1...10 {
      let word = "push\(number)"
      widget.notify("setView", #"{"view":\#(stack(2, word))}"#)
      world.pass(.seconds(2), step: .milliseconds(500))
    }
    #expect(try world.snapshotFiles() == files)
    world.pass(.seconds(11), step: .seconds(1))
    #expect("\(try #require(try kept(world)).view)".contains("push10 1"))
    // At rest nothing is written any more.
    try FileManager.default.removeItem(atPath: world.center.folders.snapshots)
    world.pass(.seconds(300), step: .seconds(10))
    #expect(try world.snapshotFiles().isEmpty)
  }

  @Test func `the result of a press is stored at once, however often views are pushed`() throws {
    let button = #"{"type":"button","id":"b","label":"Go","action":"go"}"#
    let world = try EngineWorld(
      ["performAction": #"{"view":\#(stack(2, "pressed"))}"#],
      first: #","view":\#(button)"#
    )
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(button)}"#)
    world.pass(.seconds(1))
    widget.notify("setView", #"{"view":{"type":"vstack","children":["push",\#(button)]}}"#)
    world.pass(.seconds(1))
    try world.press(element: "b")
    world.pass(.milliseconds(600))
    #expect("\(try #require(try kept(world)).view)".contains("pressed 1"))
    // What follows may be the result of it, too.
    widget.notify("setView", #"{"view":\#(stack(2, "later"))}"#)
    world.pass(.milliseconds(600))
    #expect("\(try #require(try kept(world)).view)".contains("later 1"))
    // Not so after a while.
    world.pass(.seconds(10), step: .milliseconds(500))
    widget.notify("setView", #"{"view":\#(stack(2, "push"))}"#)
    world.pass(.seconds(2))
    #expect("\(try #require(try kept(world)).view)".contains("later 1"))
  }

  @Test("a pushed view is stored when the program ends")
  func keepsPushesAtTheEnd() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    try world.open().notify("setView", #"{"view":\#(stack(2, "push"))}"#)
    world.pass(.milliseconds(100))
    var hasEnded = false
    world.center.shutdown { hasEnded = true }
    world.pass(.seconds(3))
    #expect(hasEnded)
    #expect("\(try #require(try kept(world)).view)".contains("push 1"))
  }

  @Test("newData without a view stores the view that was pushed before")
  func keepsPushesWithoutAScreen() throws {
    let world = try EngineWorld(["widgetPerformUpdate": ""]) { $0.schedulesUpdates = false }
    // The test answers itself.
    world.answers["widgetPerformUpdate"] = nil
    world.center.load()
    world.center.screen.setWidth(78)
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    let widget = try world.widget
    widget.notify("setView", #"{"view":\#(stack(2, "push"))}"#)
    world.settle()
    widget.answer("widgetPerformUpdate", #"{"result":"newData"}"#)
    world.settle()
    #expect(world.updates == [.newData])
    #expect("\(try #require(try kept(world)).view)".contains("push 1"))
    world.center.shutdown {}
    world.pass(.seconds(3))
    #expect("\(try #require(try kept(world)).view)".contains("push 1"))
  }

  @Test("a view that was only pushed is stored when a headless command ends")
  func keepsLonelyPushes() throws {
    let world = try EngineWorld(["widgetPerformUpdate": #"{"result":"noData"}"#]) {
      $0.schedulesUpdates = false
    }
    world.center.load()
    world.center.screen.setWidth(78)
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    try world.widget.notify("setView", #"{"view":\#(stack(2, "push"))}"#)
    world.settle()
    #expect(try world.snapshotFiles().isEmpty)
    world.center.shutdown {}
    world.pass(.seconds(3))
    #expect("\(try #require(try kept(world)).view)".contains("push 1"))
  }

  @Test("a view within raised limits is shown at the next start")
  func keepsLargeViews() async throws {
    let folder = try BundleFolder()
    func world() throws -> EngineWorld {
      try EngineWorld(
        ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(5_000))}"#],
        folder: folder
      ) {
        $0.limits.view.nodes = 6_000
        $0.limits.lineBytes = 1 << 20
      }
    }
    let first = try world()
    try first.open()
    try await first.finishReading()
    #expect(first.updates == [.newData])
    first.center.store.drain()
    let second = try world()
    second.center.load()
    second.center.screen.setWidth(100)
    #expect(try second.card.view?.children.count == 5_000)
  }

  /// The names of the snapshots on disk: `.snapshot` for those that are synced, else `.snapshot.new`.
  private func endings(_ world: EngineWorld) throws -> [String] {
    try world.snapshotFiles().keys.map { $0.hasSuffix(".new") ? "new" : "synced" }.sorted()
  }

  @Test func `an open page syncs snapshots after half a minute`() async throws {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2)),"refreshAfter":3600}"#]
    )
    // Opening takes time of the test, too.
    let start = world.clock.now
    try world.open()
    #expect(try endings(world) == ["new"])
    await eventually("the sync") {
      world.pass(.seconds(1), step: .seconds(1))
      // A file may be renamed between being listed and being read.
      return (try? endings(world)) == ["synced"]
    }
    #expect(start.duration(to: world.clock.now) >= .seconds(30))
  }

  @Test func `quitting does not wait for a sync, and the next page syncs the rest`() async throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    try world.open().notify("setView", #"{"view":\#(stack(2, "last"))}"#)
    world.settle()
    var filesAtTheEnd: [String]?
    world.center.shutdown { filesAtTheEnd = try? self.endings(world) }
    world.pass(.seconds(3))
    // Written when the program goes, and not synced: that would keep the user waiting.
    #expect(filesAtTheEnd == ["new"])
    #expect("\(try #require(try kept(world)).view)".contains("last 1"))

    let next = try EngineWorld(folder: world.folder)
    next.center.load()
    await eventually("the sync") { (try? endings(next)) == ["synced"] }
    #expect("\(try #require(try kept(next)).view)".contains("last 1"))
  }

  @Test("a snapshot during a transition has the final state")
  func keepsTheSettledState() throws {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2))}"#]
    )
    let widget = try world.open()
    world.pass(.seconds(5), step: .milliseconds(100))
    widget.answers["widgetPerformUpdate"] = #"{"result":"newData","view":\#(stack(12, "tall"))}"#
    world.center.updates.refresh(nil)
    world.pass(.milliseconds(120))
    #expect((3..<12).contains(world.rows), "in the middle of it: \(world.rows)")
    let snapshot = try #require(try kept(world))
    #expect(snapshot.preferredHeight == nil)
    #expect("\(snapshot.view)".contains("tall 12"))
  }

  @Test("the live view replaces the snapshot with the same cells and height")
  func takesOverWithoutAFlash() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(5))}"#]
    )
    try first.open()
    let picture = first.picture
    first.center.shutdown {}
    first.pass(.seconds(3))

    let second = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData"}"#, "viewWillAppear": "{}"],
      first: #","view":\#(stack(5))"#,
      folder: first.folder
    )
    second.center.screen.setWidth(40)
    #expect(second.picture == picture)
    #expect(second.rows == 5)
    #expect(try second.card.state == .snapshot)
    second.center.screen.setVisible([EngineWorld.id])
    second.center.start()
    let heights = second.heights(for: .seconds(1))
    #expect(Set(heights) == [5])
    #expect(try second.card.state == .live)
    #expect(second.picture == picture)
  }
}
