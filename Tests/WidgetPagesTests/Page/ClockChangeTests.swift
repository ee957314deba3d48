import Foundation
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// What a page shows after the clock or the zone of the system was set.
struct ClockChangeTests {
  @Test(arguments: [true, false])
  func `a text with the time is drawn anew when the clock is set back`(isTold: Bool) throws {
    var layout = CardLayout()
    layout.setWidth(20)
    let view = ViewNode.Content.date(DateContent(date: nil, display: .time, timeZone: "UTC"))
    _ = layout.apply(ContentUpdate(view: ViewNode(view)))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    var environment = LayoutEnvironment(now: now)
    let before = layout.laidOut(rows: nil, in: environment)
    environment.now = now.addingTimeInterval(-3600)
    if isTold { layout.invalidate() }
    let after = layout.laidOut(rows: nil, in: environment)
    #expect(before.nextChange == now.addingTimeInterval(1))
    #expect(after.nextChange == now.addingTimeInterval(-3599))
  }

  @Test func `a time zone is that to which a path in TZ leads`() {
    #expect(TimeZoneName.current(["TZ": ":/usr/share/zoneinfo/Asia/Tokyo"]) == "Asia/Tokyo")
    #expect(TimeZoneName.current(["TZ": ":Asia/Tokyo"]) == "Asia/Tokyo")
    #expect(TimeZoneName.current(["TZ": ":/etc/localtime"]) == TimeZoneName.current([:]))
  }

  @Test(arguments: [
    "", ":", "Nowhere/City", ":Nowhere/City", "/nowhere/zoneinfo/Asia/Tokyo", "../../etc/passwd",
    "Asia/Tokyo\n", "\u{9B}31m", "EST5EDT,M99.1.0",
  ])
  func `a TZ that is empty or names no zone is UTC`(zone: String) {
    #expect(TimeZoneName.current(["TZ": zone]) == "UTC")
  }

  @Test(arguments: ["CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30", "Asia/Tokyo"])
  func `a rule or a name in TZ is the zone`(zone: String) {
    #expect(TimeZoneName.current(["TZ": zone]) == zone)
  }

  // MARK: - Ages

  private func age(_ world: EngineWorld) throws -> Double {
    world.clock.date.timeIntervalSince(try #require(try world.card.ageDate))
  }

  @Test(arguments: [-3600.0, 7200.0, -31_536_000.0, 31_536_000.0])
  func `a card is as old as before when the clock is set`(shift: Double) throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    try world.open()
    world.pass(.seconds(300), step: .seconds(1))
    let before = try age(world)
    #expect(before > 290)
    world.clock.setDate(world.clock.date.addingTimeInterval(shift))
    world.settle()
    #expect(abs(try age(world) - before) < 1)
    world.pass(.seconds(60), step: .seconds(1))
    #expect(abs(try age(world) - before - 60) < 2)
  }

  @Test func `a card is older by the time that the machine has slept`() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    try world.open()
    world.pass(.seconds(300), step: .seconds(1))
    let before = try age(world)
    world.clock.sleep(for: .seconds(7200))
    world.settle()
    #expect(abs(try age(world) - before - 7200) < 1)
  }
}

/// The zone of the system, which is a link that is replaced.
@MainActor final class ZoneFollowerTests {
  private let folder = NSTemporaryDirectory() + "zone-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    link("Europe/Berlin")
  }

  isolated deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func link(_ zone: String) {
    symlink("/usr/share/zoneinfo/" + zone, folder + "/new")
    rename(folder + "/new", folder + "/localtime")
  }

  private func isNoticed(_ environment: [String: String], within seconds: Int) async -> Bool {
    let (changes, report) = AsyncStream.makeStream(of: Bool.self)
    let follower = ZoneFollower(environment, localPath: folder + "/localtime", clock: SystemClock())
    {
      report.yield(true)
    }
    follower.start()
    link("Asia/Kolkata")
    let deadline = Task {
      try await Task.sleep(for: .seconds(seconds))
      report.finish()
    }
    var noticed = false
    for await change in changes {
      noticed = change
      break
    }
    deadline.cancel()
    withExtendedLifetime(follower) {}
    return noticed
  }

  @Test func `another zone of the system is noticed`() async {
    #expect(await isNoticed([:], within: 20))
  }

  @Test func `a path in TZ is followed, and a name is not`() async {
    #expect(await isNoticed(["TZ": ":" + folder + "/localtime"], within: 20))
    link("Europe/Berlin")
    #expect(await !isNoticed(["TZ": "Europe/Berlin"], within: 2))
  }
}
