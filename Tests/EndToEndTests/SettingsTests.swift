import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Settings in config.json: in a dashboard that is running, and in every command that reads them.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SettingsTests {
  private let good = "com.example.fixture.good"

  @Test func `a running dashboard follows its file, and keeps the old values while it is wrong`()
    throws
  {
    let world = try TestWorld(fixtures: ["Good", "Ticking"])
    let terminal = try world.openDashboard(columns: 120, rows: 30)
    try terminal.wait(for: "two columns") { screen in
      screen.contains("All is well") && screen.row(of: "tick ") == screen.row(of: "All is well")
    }
    let isOneColumn = { (screen: TestScreen) in
      guard let good = screen.row(of: "All is well"), let ticking = screen.row(of: "tick ")
      else { return false }
      return good != ticking
    }
    try world.saveConfiguration("{ columns: { limit: 1 }, glyphs: 'ascii' }")
    try terminal.wait(for: "one column") { isOneColumn($0) && !$0.contains("╭") }
    try world.saveConfiguration("{\n  columns: { limit: 2 },\n  glyphs: 7,\n}")
    try terminal.waitForText("config.json:3:11: glyphs: expected")
    // The right value applies, and the wrong one leaves the old one in force.
    try terminal.wait(for: "two columns again") {
      $0.row(of: "tick ") == $0.row(of: "All is well") && !$0.contains("╭")
    }
    #expect(terminal.screen.rows.first?.contains("1 problem") == true)
    try world.saveConfiguration("{\n  columns: { limit: 1 }\n  glyphs: 'auto' }")
    try terminal.waitForText("config.json:3:3: expected a comma or }")
    #expect(!terminal.screen.contains("╭"))
    try world.saveConfiguration("{ columns: { limit: 1 } }")
    try terminal.wait(for: "no problem") {
      isOneColumn($0) && $0.contains("╭") && !$0.contains("config.json")
    }
    #expect(unlink(world.configurationPath) == 0)
    try terminal.wait(for: "the defaults") { $0.row(of: "tick ") == $0.row(of: "All is well") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a running dashboard changes its colours when the theme is saved`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 80, rows: 24)
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    // Secondary text on a light background, in 256 colours.
    let light = "38;5;59m"
    #expect(!String(decoding: terminal.screen.bytes, as: UTF8.self).contains(light))
    try world.saveConfiguration("{ theme: 'light' }")
    try terminal.wait(for: "the colours of a light background") { screen in
      String(decoding: screen.bytes, as: UTF8.self).contains(light)
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `every command reports an error in the same words, and goes on`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try world.saveConfiguration("{\n  limits: { urlBytes: 'x', widgets: 9 },\n}")
    let words =
      "today: \(world.configurationPath):2:23: limits.urlBytes: expected a whole number from 64 to 65536, "
      + "found 'x'\n"
    for arguments in [
      ["list"], ["list", "--json"], ["snapshot"], ["snapshot", "--cached"], ["refresh"],
      ["refresh", "--due"], ["add", good], ["move", good, "1"], ["reload", good],
      ["has-content", good, "on"], ["log", "Good"], ["remove", good],
    ] {
      let run = try world.run(arguments)
      #expect(run.errorText.ranges(of: words).count == 1, "\(arguments): \(run.errorText)")
      #expect(run.status == .exited(code: 0), "\(arguments): \(run.errorText)")
    }
    let opened = try world.run(["open", "x-nothing:1"])
    #expect(opened.errorText.hasPrefix(words) && opened.status == .exited(code: 1))
  }

  @Test func `a command of the user opens URLs of its scheme`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    // A pipe, so that the test can wait for what the command writes.
    let pipe = "\(world.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try world.saveConfiguration(
      "{ openers: { 'x-mine': ['sh', '-c', 'echo $1 > \(pipe)', 'sh'] } }"
    )
    let run = try world.run(["open", "x-mine:some/where"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, Int32(TestDeadline.duration / .milliseconds(1))) == 1)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "x-mine:some/where\n")
  }
}
