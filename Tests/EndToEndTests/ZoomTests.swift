import FoundationEssentials
import Testing
import WidgetTestSupport

/// One card alone on the page, in the real program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct ZoomTests {
  @Test func `z shows one card alone, and Esc all cards again`() throws {
    let world = try TestWorld(fixtures: ["Busy", "Good"])
    let program = world.today(["--trace", "\(world.path)/trace"])
    let terminal = try PseudoTerminal(program, columns: 120, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("busy")
    try terminal.type("lz")
    try terminal.wait(for: "one card alone") { screen in
      screen.contains("All is well") && !screen.contains("busy")
    }
    try terminal.wait(for: "the other view to disappear") { screen in
      !screen.contains("busy") && trace(world).contains("viewWillDisappear")
    }
    #expect(terminal.screen.rows.contains { $0.hasPrefix("╰") && $0.hasSuffix("╯") })
    try terminal.press(.escape)
    try terminal.wait(for: "all cards again") { screen in
      screen.contains("All is well") && screen.contains("busy")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  private func trace(_ world: TestWorld) -> String {
    (try? String(contentsOf: URL(filePath: "\(world.path)/trace"), encoding: .utf8)) ?? ""
  }
}
