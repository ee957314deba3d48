import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Cards of other machines, one of each and one of many, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct FleetPageTests: RemotePages {
  let world: TestWorld
  private static let good = "com.example.fixture.good"

  init() throws {
    world = try TestWorld()
  }

  private func run(_ server: SecureShellServer, _ arguments: [String]) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["PATH"] = "\(try server.makeClient()):/usr/bin:/bin"
    return try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "",
        arguments,
        environment: environment,
        directory: world.path
      )
    )
  }

  private func add(_ server: SecureShellServer, _ arguments: [String]) throws {
    let added = try run(server, ["add"] + arguments)
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
  }

  @Test func `a widget of another machine is added with its name`() throws {
    let server = try SecureShellServer(fixtures: ["Good"])
    try world.add(fixture: "Good")
    try world.install()
    try world.saveConfiguration("{ hosts: { nas: 'there' } }")
    try add(server, ["nas:\(Self.good)", "--page", "Fleet"])
    let again = try run(server, ["add", "nas:\(Self.good)"])
    #expect(again.errorText.contains("is already on the page “Fleet”"), "\(again.errorText)")
    let terminal = try open(server)
    try terminal.waitForText("Fleet")
    try terminal.type("2")
    try terminal.waitForText("Good · nas")
    try terminal.waitForText("All is well")
    #expect(ProcessList.entries(naming: "\(world.path)/data/today/widgets") == [])
    try quit(terminal, server)
    let removed = try run(server, ["remove", "nas:\(Self.good)"])
    #expect(removed.status == .exited(code: 0), "\(removed.errorText)")
  }

  @Test func `a name of several machines is one card that compares them`() throws {
    let server = try SecureShellServer(fixtures: ["Good"])
    try world.add(fixture: "Good")
    try world.install()
    try world.saveConfiguration("{ hosts: { fleet: ['host-1', 'gone', 'host-2'] } }")
    try add(server, ["fleet:\(Self.good)"])
    let terminal = try open(server)
    try terminal.waitForText("Good · fleet")
    try terminal.wait(for: "a row for each machine, in their order") { screen in
      let rows = screen.text.split(separator: "\n")
      func place(_ words: String...) -> Int? {
        rows.firstIndex { row in words.allSatisfy { row.contains($0) } }
      }
      guard let gone = place("gone", "unreachable since"), let one = place("host-1", "All is well"),
        let two = place("host-2", "All is well")
      else { return false }
      return gone < one && one < two
    }
    #expect(server.acceptedCount == 2, "one connection a machine")
    server.stop()
    try terminal.wait(for: "words about each machine") { screen in
      ["host-1", "host-2"].allSatisfy { name in
        screen.text.split(separator: "\n").contains { row in
          row.contains(name) && (row.contains("unreachable") || row.contains("has ended"))
        }
      }
    }
    try server.start()
    try terminal.type("R")
    try terminal.wait(for: "both again") { screen in
      screen.text.components(separatedBy: "All is well").count == 3
    }
    try quit(terminal, server)
  }

  @Test func `a command runs on each machine, and its lines are a table`() throws {
    let server = try SecureShellServer(hasProgram: false)
    try world.saveConfiguration("{ hosts: { fleet: ['host-1', 'host-2', 'gone'] } }")
    let made = try run(
      server,
      ["run", "echo \"all is $((40 + 2))\"", "--title", "Units", "--host", "fleet", "--as-table"]
    )
    #expect(made.status == .exited(code: 0), "\(made.errorText)")
    let terminal = try open(server)
    try terminal.waitForText("Units")
    try terminal.wait(for: "a row for each machine") { screen in
      screen.text.components(separatedBy: "all is 42").count == 3
        && screen.contains("unreachable since")
    }
    try quit(terminal, server)
  }

  @Test func `fifty machines have a connection each, and their last picture comes first`() throws {
    let server = try SecureShellServer(hasProgram: false)
    let names = (1...50).map { "host-\($0)" }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    try world.saveConfiguration(
      "{ hosts: { fleet: [\(list)] }, pages: [{ name: 'Fleet', cards: ['script.load'] }] }"
    )
    try write("load.1h.sh", "#!/bin/sh\n# today: host=fleet table=true\necho fine\n")
    let terminal = try open(server)
    try terminal.wait(for: "all rows") { screen in
      screen.text.components(separatedBy: "fine").count == 51
    }
    #expect(server.acceptedCount == 50)
    try quit(terminal, server)
    server.stop()
    let again = try open(server)
    try again.wait(for: "the last picture") { screen in
      screen.text.components(separatedBy: "fine").count == 51
    }
    try again.type("q")
    #expect(try again.waitForEnd() == .exited(code: 0))
  }

  @Test func `the machines are listed with what is known of them`() throws {
    let server = try SecureShellServer(fixtures: ["Good"])
    try world.add(fixture: "Good")
    try world.install()
    try world.saveConfiguration("{ hosts: { nas: 'there', fleet: ['nas', 'gone'] } }")
    try add(server, ["nas:\(Self.good)"])
    let listed = try run(server, ["hosts"])
    #expect(listed.status == .exited(code: 1), "one is away: \(listed.errorText)")
    let lines = listed.outputText.split(separator: "\n").sorted()
    #expect(lines.count == 2, "\(listed.outputText)")
    #expect(lines[0].hasPrefix("gone  away") && lines[0].contains("never seen"))
    #expect(lines[0].contains("Connection refused"))
    #expect(lines[1].hasPrefix("nas") && lines[1].contains("1 card") && lines[1].contains("today "))
    let json = try run(server, ["hosts", "nas", "--json"]).outputText
    #expect(json.contains(#""reachable" : true"#) && json.contains(#""lastSeen""#), "\(json)")
    server.stop()
    let away = try run(server, ["hosts", "nas"])
    #expect(away.outputText.contains("last seen"), "\(away.outputText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `a name that is a widget too is a warning of doctor`() throws {
    try world.add(fixture: "Good")
    try world.install()
    try world.saveConfiguration("{ hosts: { '\(Self.good)': 'there' } }")
    let text = try world.installed(["doctor"]).outputText
    #expect(text.contains("hosts.\(Self.good) is the name of a widget too"), "\(text)")
  }
}
