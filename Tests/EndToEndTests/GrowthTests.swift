import FoundationEssentials
import Testing
import WidgetTestSupport

/// Cards that grow into the free rows of a page, in the real program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct GrowthTests {
  /// The lines of a screen on which something is drawn.
  private func filledRows(_ screen: TestScreen) -> Int {
    screen.rows.count { $0.contains { !$0.isWhitespace } }
  }

  @Test func `the first page of a new user fills the screen, and grows and shrinks with it`() throws
  {
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
    #expect(terminal.screen.contains("Weather at which place?"))
    try terminal.resize(columns: 120, rows: 16)
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
    #expect(try expanded(["--height", "16"]) == 0)
    #expect(try expanded(["--height", "40"]) > 0)
  }

  @Test func `eight scripts stand side by side, on the page and in a snapshot`() throws {
    let world = try TestWorld()
    let names = ["Ant", "Bee", "Cow", "Dog", "Eel", "Fox", "Gnu", "Hen"]
    for name in names { try world.script("\(name).sh", "echo \(name) is well") }
    let cards = names.map { "'script.\($0)'" }.joined(separator: ", ")
    let page = "pages: [{ name: 'Home', cards: [\(cards)] }]"
    try world.saveConfiguration("{ \(page) }")
    let rows = { (lines: [String]) in
      lines.count { line in names.contains { line.contains("\($0) is well") } }
    }
    func snapshot() throws -> [String] {
      let run = try world.installed(["snapshot", "--width", "120"])
      return run.outputText.split(separator: "\n").map(String.init)
    }
    #expect(try rows(snapshot()) == 2)
    let program = ProgramDescription(
      BuiltProgram.path ?? "",
      [],
      environment: world.environment(),
      directory: world.path
    )
    let terminal = try PseudoTerminal(program, columns: 120, rows: 30)
    try terminal.wait(for: "all scripts in two rows") { screen in
      names.allSatisfy { screen.contains("\($0) is well") } && rows(screen.rows) == 2
    }
    // The fourth one, and the one below it.
    try terminal.type("llljz")
    try terminal.wait(for: "Hen alone") { screen in
      screen.contains("Hen is well") && !screen.contains("Ant is well")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try world.saveConfiguration("{ \(page), tiles: false }")
    #expect(try rows(snapshot()) == 4)
  }
}
