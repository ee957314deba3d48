import Testing
import WidgetTestSupport

/// The runs and the log of a widget, in `today log` and the inspector.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InspectorTests {
  @Test("the inspector shows the runs and the log of a failing card, and closes")
  func looksIntoACard() throws {
    let world = try TestWorld(fixtures: ["Crashing"])
    let terminal = try world.openDashboard(columns: 110, rows: 40)
    try terminal.waitForText("exited with code 3")
    try terminal.type("i")
    try terminal.waitForText("Inspector")
    try terminal.waitForText("com.example.fixture.crashing")
    try terminal.waitForText("Runs")
    try terminal.waitForText("CPU ms")
    try terminal.type("jjk")
    // q closes what lies over the page, and only then the program.
    try terminal.type("q")
    try terminal.wait(for: "the page") { !$0.contains("Inspector") && $0.contains("Crashing") }
    #expect(!terminal.status.hasEnded)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `Tab shows the view and the messages of a running card`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard(columns: 120, rows: 45)
    try terminal.waitForText("updates: 1")
    try terminal.type("i")
    try terminal.waitForText("[Overview]")
    try terminal.waitForText("MiB")
    try terminal.waitForText("every 15 min, the default")
    try terminal.press(.tab)
    try terminal.waitForText("[View]")
    try terminal.waitForText("\"All is well\"")
    try terminal.press(.tab)
    try terminal.waitForText("[Messages]")
    try terminal.waitForText("\"widgetPerformUpdate\"")
    try terminal.press(.backTab)
    try terminal.waitForText("[View]")
    try terminal.type("qq")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test("log prints the last runs: reason, results, how they ended, and the log")
  func printsRuns() throws {
    let world = try TestWorld(fixtures: ["Crashing", "Good"])
    _ = try world.run(["snapshot"])
    let good = try world.run(["log", "com.example.fixture.good"])
    #expect(good.status == .exited(code: 0), "\(good.errorText)")
    let rows = good.outputText.split(separator: "\n")
    #expect(rows.first?.hasPrefix("start") == true, "\(good.outputText)")
    #expect(rows.dropFirst().first?.contains("1 newData") == true, "\(good.outputText)")
    #expect(
      rows.dropFirst().first?.contains("exit 0") == true || good.outputText.contains("code 0")
    )
    let crashing = try world.run(["log", "com.example.fixture.crashing"]).outputText
    #expect(crashing.contains("code 3"), "\(crashing)")
    let json = try world.run(["log", "--json", "com.example.fixture.crashing"]).outputText
    #expect(json.contains("\"runs\"") && json.contains("\"cpuMilliseconds\""))
    #expect(try world.run(["log", "com.example.nobody"]).status == .exited(code: 66))
  }

  @Test("no text of a widget acts on the terminal through log or inspector")
  func isHarmless() throws {
    let world = try TestWorld(fixtures: ["Escaping"])
    _ = try world.run(["snapshot"])
    let run = try world.run(["log", "com.example.fixture.escaping"])
    #expect(!run.output.contains(0x1b))
    #expect(CursesOutput.strangers(inPicture: run.output) == [])
  }
}
