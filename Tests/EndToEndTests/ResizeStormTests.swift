import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// A terminal that changes its size a thousand times per second costs little, and keys are
/// handled meanwhile.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ResizeStormTests {
  /// Seconds of CPU time that a process has used (proc_pid_stat(5)).
  private func cpuSeconds(_ pid: Int32) -> Double {
    let file = FileManager.default.contents(atPath: "/proc/\(pid)/stat") ?? Data()
    let fields =
      String(decoding: file, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ").compactMap { Double($0) } ?? []
    // The state is no number; what remains begins with the fourth field; utime and stime are the 14th and 15th.
    return fields.count > 12 ? (fields[10] + fields[11]) / Double(sysconf(Int32(_SC_CLK_TCK))) : 0
  }

  @Test("a storm of SIGWINCH takes less than 30 % of a core", arguments: [false, true])
  func storm(changesSize: Bool) throws {
    let world = try TestWorld(fixtures: ["Good", "Ticking", "Counting"])
    let terminal = try world.openDashboard(columns: 200, rows: 50)
    try terminal.waitForText("updates: 1")
    let program = try #require(terminal.pid)
    let before = cpuSeconds(program)
    let start = ContinuousClock.now
    var count = 0
    while start.duration(to: .now) < .seconds(3) {
      if changesSize {
        try terminal.resize(columns: 200 - count % 20, rows: 50)
      } else {
        kill(program, SIGWINCH)
      }
      count += 1
      let next = start + .milliseconds(count)
      while .now < next { try terminal.pump(until: next) }
    }
    #expect(count > 1_000)
    let share = (cpuSeconds(program) - before) / (start.duration(to: .now) / .seconds(1))
    #expect(share < 0.3)
    try terminal.resize(columns: 150, rows: 40)
    let asked = ContinuousClock.now
    try terminal.type("?")
    try terminal.waitForText("next, previous card")
    #expect(asked.duration(to: .now) < .seconds(1))
    try terminal.type("x")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
