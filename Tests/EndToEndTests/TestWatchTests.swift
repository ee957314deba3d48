import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today test --watch` in a terminal, and Ctrl-C in the middle of a test.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TestWatchTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/tmp",
      withIntermediateDirectories: true
    )
  }

  private func program(_ arguments: String...) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "/nowhere/today",
      arguments,
      environment: world.environment().merging(["TMPDIR": "\(world.path)/tmp"]) { $1 },
      directory: world.path
    )
  }

  /// Presses Ctrl-C, after which the terminal is as it was, and nothing is left.
  private func interrupt(_ terminal: PseudoTerminal) throws {
    try terminal.type("\u{3}")
    #expect(try terminal.waitForEnd() == .exited(code: 130))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(world.processesLeft() == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/tmp")
    #expect(left == [])
  }

  /// Whether the checks were made, and some have failed or none.
  private func hasEnded(_ screen: TestScreen, failed: Bool) -> Bool {
    let rows = screen.rows.filter { $0.contains { $0 != " " } }
    return rows.last?.hasPrefix("# waiting for a change; Ctrl-C ends") == true
      && rows.contains { $0.hasPrefix("not ok") } == failed
  }

  @Test func `a saved file makes all checks again, until Ctrl-C`() throws {
    #expect(
      try ProgramRun(program("new", "Cups", "--language", "python")).status == .exited(code: 0)
    )
    let terminal = try PseudoTerminal(
      program("test", "Cups.widget", "--watch"),
      columns: 100,
      rows: 16
    )
    try terminal.wait(for: "a run that passes") { hasEnded($0, failed: false) }
    let scenario = "\(world.path)/Cups.widget/Tests/counts.json"
    let text = try String(contentsOf: URL(filePath: scenario), encoding: .utf8)
    try world.write(text.replacing("2 of 4", with: "3 of 4"), to: scenario)
    try terminal.wait(for: "a run that fails") { hasEnded($0, failed: true) }
    // What cannot be read is no end either.
    try world.write("{", to: scenario)
    try terminal.waitForText("Tests/counts.json:1:2: ")
    try terminal.wait(for: "another run that fails") { hasEnded($0, failed: true) }
    try world.write(text, to: scenario)
    try terminal.wait(for: "a run that passes again") { hasEnded($0, failed: false) }
    try interrupt(terminal)
  }

  @Test func `Ctrl-C in the middle of a check ends the widget and removes its folders`() throws {
    let bundle = try world.add(fixture: "Silent")
    let terminal = try PseudoTerminal(program("test", bundle), columns: 100, rows: 16)
    try terminal.waitForText("# com.example.fixture.silent at ")
    try terminal.wait(for: "its process") { (_: TestScreen) in
      !ProcessList.entries(naming: bundle).filter { $0.commandLine.contains("/silent") }.isEmpty
    }
    try interrupt(terminal)
  }
}
