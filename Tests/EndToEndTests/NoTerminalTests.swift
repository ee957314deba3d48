import Testing
import WidgetTestSupport

/// If the dashboard cannot be shown, one line names the alternative.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NoTerminalTests {
  @Test(arguments: [nil, "xterm-256color"])
  func `without a terminal the error names today snapshot`(term: String?) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try ProgramRun(world.today(term: term))
    #expect(run.status == .exited(code: 69))
    #expect(run.errorText.hasPrefix("today: "))
    #expect(run.errorText.contains("today snapshot"))
    #expect(run.output == [])
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: ["dumb", "no-such-terminal", nil])
  func `on an unsuitable terminal it reports an error and draws nothing`(term: String?) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try PseudoTerminal(world.today(term: term), columns: 200)
    #expect(try terminal.waitForEnd() == .exited(code: 69))
    #expect(terminal.screen.contains("today snapshot"))
    #expect(!terminal.screen.isAlternate)
    #expect(!terminal.screen.bytes.contains(0x1b))
    #expect(terminal.attributes == terminal.originalAttributes)
  }
}
