import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

/// Updates in the background, several hosts on one disk, requests from outside, and sleep.
struct SeveralHostsTests {
  private static let update = #"{"result":"newData","view":\#(stack(2)),"refreshAfter":60}"#

  private func world(_ folder: BundleFolder? = nil, _ update: String = update) throws -> EngineWorld
  {
    try EngineWorld(["widgetPerformUpdate": update], folder: folder)
  }

  @Test("D2: a card off the screen is updated in the background, as often as its floor allows")
  func updatesInTheBackground() throws {
    let world = try world()
    try world.open()
    world.center.setVisible([])
    world.pass(.seconds(3600), step: .seconds(5))
    let reasons = try world.runs.flatMap { try $0.messages(WidgetPerformUpdateRequest.self) }
      .map(\.reason)
    #expect(reasons.first == .appear)
    // Eleven; fewer where a process that another test starts has a copy of the lock for a moment
    // before its exec: virtual minutes go by meanwhile.
    #expect((5...12).contains(reasons.dropFirst().count { $0 == .schedule }), "\(reasons)")
  }

  @Test("off the screen a widget never rests for much longer than its budget's spacing")
  func spreadsTheDay() throws {
    let world = try world(nil, #"{"result":"newData","view":\#(stack(2)),"refreshAfter":300}"#)
    try world.open()
    world.center.setVisible([])
    world.pass(.seconds(10), step: .seconds(1))
    // What a person asks for is not charged.
    for _ in 0..<10 {
      world.center.refresh(nil)
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

  @Test("D1: a widget without updates is never woken in the background")
  func leavesOthersAlone() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    world.center.setVisible([])
    world.pass(.seconds(20), step: .seconds(1))
    let heard = widget.received.count
    world.pass(.seconds(500), step: .seconds(5))
    #expect(widget.received.count == heard)
    #expect(world.runs.count == 1)
  }

  @Test("of two hosts one makes the scheduled update, and the other takes its picture over")
  func sharesUpdates() async throws {
    let first = try world()
    try first.open()
    await eventually("a watch for this user") {
      first.pass(.milliseconds(100))
      return first.center.watch != nil
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

  @Test("a scheduled update that another host makes just now is not made again")
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
    world.center.refresh(nil)
    world.settle()
    // What a person asks for needs no right.
    #expect(world.updates.count == 2)
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

  @Test("a sleep makes nothing stale before its update, and is caught up once")
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

  @Test("after a sleep a widget that hangs is stale when its update has failed")
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

  @Test("a wall clock that is set breaks no timer", arguments: [-1e7, 1e7])
  func survivesTheWallClock(seconds: Double) throws {
    let world = try world()
    try world.open()
    world.clock.setDate(world.clock.date.addingTimeInterval(seconds))
    world.pass(.seconds(130), step: .seconds(1))
    #expect((2...4).contains(world.updates.count))
  }
}
