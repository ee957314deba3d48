import Testing
import WidgetTestSupport

/// The inspector of an instance.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InstanceInspectorTests {
  @Test func `the inspector of an instance has its name and its own settings`() throws {
    let world = try TestWorld(fixtures: ["Settable"])
    _ = try world.run(["add", "Settable", "--as", "travel"])
    _ = try world.run(["settings", "Settable:travel", "words", "Rome"])
    let terminal = try world.openDashboard(columns: 110, rows: 40)
    try terminal.waitForText("words: Rome")
    try terminal.waitForText("words: usual")
    try terminal.type("/travel")
    try terminal.press(.enter)
    try terminal.wait(for: "one card") { !$0.contains("words: usual") }
    try terminal.type("i")
    try terminal.waitForText("Inspector")
    try terminal.waitForText("com.example.fixture.settable:travel")
    try terminal.wait(for: "its settings") { screen in
      screen.rows.contains { $0.contains("words") && $0.contains("Rome") }
    }
    try terminal.press(.escape)
    try terminal.press(.escape)
    try terminal.waitForText("words: usual")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
