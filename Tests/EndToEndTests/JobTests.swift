import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// The program as a job of a shell: in the background, stopped, continued, and under a script.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct JobTests {
  /// How often the page took the terminal.
  private func openings(_ terminal: PseudoTerminal) -> Int {
    String(decoding: terminal.screen.bytes, as: UTF8.self).ranges(of: "\u{1B}[?1049h").count
  }

  private func program(_ terminal: PseudoTerminal, _ world: TestWorld) throws -> Int32 {
    try terminal.wait(for: "the program") { (_: TestScreen) in found(terminal, world) != nil }
    return try #require(found(terminal, world))
  }

  private func found(_ terminal: PseudoTerminal, _ world: TestWorld) -> Int32? {
    guard let shell = terminal.pid else { return nil }
    let found = ProcessList.entries(naming: world.widgets).filter { entry in
      entry.commandLine.contains("/bin/today") && getsid(entry.pid) == getsid(shell)
        && entry.pid != shell && !entry.commandLine.hasPrefix("sh ")
    }
    return found.map(\.pid).min()
  }

  private func waitForStop(_ process: Int32, _ terminal: PseudoTerminal) throws {
    try terminal.wait(for: "the stop") { (_: TestScreen) in
      ProcessList.state(of: process) == "T"
    }
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld, says words: String) throws {
    try terminal.type("q")
    try terminal.wait(for: "the shell") { !$0.isAlternate }
    try terminal.type("echo it \("is") back\r")
    try terminal.wait(for: "the shell") { $0.contains("it is back") && $0.contains(words) }
    terminal.hangUp()
    #expect(world.processesLeft() == [])
  }

  @Test func `in the background it stops before it draws, and fg starts it`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openShell(columns: 90, rows: 30)
    try terminal.type("sh page &\r")
    try waitForStop(try program(terminal, world), terminal)
    #expect(openings(terminal) == 0)
    #expect(!terminal.screen.reportsMouse)
    try terminal.type("fg\r")
    try terminal.waitForText("updates: 1")
    try quit(terminal, world, says: "ready>")
  }

  @Test func `bg after Ctrl-Z stops it again, and fg brings the page back`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openShell(columns: 90, rows: 30)
    try terminal.type("sh page\r")
    try terminal.waitForText("updates: 1")
    try terminal.press(.controlZ)
    try terminal.wait(for: "the shell") { !$0.isAlternate && $0.contains("Stopped") }
    let process = try program(terminal, world)
    for _ in 0..<2 {
      try terminal.type("bg\r")
      try terminal.settle(calm: .milliseconds(100))
      try waitForStop(process, terminal)
      #expect(openings(terminal) == 1)
    }
    try terminal.type("fg\r")
    try terminal.wait(for: "the page") { $0.isAlternate && $0.contains("updates: 1") }
    try quit(terminal, world, says: "ready>")
  }

  @Test(arguments: [true, false])
  func `kill ends a job that is stopped, before it was drawn or after`(wasDrawn: Bool) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openShell(columns: 90, rows: 30)
    try terminal.type(wasDrawn ? "sh page\r" : "sh page &\r")
    if wasDrawn {
      try terminal.waitForText("updates: 1")
      try terminal.press(.controlZ)
      try terminal.wait(for: "the shell") { !$0.isAlternate && $0.contains("Stopped") }
    }
    let process = try program(terminal, world)
    try waitForStop(process, terminal)
    // The shell continues a job that it ends only when it knows that all of it is stopped.
    try terminal.wait(for: "the shell to know it") { (_: TestScreen) in
      (try? terminal.type("jobs -s\r")) != nil && terminal.screen.contains("Stopped")
    }
    try terminal.type("kill %1\r")
    try terminal.wait(for: "the end") { (_: TestScreen) in
      // bash may ask for its status with the next command only.
      [nil, "Z"].contains(ProcessList.state(of: process))
    }
    terminal.hangUp()
    #expect(world.processesLeft() == [])
  }

  @Test func `under a script Ctrl-Z stops the script too, and fg continues both`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openShell(columns: 90, rows: 30)
    try terminal.type("sh script\r")
    try terminal.waitForText("updates: 1")
    try terminal.press(.controlZ)
    try terminal.wait(for: "the shell") { !$0.isAlternate && $0.contains("Stopped") }
    try terminal.type("echo it \("is") mine\r")
    try terminal.waitForText("it is mine")
    try terminal.type("fg\r")
    try terminal.wait(for: "the page") { $0.isAlternate && $0.contains("updates: 1") }
    try quit(terminal, world, says: "after the page")
  }

  @Test func `whoever has stopped it, it takes the terminal again`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openShell(columns: 90, rows: 30)
    // The shell would read an answer to a question of the program that is stopped before it comes.
    terminal.answersQuestions = false
    try terminal.type("sh page\r")
    try terminal.waitForText("updates: 1")
    let process = try program(terminal, world)
    let attributes = terminal.attributes
    for _ in 0..<2 {
      kill(process, SIGSTOP)
      try terminal.waitForText("Stopped")
      try terminal.type("fg\r")
      try terminal.wait(for: "the page") {
        $0.contains("updates: 1") && !$0.contains("Stopped") && $0.reportsMouse
          && terminal.attributes == attributes
      }
    }
    try quit(terminal, world, says: "ready>")
    // As often as the terminal was taken, it was given back.
    #expect(terminal.screen.state.titleDepth == 0)
  }

  @Test func `in an orphaned group Ctrl-Z does not stop it`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today()
    // As a terminal emulator or a server of SSH does: the program leads a session of its own.
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/usr/bin/python3",
        ["-c", "import pty, sys; pty.spawn(sys.argv[1:])", program.path] + program.arguments,
        environment: program.environment,
        directory: program.directory
      ),
      columns: 80,
      rows: 24
    )
    try terminal.waitForText("updates: 1")
    try terminal.press(.controlZ)
    try terminal.settle(calm: .milliseconds(300))
    try terminal.wait(for: "the page") { $0.isAlternate && $0.contains("updates: 1") }
    try terminal.type("?")
    try terminal.waitForText("next, previous card")
    try terminal.press(.escape)
    try terminal.settle()
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a parent that ignores SIGCHLD and blocks signals changes nothing`() throws {
    let world = try TestWorld()
    let script = "\(world.path)/config/today/scripts/hello.5m.sh"
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/config/today/scripts",
      withIntermediateDirectories: true
    )
    try world.write("#!/bin/sh\necho hello from a script\n", to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let program = world.today(["snapshot"], term: nil)
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/env",
        [
          "--ignore-signal=CHLD", "--block-signal=CHLD,TERM,CONT", program.path, "snapshot",
          "script.hello",
        ],
        environment: program.environment,
        directory: program.directory
      )
    )
    #expect(run.status == .exited(code: 0))
    #expect(run.outputText.contains("hello from a script"), "\(run.errorText)")
  }

  @Test func `a signal of the window draws the page anew, also in the same size`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try world.openDashboard()
    try terminal.waitForText("updates: 1")
    try terminal.settle(calm: .milliseconds(100))
    terminal.screen.write(Array("\u{1B}[2J".utf8))
    #expect(!terminal.screen.contains("updates: 1"))
    terminal.signal(SIGWINCH)
    try terminal.waitForText("updates: 1")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
  }
}
