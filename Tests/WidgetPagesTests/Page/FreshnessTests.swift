import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Old content never looks fresh: the heading after a missed and during an update.
@Suite struct FreshnessTests {
  private func world(
    _ wish: Double? = 15,
    first: String = #","view":\#(stack(2))"#,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> EngineWorld {
    let wish = wish.map { #","refreshAfter":\#($0)"# } ?? ""
    return try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(3, "new"))\#(wish)}"#],
      first: first,
      configure: configure
    )
  }

  /// The state in the heading at each second: updating, missed, stale.
  private func signs(_ world: EngineWorld, seconds: Int) throws -> [String] {
    try (1...seconds).map { _ in
      world.pass(.seconds(1), step: .milliseconds(100))
      let card = try world.card
      return (card.isUpdating ? "u" : "-") + (card.hasMissedUpdate ? "m" : "-")
        + (card.isStale ? "s" : "-")
    }
  }

  @Test("a widget that hangs is shown as late within 3 seconds, and as stale after two intervals")
  func hangs() throws {
    let world = try world()
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    let signs = try signs(world, seconds: 60)
    #expect(signs[0..<15].allSatisfy { $0 == "---" }, "\(signs)")
    #expect(signs[15] == "u--", "\(signs)")
    #expect(signs[17..<29].allSatisfy { $0 == "um-" }, "\(signs)")
    #expect(signs[31..<44].allSatisfy { $0 == "ums" }, "\(signs)")
    // It failed, and is asked again 15 s later: its content does not become any fresher. When that
    // is varies by some seconds, since another test's process may have a copy of the lock.
    #expect(signs[44..<60].allSatisfy { $0.hasSuffix("ms") }, "\(signs)")
    #expect(signs.last == "-ms", "\(signs)")
    #expect(try world.card.message == "No answer in 30 s")
    widget.answers["widgetPerformUpdate"] = #"{"result":"newData","view":"back"}"#
    world.center.updates.refresh(nil)
    world.pass(.seconds(31), step: .seconds(1))
    #expect(world.updates.last == .newData)
    #expect(try !world.card.isUpdating && !world.card.hasMissedUpdate && !world.card.isStale)
  }

  @Test(
    "a widget that answers at once is never late, and causes no wake-ups for its age",
    arguments: [2.0, 15, 3600, nil]
  )
  func isHealthy(wish: Double?) throws {
    let world = try world(wish) { $0.schedule.floor = .seconds(1) }
    try world.open()
    for _ in 0..<100 {
      world.pass(.seconds(1), step: .milliseconds(100))
      #expect(try !world.card.isUpdating && !world.card.hasMissedUpdate && !world.card.isStale)
      #expect(world.center.page.controllers[0].state.updates.watch.due == nil)
    }
    #expect(world.updates.count > (wish == 2 ? 30 : 0))
  }

  @Test func `stored content becomes stale by time, for a command that starts nothing`() throws {
    let page = try world(900)
    try page.open()
    page.center.shutdown {}
    page.pass(.seconds(3))
    func isStale() throws -> Bool {
      let command = try EngineWorld(folder: page.folder) {
        $0.clock = page.clock
        $0.schedulesUpdates = false
      }
      command.center.load()
      command.center.screen.setWidth(78)
      command.center.updates.checkAges()
      #expect(command.runs.isEmpty)
      #expect(command.picture.first == "new 1")
      return try command.card.isStale
    }
    #expect(try !isStale())
    page.clock.advance(by: .seconds(1_780))
    #expect(try !isStale())
    page.clock.advance(by: .seconds(30))
    #expect(try isStale())
  }

  @Test("a missed update sets no timer for a card that is not visible")
  func offTheScreen() throws {
    let world = try world()
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(6), step: .seconds(1))
    widget.answers["widgetPerformUpdate"] = nil
    world.pass(.seconds(400), step: .seconds(1))
    #expect(world.center.page.controllers[0].state.updates.watch.due == nil)
    world.center.screen.setVisible([EngineWorld.id])
    world.settle()
    #expect(try world.card.hasMissedUpdate)
  }

  @Test("content confirmed by noData counts as new until the next update is missed")
  func noData() throws {
    let world = try world()
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData","refreshAfter":15}"#
    let healthy = try signs(world, seconds: 100)
    #expect(healthy.allSatisfy { $0 == "---" }, "\(healthy)")
    widget.answers["widgetPerformUpdate"] = nil
    world.pass(.seconds(18), step: .milliseconds(100))
    #expect(try world.card.hasMissedUpdate)
    #expect(try !world.card.isStale)
  }

  @Test func `what is shown with a failure has no age where there never was a good update`() throws
  {
    let failed = #"{"result":"failed","error":"no connection"}"#
    let world = try EngineWorld(["widgetPerformUpdate": failed], first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    world.pass(.seconds(20), step: .seconds(1))
    #expect(try world.card.view != nil && world.card.hasFailedUpdate)
    #expect(try world.card.ageDate == nil)
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData","refreshAfter":15}"#
    world.pass(.seconds(60), step: .seconds(1))
    #expect(try world.card.ageDate != nil && !world.card.hasFailedUpdate)
  }

  @Test("the age of content counts from the last update that found it correct")
  func confirms() throws {
    let world = try world()
    let widget = try world.open()
    let made = try #require(try world.card.contentDate)
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData","refreshAfter":15}"#
    world.pass(.seconds(100), step: .seconds(1))
    #expect(try world.card.contentDate == made)
    let confirmed = try #require(try world.card.ageDate)
    #expect(world.clock.date.timeIntervalSince(confirmed) <= 16)
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed"}"#
    world.pass(.seconds(100), step: .seconds(1))
    let last = try #require(try world.card.ageDate)
    #expect(world.clock.date.timeIntervalSince(last) >= 85, "a failure confirms nothing")
    world.center.shutdown {}
    world.pass(.seconds(3))
    // The next start knows it too, until the wall clock is set back.
    let next = try EngineWorld([:], folder: world.folder) { $0.clock = world.clock }
    next.center.load()
    next.center.screen.setWidth(50)
    #expect(try next.card.contentDate == made)
    #expect(try next.card.ageDate == last)
    world.clock.setDate(made)
    let past = try EngineWorld([:], folder: world.folder) { $0.clock = world.clock }
    past.center.load()
    past.center.screen.setWidth(50)
    #expect(try past.card.ageDate == made)
  }

  @Test("a failed update counts as missed, also before it is retried")
  func fails() throws {
    let world = try world(600)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.center.updates.refresh(nil)
    world.settle()
    #expect(try world.card.hasMissedUpdate)
    world.pass(.seconds(14), step: .seconds(1))
    #expect(try world.card.hasMissedUpdate)
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData"}"#
    world.pass(.seconds(10), step: .seconds(1))
    #expect(try !world.card.hasMissedUpdate)
  }

  @Test("an update requested by the user is shown after a second, not before")
  func isUpdating() throws {
    let world = try world(600)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    world.center.updates.refresh(nil)
    world.pass(.milliseconds(900))
    #expect(try !world.card.isUpdating)
    world.pass(.milliseconds(300))
    #expect(try world.card.isUpdating)
    #expect(try !world.card.hasMissedUpdate)
    // One that follows it has its own second.
    world.center.updates.refresh(nil)
    widget.answer("widgetPerformUpdate", #"{"result":"noData","refreshAfter":600}"#)
    world.settle()
    #expect(try !world.card.isUpdating)
    world.pass(.seconds(2))
    #expect(try world.card.isUpdating)
    widget.answer("widgetPerformUpdate", #"{"result":"noData","refreshAfter":600}"#)
    world.settle()
    #expect(try !world.card.isUpdating)
    #expect(world.center.page.controllers[0].state.updates.watch.due == nil)
  }

  @Test("an update of another host is shown as in progress")
  func otherHost() throws {
    let world = try world()
    try world.open()
    let path = "\(world.center.folders.locks)/com.example.A.lock"
    var lock: RefreshLock?
    if case .held(let held) = RefreshLock.attempt(path) { lock = held }
    #expect(lock != nil)
    world.pass(.seconds(18), step: .milliseconds(100))
    #expect(try world.card.isUpdating)
    #expect(try world.card.hasMissedUpdate)
    lock = nil
    world.pass(.seconds(2), step: .milliseconds(100))
    #expect(world.updates.count == 2)
    #expect(try !world.card.isUpdating && !world.card.hasMissedUpdate)
  }

  @Test("a widget that only pushes never misses an update")
  func pushes() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    let widget = try world.open()
    world.pass(.seconds(100), step: .seconds(1))
    widget.notify("setView", #"{"view":\#(stack(3))}"#)
    let signs = try signs(world, seconds: 100)
    #expect(signs.allSatisfy { $0 == "---" })
  }

  @Test("with a timeline no update is missed before the date of its policy")
  func timeline() throws {
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    let after = start.addingTimeInterval(3600).formatted(.iso8601)
    let entry = #"{"date":"\#(start.formatted(.iso8601))","view":\#(stack(2))}"#
    let world = try EngineWorld([
      "widgetPerformUpdate":
        #"{"result":"newData","timeline":{"entries":[\#(entry)],"policy":{"after":"\#(after)"}}}"#
    ])
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    world.pass(.seconds(3598), step: .seconds(2))
    #expect(try !world.card.hasMissedUpdate && !world.card.isStale)
    world.pass(.seconds(5))
    #expect(try world.card.hasMissedUpdate)
  }

  @Test("after a sleep old content is marked at once, and the update follows")
  func sleeps() throws {
    let world = try world(60)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    world.clock.sleep(for: .seconds(70))
    #expect(try world.card.hasMissedUpdate)
    world.pass(.seconds(2))
    #expect(try world.card.isUpdating)
    #expect(try !world.card.isStale)
  }

  @Test("a page without a schedule computes ages on request")
  func headless() throws {
    let first = try world()
    try first.open()
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try EngineWorld(folder: first.folder) { $0.schedulesUpdates = false }
    second.center.load()
    second.center.screen.setWidth(40)
    second.settle()
    #expect(try !second.card.hasMissedUpdate)
    // Nothing looks at it by itself; off the screen it would be asked every five minutes.
    second.clock.advance(by: .seconds(400))
    #expect(try !second.card.hasMissedUpdate)
    second.center.updates.checkAges()
    #expect(try second.card.hasMissedUpdate)
  }
}
