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

  @Test(arguments: ["echo for-the-shell\r", ""])
  func `an answer that comes late is for no shell, and what is typed beside it is`(
    typed: String
  ) throws {
    let terminal = try world.openShell(columns: 80, rows: 24)
    let command = try String(contentsOfFile: "\(world.path)/page", encoding: .utf8)
    try world.write(command.replacing("\n", with: " --height 12\n"), to: "\(world.path)/low")
    terminal.answersQuestions = false
    try terminal.type("sh low\r")
    // It is drawn without the answer at last.
    try terminal.waitForText("All is well")
    try terminal.type("q\(typed)\u{1B}[2;1Rexit\r")
    try terminal.waitForEnd()
    #expect(!terminal.screen.contains("1R"), "\(terminal.screen.text)")
    #expect(!terminal.screen.contains("command not found"), "\(terminal.screen.text)")
    #expect(typed.isEmpty || terminal.screen.rows.contains("for-the-shell"))
  }

  @Test func `Ctrl-Z gives the prompt back, and fg shows the page below what came then`() throws {
    let terminal = try world.openShell(columns: 80, rows: 24)
    let command = try String(contentsOfFile: "\(world.path)/page", encoding: .utf8)
    try world.write(command.replacing("\n", with: " --height 12\n"), to: "\(world.path)/low")
    try terminal.type("echo o\("ne")\r")
    try terminal.waitForText("one")
    try terminal.type("sh low\r")
    try terminal.waitForText("All is well")
    let above = Array(terminal.screen.rows.prefix(3))
    #expect(above.contains("one") && above.last == "ready> sh low", "\(above)")
    for round in 1...2 {
      try terminal.press(.controlZ)
      try terminal.wait(for: "the shell") { $0.contains("Stopped") && !$0.contains("╭") }
      #expect(terminal.screen.isCursorVisible && !terminal.screen.reportsMouse)
      #expect(Array(terminal.screen.rows.prefix(3)) == above, "\(terminal.screen.text)")
      try terminal.type("echo it \("is") mine \(round)\r")
      try terminal.waitForText("it is mine \(round)")
      try terminal.type("fg\r")
      try terminal.wait(for: "the page below the prompt") { screen in
        guard let prompt = screen.row(of: "it is mine \(round)"), let page = screen.row(of: "╭")
        else { return false }
        return prompt < page && screen.contains("All is well")
      }
      #expect(!terminal.screen.isAlternate)
    }
    try terminal.type("q")
    try terminal.wait(for: "the prompt") { !$0.contains("╭") && $0.isCursorVisible }
    try terminal.type("echo it \("is") back\r")
    try terminal.waitForText("it is back")
    #expect(!terminal.screen.contains("All is well") && !terminal.screen.reportsMouse)
    terminal.hangUp()
    #expect(world.processesLeft() == [])
  }

  @Test func `the mouse presses what is below the prompt, and nothing above it`() throws {
    let terminal = try open("--height 12 --trace '\(world.path)/trace'")
    try terminal.waitForText("All is well")
    try terminal.settle()
    let top = try #require(terminal.screen.row(of: "╭"))
    #expect(top > 2 && terminal.screen.reportsMouse)
    func presses() -> Int {
      let trace = try? String(contentsOfFile: "\(world.path)/trace", encoding: .utf8)
      let lines = trace?.split(separator: "\n") ?? []
      return lines.count { $0.contains("\"method\":\"performAction\"") }
    }
    try terminal.click("More ]")
    try terminal.wait(for: "a press") { (_: TestScreen) in presses() == 1 }
    // A click on what is above belongs to nothing.
    try terminal.type(terminal.screen.click(.left, column: 1, row: 0))
    try terminal.settle()
    #expect(presses() == 1 && terminal.screen.rows.prefix(2) == ["one", "two"])
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0) && !terminal.screen.reportsMouse)
  }

  @Test func `a part of the terminal has one card alone, and the keys as ever`() throws {
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
