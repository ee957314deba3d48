import FoundationEssentials
import Testing
import WidgetTestSupport

/// The first picture is drawn from snapshots, whatever the widgets do.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SnapshotFirstTests {
  @Test("with every widget stopped the dashboard still paints the full page")
  func paintsWithEveryWidgetStopped() throws {
    let world = try TestWorld(fixtures: ["Stopping"])
    let first = try world.openDashboard(columns: 60, rows: 20)
    try first.waitForText("kept row 5")
    try first.settle(calm: .milliseconds(100))
    let rows = first.screen.rows.filter { $0.contains("kept row") }
    try first.type("q")
    try first.waitForEnd()

    let second = try world.openDashboard(columns: 60, rows: 20)
    try second.waitForText("kept row 5")
    #expect(second.screen.rows.filter { $0.contains("kept row") } == rows)
    // Keys go on working, and the end is not held up by what is stopped.
    try second.type("?")
    try second.waitForText("Keys")
    try second.type("x")
    try second.type("q")
    #expect(try second.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test("a press on a snapshot waits for the live view")
  func holdsThePress() throws {
    let world = try TestWorld(fixtures: ["Waking"])
    let first = try world.openDashboard(columns: 60, rows: 20)
    try first.waitForText("pressed 0 times")
    try first.settle(calm: .milliseconds(200))
    try first.type("q")
    try first.waitForEnd()

    let second = try world.openDashboard(columns: 60, rows: 20)
    try second.waitForText("press me")
    try second.click("press me")
    try second.settle(calm: .milliseconds(100))
    #expect(second.screen.contains("pressed 0 times"))
    let data = "\(world.path)/data/today/containers/com.example.fixture.waking"
    try world.write("", to: "\(data)/awake")
    try second.waitForText("pressed 1 times")
    try second.type("q")
    #expect(try second.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test("a widget that hangs keeps its content, with the reason, after the configured deadline")
  func saysThatItHangs() throws {
    let world = try TestWorld(fixtures: ["Stopping"])
    try world.saveConfiguration("{ deadlines: { initializeSeconds: 0.3 } } // for slow machines")
    _ = try world.run(["snapshot", "--width", "60"])
    let run = try world.run(["snapshot", "--width", "60"])
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("kept row 5"), "\(run.outputText)")
    #expect(run.errorText.contains("Unable to Load"), "\(run.errorText)")
  }
}
