import FoundationEssentials
import Testing
import WidgetTestSupport

/// No work while idle: an update without new data, and a page on which nothing is due.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct RestTests {
  private let good = "com.example.fixture.good"

  /// The properties of a file that show whether it was written: inode and times of change.
  private struct Stamp: Equatable {
    var number: UInt64
    var size: UInt64
    var date: Date
  }

  /// The files below a folder of the world with their stamps.
  private func stamps(_ world: TestWorld, _ folder: String) throws -> [String: Stamp] {
    let root = "\(world.path)/\(folder)"
    var stamps: [String: Stamp] = [:]
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] {
      // A file that is being replaced has a temporary name for a moment.
      guard let facts = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(name)") else {
        continue
      }
      stamps[name] = Stamp(
        number: (facts[.systemFileNumber] as? UInt64) ?? 0,
        size: (facts[.size] as? UInt64) ?? 0,
        date: (facts[.modificationDate] as? Date) ?? .distantPast
      )
    }
    return stamps
  }

  @Test("noData writes no snapshot and draws nothing")
  func noData() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    // A number that has changed is emphasized for 0.8 s.
    try terminal.settle(calm: .seconds(1))
    let kept = try stamps(world, "cache/today/snapshots")
    #expect(kept.count >= 2)
    let checked = try stamps(world, "state/today/schedule")
    let drawn = terminal.screen.bytes.count

    #expect(try world.run(["reload", good]).outputText == "1\n")
    // When it was asked last is noted, and nothing else.
    let deadline = TestDeadline.next
    while try stamps(world, "state/today/schedule") == checked, ContinuousClock.now < deadline {
      try terminal.pump(until: .now + .milliseconds(10))
    }
    #expect(try stamps(world, "state/today/schedule") != checked)
    try terminal.settle(calm: .milliseconds(400))
    #expect(try stamps(world, "cache/today/snapshots") == kept)
    #expect(terminal.screen.bytes.count == drawn)
    #expect(terminal.screen.contains("updates: 1"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  /// How often the threads of a process have been woken up (proc_pid_status(5)).
  private func wakeUps(_ pid: Int32) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return tasks.reduce(0) { sum, task in
      let file = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(task)/status")
      let line = String(decoding: file ?? Data(), as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test("while nothing is due, neither the program nor its widget wakes up")
  func noWakeUps() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.settle(calm: .milliseconds(400))
    let host = try #require(terminal.pid)
    let widget = try #require(ProcessList.descendants(of: host, named: "python3").first)
    // Whether a widget grew is looked at with growing pauses, up to a minute. Anything that ticks
    // every few seconds would leave no time as long as this.
    let window = Duration.seconds(4)
    let deadline = ContinuousClock.now + .seconds(60)
    var quiet: Int?
    while quiet != 0, ContinuousClock.now < deadline {
      let before = wakeUps(host) + wakeUps(widget)
      let end = ContinuousClock.now + window
      while ContinuousClock.now < end { try terminal.pump(until: end) }
      quiet = wakeUps(host) + wakeUps(widget) - before
    }
    #expect(quiet == 0)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
