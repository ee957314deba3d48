import FoundationEssentials
import Testing
import WidgetTestSupport

/// Traces of the program, played again by it.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ReplayTests {
  private func today(_ arguments: [String], in world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  @Test(arguments: [40, 100])
  func `a snapshot of the bundled widgets is played again, cell by cell`(width: Int) throws {
    let world = try TestWorld()
    let width = "\(width)"
    let snapshot = try today(["snapshot", "--width", width, "--trace", "trace"], in: world)
    let replay = try today(["replay", "trace", "--width", width], in: world)
    #expect(replay.status == .exited(code: 0), "\(replay.errorText)")
    // The first line of the snapshot has the day.
    let rows = snapshot.outputText.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    #expect(replay.outputText == rows)
    let listing = try today(["trace", "trace"], in: world)
    #expect(listing.outputText.contains("→ initialize (1)"))
    #expect(!listing.outputText.contains("!"), "\(listing.outputText)")
    let svg = try today(["replay", "trace", "--format", "svg"], in: world)
    #expect(svg.outputText.hasPrefix("<svg"))
  }

  @Test func `a dashboard with presses and other sizes is played again, cell by cell`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(
      world.today(["--trace", "\(world.path)/trace"]),
      columns: 80,
      rows: 40
    )
    try terminal.waitForText("updates: 1")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("Less")
    try terminal.settle()
    try terminal.resize(columns: 50, rows: 30)
    try terminal.wait(for: "the narrow card") { screen in
      screen.columns == 50 && screen.contains("Less")
    }
    try terminal.settle()
    let shown = terminal.screen.rows
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let replay = try today(["replay", "trace"], in: world)
    #expect(replay.status == .exited(code: 0), "\(replay.errorText)")
    let rows = replay.outputText.split(separator: "\n").map(String.init)
    let first = try #require(shown.firstIndex { $0.contains("Good") })
    // The frame of the focused card is drawn in another way.
    func body(_ rows: some Collection<String>) -> [String] {
      rows.dropFirst().dropLast().map { row in
        String(String(row.reversed().drop { $0 == " " }.reversed()).dropFirst().dropLast())
      }
    }
    #expect(rows.count > 8)
    #expect(body(shown.dropFirst(first).prefix(rows.count)) == body(rows))
  }

  @Test func `what is not in a trace is named`() throws {
    let world = try TestWorld()
    _ = try today(["snapshot", "Clock", "--trace", "trace"], in: world)
    let absent = try today(["trace", "trace", "org.today.System"], in: world)
    #expect(absent.status == .exited(code: 66))
    #expect(absent.errorText.contains("there is org.today.Clock"))
    let missing = try today(["replay", "nowhere"], in: world)
    #expect(missing.status == .exited(code: 66))
    let other = try today(
      ["replay", "trace", "--bundle", try world.add(fixture: "Good")],
      in: world
    )
    #expect(other.status == .exited(code: 66), "\(other.errorText)")
  }
}
