import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// The page of another machine, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct RemotePageTests: RemotePages {
  let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  private static let good = "com.example.fixture.good"
  private static let other = "com.example.fixture.settable"

  /// A machine with two pages.
  private func makeServer(hasProgram: Bool = true) throws -> SecureShellServer {
    let server = try SecureShellServer(fixtures: ["Good", "Numbering"], hasProgram: hasProgram)
    try server.there.saveConfiguration(
      """
      { pages: [
        { name: "First", cards: ["\(Self.good)", "\(Self.good):second"] },
        { name: "Second page", cards: ["com.example.fixture.numbering"] },
      ] }
      """
    )
    return server
  }

  private func open(
    _ server: SecureShellServer,
    _ arguments: [String],
    columns: Int = 110
  ) throws -> PseudoTerminal {
    var environment = world.environment()
    environment["PATH"] = "\(try server.makeClient()):/usr/bin:/bin"
    return try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        arguments,
        environment: environment,
        directory: world.path
      ),
      columns: columns,
      rows: 40
    )
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

  @Test(arguments: [110, 40])
  func `a page is drawn here, its widgets run there, and they take presses`(_ columns: Int) throws {
    let server = try makeServer()
    let terminal = try open(server, ["page", "there"], columns: columns)
    try terminal.waitForText("All is well")
    try terminal.waitForText("Good · second")
    #expect(terminal.screen.rows.first?.contains("Today on there") == true)
    #expect(!terminal.screen.contains("Numbering"))
    try terminal.settle()
    try terminal.click("More")
    try terminal.waitForText("Less")
    #expect(server.acceptedCount == 1, "one connection for all cards")
    #expect(server.attemptCount == 1)
    #expect(ProcessList.entries(naming: "\(world.path)/data/today/widgets") == [])
    #expect(!ProcessList.entries(naming: "\(server.there.path)/data/today/widgets").isEmpty)
    try quit(terminal, server)
  }

  @Test func `a page is named, and one that is not there is said in words`() throws {
    let server = try makeServer()
    let terminal = try open(server, ["page", "there", "Second page"])
    try terminal.waitForText("Numbering")
    #expect(!terminal.screen.contains("All is well"))
    try quit(terminal, server)
    let missing = try run(server, ["page", "there", "Third"])
    #expect(missing.status == .exited(code: 69))
    #expect(missing.errorText.contains("there is no page “Third”"), "\(missing.errorText)")
    #expect(missing.errorText.contains("“First”, “Second page”"), "\(missing.errorText)")
  }

  @Test func `the last pictures are there at once while the machine is away`() throws {
    let server = try makeServer()
    let first = try open(server, ["page", "there"])
    try first.waitForText("updates: 1")
    try quit(first, server)
    server.stop()
    let second = try open(server, ["page", "there"])
    try second.waitForText("updates: 1")
    try second.waitForText("unreachable since")
    try server.start()
    try second.type("R")
    try second.wait(for: "the end of the trouble") { !$0.contains("unreachable") }
    try second.click("More")
    try second.waitForText("Less")
    try quit(second, server)
  }

  @Test func `a machine that dies during a session comes back`() throws {
    let server = try makeServer()
    let terminal = try open(server, ["page", "there"])
    try terminal.waitForText("All is well")
    server.stop()
    try terminal.wait(for: "words about the connection") { screen in
      screen.contains("unreachable since") || screen.contains("has ended")
    }
    #expect(terminal.screen.contains("All is well"))
    try server.start()
    try terminal.type("R")
    try terminal.wait(for: "the end of the trouble") { screen in
      !screen.contains("unreachable") && !screen.contains("has ended")
    }
    try terminal.click("More")
    try terminal.waitForText("Less")
    try quit(terminal, server)
  }

  @Test func `cards that come to the page there come here too`() throws {
    let server = try SecureShellServer(fixtures: ["Good", "Numbering"])
    try add(Self.good, on: server)
    let terminal = try open(server, ["page", "there"])
    try terminal.waitForText("All is well")
    try add("com.example.fixture.numbering", on: server)
    try terminal.waitForText("Numbering")
    try quit(terminal, server)
  }

  private func add(_ id: String, on server: SecureShellServer) throws {
    let run = try server.there.installed(["add", id])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
  }

  @Test func `a machine that cannot be used is said in words, and nothing is opened`() throws {
    let server = try makeServer(hasProgram: false)
    let missing = try run(server, ["page", "there"])
    #expect(missing.status == .exited(code: 69))
    #expect(missing.errorText.contains("today is not installed on there"), "\(missing.errorText)")
    server.stop()
    let away = try run(server, ["page", "there"])
    #expect(away.status == .exited(code: 69))
    #expect(away.errorText.contains("unreachable since"), "\(away.errorText)")
    #expect(away.errorText.contains("Connection refused"), "\(away.errorText)")
    let wrong = try run(server, ["page", "-oProxyCommand=id"])
    #expect(wrong.status == .exited(code: 64))
  }

  @Test func `settings are those of the other machine`() throws {
    let server = try SecureShellServer(fixtures: ["Settable"])
    try server.there.saveConfiguration(
      """
      { pages: [{ name: "P", cards: ["\(Self.other)"] }],
        widgets: { "\(Self.other)": { words: ["far", "away"] } } }
      """
    )
    try world.saveConfiguration(#"{ widgets: { "\#(Self.other)": { words: ["near"] } } }"#)
    let terminal = try open(server, ["page", "there"])
    try terminal.waitForText("far away")
    #expect(!terminal.screen.contains("problem"))
    try quit(terminal, server)
  }

  // MARK: - Hostile machines

  /// Puts a program `ssh` into a folder, behind which a machine says what it wants.
  private func makeClient(_ machine: String) throws -> String {
    let bin = "\(world.path)/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try world.write(
      """
      #!/bin/sh
      case " $* " in
      *" -N "*) echo connected; exec sleep 3600 ;;
      esac
      exec python3 \(world.path)/machine.py
      """,
      to: "\(bin)/ssh"
    )
    try world.write(machine, to: "\(world.path)/machine.py")
    #expect(unsafe chmod("\(bin)/ssh", 0o755) == 0)
    return bin
  }

  private func hostile(_ machine: String) throws -> ProgramDescription {
    var environment = world.environment()
    environment["PATH"] = "\(try makeClient(machine)):/usr/bin:/bin"
    return ProgramDescription(
      BuiltProgram.path ?? "",
      ["page", "me@evil"],
      environment: environment,
      directory: world.path
    )
  }

  @Test(
    arguments: [
      (#"print('0 {"protocol":2,"today":"9.9"}', flush=True)"#, "is newer than this one"),
      (
        #"print('0 {"protocol":0,"cards":[]}', flush=True)"#,
        "its answer is not that of today serve"
      ),
      ("while True: print('x' * 1000)", "its answer is not that of today serve"),
      ("import sys; sys.stdout.write('0 ' + 'x' * 10000000); sys.stdout.flush()", "evil"),
      ("import sys; sys.exit(64)", "too old to show its pages"),
      ("import sys; sys.exit(3)", "exit 3"),
      (#"import sys; sys.stderr.write('\x1b]0;x\x07no\n'); sys.exit(3)"#, "no"),
    ]
  )
  func `a machine that speaks otherwise is refused with words`(_ machine: String, _ words: String)
    throws
  {
    let run = try ProgramRun(hostile(machine))
    #expect(run.status == .exited(code: 69))
    #expect(run.errorText.contains(words), "\(run.errorText)")
    #expect(!run.errorText.contains("\u{1B}"))
    #expect(world.processesLeft() == [])
  }

  @Test func `a hostile machine is shown, and can do nothing`() throws {
    let machine = #"""
      import json, sys
      def say(card, message): print(card, json.dumps(message), flush=True)
      say(0, {"protocol": 1, "today": "1", "page": "P", "cards": [
        {"id": "evil.card", "name": "Evil\u001b[31m"}, {"id": "../../x", "name": "No"}]})
      for line in sys.stdin:
          card, text = line.split(" ", 1)
          message = json.loads(text)
          method = message.get("method")
          if method == "initialize":
              say(card, {"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": 1,
                "implements": ["performAction"], "view": {"type": "vstack", "children": [
                  {"type": "text", "text": "Allow? \u001b[2J [y]"},
                  {"type": "button", "label": "File", "action": "file"},
                  {"type": "text", "text": "Link", "link": "ssh://x"}]}}})
              for name in ["secretFind", "defaultsRead", "postNotice", "org.today.runCommand"]:
                  say(card, {"jsonrpc": "2.0", "id": name, "method": name, "params": {}})
              say(99, {"jsonrpc": "2.0", "method": "setView", "params": {}})
          elif method == "performAction":
              say(card, {"jsonrpc": "2.0", "id": "o", "method": "openURL",
                "params": {"url": "file:///etc/passwd"}})
              say(card, {"jsonrpc": "2.0", "id": message["id"], "result": {}})
          elif method is None and message.get("id") == "o":
              say(card, {"jsonrpc": "2.0", "method": "setView", "params": {"view":
                "answer: " + json.dumps(message.get("result", "error"))}})
      """#
    let terminal = try PseudoTerminal(hostile(machine), columns: 80, rows: 30)
    try terminal.waitForText("Allow? ␛[2J [y]")
    #expect(!terminal.screen.contains("No ·"))
    try terminal.settle()
    try terminal.click("File")
    try terminal.waitForText("answer: ")
    #expect(terminal.screen.contains("false"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
