import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The page in rows below the prompt, and in a popup of tmux.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct InlineTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld(fixtures: ["Busy", "Good"])
  }

  /// A shell that has written some lines, and then runs the program with arguments.
  private func open(_ arguments: String) throws -> PseudoTerminal {
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    let line =
      "printf 'one\\ntwo\\n$ '; \"$today\" \(arguments) --widgets '\(world.widgets)'; echo \"ended $?\""
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      columns: 80,
      rows: 24
    )
  }

  @Test func `what is above stays, through a resize and a stop, and after the end`() throws {
    let terminal = try open("--height 12")
    try terminal.waitForText("All is well")
    #expect(terminal.screen.rows.prefix(2) == ["one", "two"], "\(terminal.screen.text)")
    #expect(!terminal.screen.isAlternate)
    try terminal.resize(columns: 70, rows: 20)
    try terminal.wait(for: "a page of another width") { screen in
      screen.rows.contains { $0.hasPrefix("╭") && $0.count == 70 } && screen.contains("All is well")
    }
    #expect(terminal.screen.rows.prefix(2) == ["one", "two"], "\(terminal.screen.text)")
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0))
    #expect(terminal.screen.text.hasPrefix("one\ntwo\n$ ended 0"), "\(terminal.screen.text)")
    #expect(!terminal.screen.contains("╭") && terminal.screen.isCursorVisible)
    #expect(terminal.attributes == terminal.originalAttributes)
  }

  @Test func `a part of the terminal has one card alone, and the mouse and keys as ever`() throws {
    let terminal = try open("--height=50% Good")
    try terminal.waitForText("All is well")
    #expect(!terminal.screen.contains("busy") && terminal.screen.contains("Esc all cards"))
    try terminal.press(.escape)
    try terminal.waitForText("busy")
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0))
  }

  @Test func `without a popup program, and with another height, the error says what to do`() throws
  {
    for (arguments, words) in [
      (["--popup"], "tmux, zellij or kitty"), (["--height", "0"], "such as 40%"),
      (["--height", "5"], "terminal"),
    ] {
      let run = try ProgramRun(world.today(arguments))
      #expect(run.status != .exited(code: 0))
      #expect(run.errorText.contains(words), "\(run.errorText)")
    }
  }
}
