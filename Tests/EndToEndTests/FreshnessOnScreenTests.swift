import FoundationEssentials
import Testing
import WidgetTestSupport

/// The page with a widget that answers once and then never again.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct FreshnessOnScreenTests {
  @Test(
    "3 seconds after a missed update the heading shows the age in seconds",
    arguments: ["C.UTF-8", "C"]
  )
  func hangs(locale: String) throws {
    let world = try TestWorld(fixtures: ["Hanging"])
    try world.saveConfiguration(
      #"{"schedule": {"floorSeconds": 2}, "deadlines": {"widgetPerformUpdateSeconds": 6}}"#
    )
    let terminal = try world.openDashboard(
      columns: 60,
      rows: 24,
      variables: ["LANG": locale, "NO_COLOR": "1"]
    )
    try terminal.waitForText("answered once")
    let start = ContinuousClock.now
    try terminal.waitForText("updating")
    try terminal.wait(for: "the age in seconds") { screen in
      screen.rows.contains { $0.contains(/Hanging.* [3-7] s/) }
    }
    // Due 2 s after its answer, so missed until 5 s after it; the rest is for a busy machine.
    #expect(start.duration(to: .now) < .seconds(7))
    try terminal.waitForText("No answer in 6 s")
    #expect(terminal.screen.rows.contains { $0.contains(/Hang.*No answer in 6 s.* [0-9]+ s/) })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
