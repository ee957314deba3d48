import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// A program whose main thread does not come round ends by itself.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct HangTests {
  /// A page of a program that hangs as soon as there is a file of this name in its home and it reads a key.
  private func open(_ world: TestWorld) throws -> PseudoTerminal {
    let library = "\(world.path)/hang.so"
    let compiler = try ProgramRun(
      ProgramDescription(
        "/usr/bin/cc",
        ["-shared", "-fPIC", "-o", library, "\(TestWorld.fixtures)/hang.c", "-ldl"],
        environment: world.environment(),
        directory: world.path
      )
    )
    #expect(compiler.status == .exited(code: 0), "\(compiler.errorText)")
    let terminal = try world.openDashboard(variables: ["LD_PRELOAD": library])
    try terminal.waitForText("updates: 1")
    try terminal.settle()
    return terminal
  }

  private func expectEnd(
    _ terminal: PseudoTerminal,
    _ world: TestWorld,
    after start: ContinuousClock.Instant
  ) throws {
    #expect(try terminal.waitForEnd() == .killed(signal: SIGKILL))
    #expect(start.duration(to: .now) > .seconds(4.5))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.screen.contains("it did not react for 5 s"))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: ["hang", "spin"])
  func `a program that does not react to a key for 5 s gives the terminal back and ends`(
    kind: String
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try open(world)
    try world.write("", to: "\(world.path)/home/\(kind)")
    let start = ContinuousClock.now
    try terminal.type("j")
    try expectEnd(terminal, world, after: start)
  }

  @Test func `a program that does not react to TERM for 5 s ends`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try open(world)
    try world.write("", to: "\(world.path)/home/hang")
    try terminal.type("j")
    // The signal would end a program that has not read the key yet.
    try terminal.wait(for: "the hang") { (_: TestScreen) in
      FileManager.default.fileExists(atPath: "\(world.path)/home/hanging")
    }
    let start = ContinuousClock.now
    terminal.signal(SIGTERM)
    try expectEnd(terminal, world, after: start)
  }

  @Test func `a program that was stopped for long goes on`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try open(world)
    let program = try #require(terminal.pid)
    kill(program, SIGSTOP)
    try terminal.type("j")
    // Longer than a program may hang.
    let end = ContinuousClock.now + .seconds(6)
    while ContinuousClock.now < end { try terminal.pump(until: end) }
    terminal.foreground()
    try terminal.settle()
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
