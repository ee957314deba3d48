import FoundationEssentials
import Testing
import WidgetTestSupport

/// Cards that grow into the free rows of a page, in the real program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(2)),
  .serialized
)
struct GrowthTests {
  /// The lines of a screen on which something is drawn.
  private func filledRows(_ screen: TestScreen) -> Int {
    screen.rows.count { $0.contains { !$0.isWhitespace } }
  }

  @Test func `the first page of a new user fills the screen, and changes with it`() throws {
    let world = try TestWorld()
    let program = ProgramDescription(
      BuiltProgram.path ?? "",
      [],
      environment: world.environment(),
      directory: world.path
    )
    let terminal = try PseudoTerminal(program, columns: 120, rows: 40)
    try terminal.wait(for: "System expanded, and thirty rows of content") { screen in
      screen.contains("Load") && screen.contains("▴") && filledRows(screen) >= 30
    }
    // All of the page is on the screen.
    #expect(terminal.screen.contains("No place yet."))
    try terminal.resize(columns: 120, rows: 24)
    try terminal.wait(for: "all cards compact") { screen in
      !screen.contains("▴") && screen.contains("▾")
    }
    try terminal.resize(columns: 120, rows: 40)
    try terminal.wait(for: "System expanded again") { screen in
      screen.contains("Load") && screen.contains("▴")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a snapshot for a screen has the cards that the page has`() throws {
    let world = try TestWorld()
    func expanded(_ options: [String]) throws -> Int {
      let text = try world.installed(["snapshot", "--width", "120"] + options).outputText
      return text.count { $0 == "▴" }
    }
    #expect(try expanded([]) == 0)
    #expect(try expanded(["--height", "24"]) == 0)
    #expect(try expanded(["--height", "40"]) > 0)
  }
}
