import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// The notices of another machine, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct HostNoticeTests: RemotePages {
  let world: TestWorld

  init() throws {
    world = try TestWorld()
    try write("a.1h.sh", "#!/bin/sh\n# today: host=there\necho far\n")
  }

  private func run(_ arguments: [String], on server: SecureShellServer) throws {
    let run = try server.there.installed(arguments)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
  }

  private func list() -> String {
    (try? world.installed(["notices", "--json"]).outputText) ?? ""
  }

  private func wait(_ terminal: PseudoTerminal, for words: String) throws {
    try terminal.wait(for: "a notice with \(words)", until: { _ in list().contains(words) })
  }

  @Test func `notices of a machine of the page are stored once, also after another connection`()
    throws
  {
    let server = try SecureShellServer()
    try run(["post", "before", "--app", "make"], on: server)
    let terminal = try open(server)
    try terminal.waitForText("far")
    try wait(terminal, for: "\"title\":\"before\"")
    #expect(list().contains("\"host\":\"there\"") && list().contains("\"source\":\"host\""))
    try run(["post", "during"], on: server)
    try wait(terminal, for: "\"title\":\"during\"")
    try run(["notices", "dismiss", "1"], on: server)
    try wait(terminal, for: "\"state\":\"earlier\"")
    #expect(server.acceptedCount == 1)
    server.stop()
    try run(["post", "away"], on: server)
    try server.start()
    // The page tries again when it is asked to, for all cards: the one of the notices has come before the other one.
    var asked = ContinuousClock.now - .seconds(2)
    try terminal.wait(for: "another connection") { (_: TestScreen) in
      if ContinuousClock.now - asked >= .seconds(2) {
        asked = .now
        try? terminal.type("R")
      }
      return list().contains("\"title\":\"away\"")
    }
    #expect(list().split(separator: "\n").count { $0.contains("\"id\"") } == 3)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [] && server.there.processesLeft() == [])
    // A run that ended with its connection has left its files there.
    #expect(try sockets() == [])
  }

  @Test func `a machine without the program is left alone`() throws {
    let server = try SecureShellServer(hasProgram: false)
    try run(["post", "unseen"], on: server)
    let terminal = try open(server)
    try terminal.waitForText("far")
    try terminal.settle()
    #expect(!terminal.screen.contains("today is not installed"))
    #expect(try world.installed(["notices"]).outputText == "no notices\n")
    try quit(terminal, server)
  }
}
