import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Another program that writes thousands of files in the folders that the dashboard watches.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct FileStormTests {
  private let counting = "com.example.fixture.counting"

  /// Seconds of CPU time that a process and its threads have used (proc_pid_stat(5)).
  private func cpuSeconds(_ pid: Int32) throws -> Double {
    let data = try #require(FileManager.default.contents(atPath: "/proc/\(pid)/stat"))
    let text = String(decoding: data, as: UTF8.self)
    let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    let ticks = (Double(words[12]) ?? 0) + (Double(words[13]) ?? 0)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test
  func `a storm of file changes costs less than a third of a core, and loses no key and no change`()
    throws
  {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let folders = ["reload", "schedule"].map { "\(world.path)/state/today/\($0)" }
    for folder in folders {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      for number in 0..<5_000 { close(creat("\(folder)/before\(number).json", 0o600)) }
    }
    chmod("\(world.path)/state/today", 0o700)
    let terminal = try world.openDashboard(columns: 100, rows: 30)
    try terminal.waitForText("started 1 times")
    try terminal.waitForText("updates: 1")
    let pid = try #require(terminal.pid)
    let before = try cpuSeconds(pid)
    let start = ContinuousClock.now
    var number = 0
    while start.duration(to: .now) < .seconds(4) {
      for folder in folders {
        for name in ["storm\(number).json", "storm\(number % 50)", "com.example.fixture.good.json"]
        {
          close(creat("\(folder)/\(name)", 0o600))
        }
      }
      number += 1
      if number % 2_000 == 0 {
        // A key is answered in the middle of it.
        try terminal.type("?")
        try terminal.waitForText("inspect the card")
        try terminal.type("?")
        try terminal.wait(for: "the end of the help") { !$0.contains("inspect the card") }
      }
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let share = (try cpuSeconds(pid) - before) / seconds
    #expect(number > 2_000)
    #expect(share < 0.3, "\(share) of a core, \(number) rounds in \(seconds) s")
    #expect(try world.run(["has-content", counting, "off"]).status == .exited(code: 0))
    try terminal.wait(for: "the card's end") { !$0.contains("Counting") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
