import Foundation
import Testing
import WidgetTestSupport

/// A secret that a person types.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct HiddenPasswordTests {
  private func open(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        ["subscribe", "mqtt://me@127.0.0.1:1", "--password"],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 80,
      rows: 24
    )
    try terminal.waitForText("Password of mqtt://me@127.0.0.1:1:")
    return terminal
  }

  @Test func `what is typed is not shown, and Enter ends it`() throws {
    let world = try TestWorld()
    let terminal = try open(world)
    try terminal.type("wrong\u{15}zanzibay\u{7F}r\r")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let shown = String(decoding: terminal.screen.bytes, as: UTF8.self)
    #expect(!shown.contains("zanzi") && !shown.contains("wrong"))
    #expect(terminal.attributes == terminal.originalAttributes)
    let stored = try world.shellOutput("grep -rl zanzibar '\(world.path)' || :")
    #expect(!stored.isEmpty, "it is stored without the character that was removed")
  }

  @Test func `Ctrl-C leaves the terminal as it was and stores nothing`() throws {
    let world = try TestWorld()
    let terminal = try open(world)
    try terminal.type("zanzibar\u{3}")
    #expect(try terminal.waitForEnd() == .exited(code: 64))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(try world.shellOutput("grep -rl zanzibar '\(world.path)' || :").isEmpty)
  }
}

extension TestWorld {
  fileprivate func shellOutput(_ command: String) throws -> String {
    try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", command],
        environment: environment(term: nil),
        directory: path
      )
    ).outputText
  }
}
