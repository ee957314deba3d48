import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Background updates, several hosts on one disk, requests from outside, and sleep.
struct SeveralHostsTests {
  private static let update = #"{"result":"newData","view":\#(stack(2)),"refreshAfter":60}"#

  private func world(_ folder: BundleFolder? = nil, _ update: String = update) throws -> EngineWorld
  {
    try EngineWorld(["widgetPerformUpdate": update], folder: folder)
  }

  @Test("a card that is not visible is updated at its minimum interval")
  func updatesInTheBackground() throws {
    let world = try world()
    try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(3600), step: .seconds(5))
    let reasons = try world.runs.flatMap { try $0.messages(WidgetPerformUpdateRequest.self) }
      .map(\.reason)
    #expect(reasons.first == .appear)
    // Eleven; fewer where a process that another test starts has a copy of the lock for a moment
    // before its exec: virtual minutes go by meanwhile.
    #expect((5...12).contains(reasons.dropFirst().count { $0 == .schedule }), "\(reasons)")
  }

  @Test("a card that is not visible is updated about as often as its budget allows")
  func spreadsTheDay() throws {
    let world = try world(nil, #"{"result":"newData","view":\#(stack(2)),"refreshAfter":300}"#)
    try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(10), step: .seconds(1))
    // What a person asks for is not charged.
    for _ in 0..<10 {
      world.center.updates.refresh(nil)
      world.settle()
    }
    var gaps: [Double] = []
    var last = world.clock.now
    while gaps.reduce(0, +) < 24 * 3600 {
      let count = world.updates.count
      while world.updates.count == count, last.duration(to: world.clock.now) < .seconds(4_000) {
        world.pass(.seconds(20), step: .seconds(20))
      }
      gaps.append(last.duration(to: world.clock.now).seconds)
      last = world.clock.now
    }
    #expect(gaps.prefix(4).allSatisfy { $0 <= 360 }, "\(gaps)")
    // The time of a copy of the lock that a process started by another test has for a moment.
    #expect(gaps.allSatisfy { $0 <= 24 * 3600 / 70 + 120 }, "\(gaps)")
    #expect(gaps.count <= 75)
  }

  @Test("a widget without updates is never started in the background")
  func leavesOthersAlone() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(20), step: .seconds(1))
    let heard = widget.received.count
    world.pass(.seconds(500), step: .seconds(5))
    #expect(widget.received.count == heard)
    #expect(world.runs.count == 1)
  }

  @Test("of two hosts one makes the scheduled update, and the other shows its view")
  func sharesUpdates() async throws {
    let first = try world()
    try first.open()
    await eventually("a watch for this user") {
      first.pass(.milliseconds(100))
      return first.center.follower.isFollowing
    }
    let second = try world(first.folder)
    try second.open()
    second.runs[0].answers["widgetPerformUpdate"] =
      #"{"result":"newData","view":\#(stack(5, "other")),"refreshAfter":60}"#
    // The second host's clock goes ahead: it makes the update, and the first hears of it.
    second.pass(.seconds(61), step: .seconds(1))
    #expect(second.updates.count == 2)
    first.clock.advance(by: .milliseconds(59_500))
    await eventually("the other's picture") {
      first.settle()
      return first.picture.first == "other 1"
    }
    first.pass(.seconds(20), step: .seconds(1))
    #expect(first.updates.count == 1)
    #expect(first.rows == 5)
  }

  /// A page on the same disk as another one, with the same clock.
  private func host(
    beside first: EngineWorld,
    _ answers: [String: String],
    first view: String = "",
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> EngineWorld {
    try EngineWorld(answers, first: view, folder: first.folder) {
      $0.clock = first.clock
      configure(&$0)
    }
  }

  /// A page that watches the changes of others.
  private func follow(_ world: EngineWorld) async {
    await eventually("a watch for this user") {
      world.pass(.milliseconds(100))
      return world.center.follower.isFollowing
    }
  }

  @Test("pages of all widths show the newest view of any host")
  func sharesPictures() async throws {
    let narrow = try world()
    try narrow.open(innerWidth: 38)
    await follow(narrow)
    let wide = try host(beside: narrow, ["widgetPerformUpdate": Self.update])
    try wide.open(innerWidth: 98)
    await follow(wide)
    for (number, maker) in [wide, narrow, wide, narrow].enumerated() {
      for _ in 0..<20 {
        narrow.pass(.seconds(1), step: .seconds(1))
        wide.settle()
      }
      // Its process may be started again: the other page has written the same bundle again.
      maker.answers["widgetPerformUpdate"] =
        #"{"result":"newData","view":\#(stack(3, "round\(number)"))}"#
      try maker.widget.answers = maker.answers
      maker.center.updates.refresh(nil)
      await eventually("round \(number) on both") {
        narrow.settle()
        wide.settle()
        return [narrow, wide].allSatisfy { $0.picture.first == "round\(number) 1" }
      }
    }
    // The next start shows the newest at any width, before anything is started.
    let next = try host(beside: narrow, [:])
    next.center.load()
    next.center.screen.setWidth(63)
    #expect(next.picture.first == "round3 1")
    #expect(next.rows == 3)
  }

  @Test("a view pushed in one host is shown by the others")
  func sharesPushes() async throws {
    let first = try EngineWorld(first: #","view":\#(stack(2))"#)
    try first.open()
    await follow(first)
    let second = try host(beside: first, [:], first: #","view":\#(stack(2))"#)
    try second.open(innerWidth: 80).notify("setView", #"{"view":\#(stack(2, "pushed"))}"#)
    await eventually("the other's push") {
      first.pass(.milliseconds(100))
      second.settle()
      return first.picture.first == "pushed 1"
    }
  }

  @Test("a card whose process has ended shows the newest view too")
  func followsWithoutAProcess() async throws {
    let first = try world()
    try first.open()
    await follow(first)
    for _ in 0..<6 {
      try first.widget.crash()
      first.pass(.seconds(20), step: .seconds(1))
    }
    #expect(try first.card.state == .stopped)
    let second = try host(
      beside: first,
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2, "other"))}"#]
    )
    try second.open(innerWidth: 80)
    await eventually("the other's picture") {
      first.settle()
      second.settle()
      return first.picture.first == "other 1"
    }
  }

  @Test("a host with another locale neither shows the view nor counts the update")
  func keepsLocalesApart() async throws {
    let english = try world()
    try english.open()
    await follow(english)
    let danish = try host(
      beside: english,
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2, "dansk"))}"#]
    ) { $0.environment["LANG"] = "da_DK.UTF-8" }
    try danish.open()
    let updates = english.updates.count
    for _ in 0..<10 {
      english.pass(.seconds(8), step: .seconds(1))
      danish.center.updates.refresh(nil)
      danish.settle()
      await eventually("the history to be looked at") {
        english.settle()
        return english.center.resources.histories.read(EngineWorld.id).picture?.key.hasSuffix(
          "da_DK"
        ) == true
      }
    }
    #expect(english.picture.first == "row 1")
    #expect(english.updates.count > updates, "it goes on by its own schedule")
    for (locale, word) in [("en", "row 1"), ("da_DK", "dansk 1")] {
      let next = try host(beside: english, [:]) { $0.environment["LANG"] = locale }
      next.center.load()
      next.center.screen.setWidth(50)
      #expect(next.picture.first == word)
    }
  }

  @Test("a history whose snapshot is missing does not count as an update")
  func distrustsHistoriesAlone() throws {
    let first = try world()
    try first.open()
    first.center.shutdown {}
    first.pass(.seconds(3))
    try FileManager.default.removeItem(atPath: first.center.folders.snapshots)
    let second = try host(beside: first, ["widgetPerformUpdate": Self.update]) {
      $0.schedulesUpdates = false
    }
    second.center.load()
    second.center.screen.setWidth(80)
    #expect(second.center.updates.isDue(EngineWorld.id))
    let third = try host(beside: first, ["widgetPerformUpdate": Self.update])
    try third.open()
    third.center.shutdown {}
    third.pass(.seconds(3))
    let fourth = try host(beside: first, [:]) { $0.schedulesUpdates = false }
    fourth.center.load()
    fourth.center.screen.setWidth(80)
    #expect(!fourth.center.updates.isDue(EngineWorld.id))
  }

  @Test("a timeline received by another host is followed")
  func sharesTimelines() async throws {
    let first = try world()
    try first.open()
    await follow(first)
    let date = first.clock.date
    func entry(_ seconds: Double, _ word: String) -> String {
      let text = date.addingTimeInterval(seconds).formatted(.iso8601)
      return #"{"date":"\#(text)","view":\#(stack(2, word))}"#
    }
    let entries = [entry(-3600, "present"), entry(120, "later")].joined(separator: ",")
    let timeline = #"{"entries":[\#(entries)],"policy":"never"}"#
    let second = try host(
      beside: first,
      ["widgetPerformUpdate": #"{"result":"newData","timeline":\#(timeline)}"#]
    )
    try second.open(innerWidth: 80)
    await eventually("the present entry") {
      first.settle()
      second.settle()
      return first.picture.first == "present 1"
    }
    first.pass(.seconds(130), step: .seconds(1))
    #expect(first.picture.first == "later 1")
    #expect(first.updates.count == 1)
  }

  @Test("refresh every 8 seconds neither suppresses the updates of a page nor leaves it behind")
  func survivesStatusBars() async throws {
    let page = try world()
    try page.open(innerWidth: 98)
    await follow(page)
    for number in 0..<6 {
      page.pass(.seconds(8), step: .seconds(1))
      let bar = try host(
        beside: page,
        ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2, "bar\(number)"))}"#]
      ) { $0.schedulesUpdates = false }
      bar.center.screen.setWidth(38)
      bar.center.start(only: [EngineWorld.id])
      bar.settle()
      bar.center.shutdown {}
      bar.settle()
      await eventually("the status bar's picture") {
        page.settle()
        return page.picture.first == "bar\(number) 1"
      }
      #expect(try !page.card.isStale && !page.card.hasMissedUpdate)
    }
  }

  @Test("a page that has not noticed the content flag does not restore a snapshot")
  func bringsNothingBack() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(stack(2, "old"))}"#)
    world.settle()
    try world.center.contentFlags.set(false, for: EngineWorld.id)
    // The push is kept after a moment, and what is shown when the program ends.
    world.clock.advance(by: .seconds(2))
    world.center.store.drain()
    #expect(try world.snapshotFiles().isEmpty)
    world.center.shutdown {}
    world.pass(.seconds(3))
    try world.center.contentFlags.set(true, for: EngineWorld.id)
    #expect(try world.snapshotFiles().isEmpty)
  }

  @Test("a scheduled update that another host is making is not repeated")
  func waitsForTheOther() throws {
    let world = try world()
    try world.open()
    let path = "\(world.center.folders.locks)/com.example.A.lock"
    guard case .held(let lock) = RefreshLock.attempt(path) else {
      Issue.record("the lock is not free")
      return
    }
    world.pass(.seconds(70), step: .seconds(1))
    #expect(world.updates.count == 1)
    withExtendedLifetime(lock) {}
    world.center.updates.refresh(nil)
    world.settle()
    // What a person asks for needs no right.
    #expect(world.updates.count == 2)
  }

  /// The view appears within effects of the session, which takes the request after them.
  @Test func `the update of a view that has appeared keeps the lock until its result is written`()
    async throws
  {
    let world = try EngineWorld(hearing: ["widgetPerformUpdate"])
    let widget = try world.open()
    let path = "\(world.center.folders.locks)/com.example.A.lock"
    #expect(widget.methods.contains("widgetPerformUpdate"))
    guard case .busy = RefreshLock.attempt(path) else {
      Issue.record("another host can take the lock")
      return
    }
    widget.answer("widgetPerformUpdate", Self.update)
    world.settle()
    await eventually("the lock to be free") {
      if case .held = RefreshLock.attempt(path) { true } else { false }
    }
    #expect(world.center.page.controllers[0].state.updates.schedule.history.lastGood != nil)
  }

  @Test("a request from outside is one update with the reason event")
  func takesRequests() async throws {
    let world = try world()
    let widget = try world.open()
    try ReloadRequests(world.center.folders).ask(EngineWorld.id)
    try await eventually("the update") {
      world.settle()
      return try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason) == [
        .appear, .event,
      ]
    }
    #expect(!ReloadRequests(world.center.folders).isPending(EngineWorld.id))
  }

  @Test("after a sleep content is updated before it is marked as stale, once")
  func catchesUpAfterSleep() throws {
    let world = try world()
    try world.open()
    world.pass(.seconds(10), step: .seconds(1))
    world.clock.sleep(for: .seconds(8 * 3600))
    #expect(try !world.card.isStale)
    world.pass(.seconds(5), step: .milliseconds(100))
    #expect(world.updates.count == 2)
    #expect(try !world.card.isStale)
    world.pass(.seconds(50), step: .seconds(1))
    #expect(world.updates.count == 2)
  }

  @Test("after a sleep a widget that hangs is stale once its update has failed")
  func isStaleAfterAll() throws {
    let world = try world()
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    world.clock.sleep(for: .seconds(8 * 3600))
    world.pass(.seconds(5), step: .seconds(1))
    #expect(try !world.card.isStale)
    world.pass(.seconds(40), step: .seconds(1))
    #expect(try world.card.isStale)
  }

  @Test("setting the wall clock breaks no timer", arguments: [-1e7, 1e7])
  func survivesTheWallClock(seconds: Double) throws {
    let world = try world()
    try world.open()
    world.clock.setDate(world.clock.date.addingTimeInterval(seconds))
    world.pass(.seconds(130), step: .seconds(1))
    #expect((2...4).contains(world.updates.count))
  }
}
