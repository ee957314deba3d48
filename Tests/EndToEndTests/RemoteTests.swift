import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Scripts and widgets on another machine, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct RemoteTests: RemotePages {
  let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  @Test func `scripts of a machine share one connection, and their headings name it`() throws {
    let server = try SecureShellServer()
    // A word for the home, as a card would cut a long path.
    try server.there.write("far", to: "\(server.there.path)/home/word")
    try world.write("near", to: "\(world.path)/home/word")
    let home = "home $(cat \"$HOME/word\")"
    try write("a.1h.sh", "#!/bin/sh\n# today: host=there\necho \"\(home) columns $COLUMNS\"\n")
    try write("b.1h.py", "#!/usr/bin/env python3\n# today: host=there title=Snake\nprint('sss')\n")
    try write("here.1h.sh", "echo \"\(home)\"\n")
    let terminal = try open(server)
    try terminal.waitForText("home far columns")
    try terminal.waitForText("sss")
    try terminal.waitForText("home near")
    try terminal.waitForText("a · there")
    try terminal.waitForText("Snake · there")
    #expect(server.acceptedCount == 1)
    try quit(terminal, server)
  }

  @Test func `the last picture stays while a machine is away, and it is found again`() throws {
    let server = try SecureShellServer()
    try write("n.15s.sh", "#!/bin/sh\n# today: host=there\ncat \"$HOME/words\"\n")
    try server.there.write("sent there\n", to: "\(server.there.path)/home/words")
    let terminal = try open(server)
    try terminal.waitForText("sent there")
    try terminal.click("sent there")
    server.stop()
    try terminal.type("r")
    try terminal.wait(for: "words about the connection") { screen in
      screen.contains("unreachable since") || screen.contains("has ended")
    }
    // Each r tries at once, so that the pause after this many failures is longer than the test waits below.
    for _ in 0..<7 {
      let count = server.attemptCount
      // An r during an attempt asks for what is being done.
      try terminal.wait(for: "another attempt") { (_: TestScreen) in
        (try? terminal.type("r")) != nil && server.attemptCount > count
      }
      try terminal.wait(for: "its end") { !$0.contains("updating") }
    }
    try terminal.waitForText("unreachable since")
    #expect(terminal.screen.contains("sent there"))
    let log = try world.installed(["log", "script.n"]).outputText
    #expect(log.contains("unreachable since") && log.contains("Connection refused"), "\(log)")
    try server.there.write("second\n", to: "\(server.there.path)/home/words")
    try server.start()
    try terminal.type("r")
    try terminal.waitForText("second")
    try terminal.wait(for: "the end of the trouble") { !$0.contains("unreachable") }
    try quit(terminal, server)
  }

  @Test func `a page quits at once while a connection is made, and heads a narrow card`() throws {
    try write("n.1h.sh", "#!/bin/sh\n# today: host=me@there\necho first\n")
    let folder = "\(world.path)/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      "#!/bin/sh\necho there >'\(world.path)/begun'\nexec sleep 3600\n",
      to: "\(folder)/ssh"
    )
    #expect(unsafe chmod("\(folder)/ssh", 0o755) == 0)
    let terminal = try open(client: folder, columns: 40)
    try terminal.waitForText("n · there")
    try terminal.wait(for: "a process of ssh") { (_: TestScreen) in
      FileManager.default.fileExists(atPath: "\(world.path)/begun")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `the blocks of a status command there are cards, which send it their clicks`() throws {
    let server = try SecureShellServer()
    let script = """
      #!/bin/sh
      # today: host=there format=i3bar split=true
      echo started >>"$HOME/starts"
      exec 4>&1
      print() { printf '[{"name":"place","full_text":"at %s"},{"name":"load","full_text":"%s"}],\\n' "$HOME" "$1" >&4; }
      printf '%s\\n' '{"version":1,"click_events":true}' '['
      print idle
      while read -r click; do
        case $click in
        *load*) print clicked ;;
        esac
      done
      """
    try write("bar.sh", script)
    let terminal = try open(server)
    try terminal.waitForText("at \(server.there.path)/home")
    try terminal.waitForText("load · there")
    try terminal.waitForText("idle")
    try terminal.settle(calm: .milliseconds(500))
    try terminal.click("idle")
    try terminal.waitForText("clicked")
    #expect(server.acceptedCount == 1)
    let starts = try String(
      contentsOf: URL(filePath: "\(server.there.path)/home/starts"),
      encoding: .utf8
    )
    #expect(starts == "started\n", "two cards share one process")
    server.stop()
    try terminal.wait(for: "both cards to say so") { screen in
      screen.text.components(separatedBy: "unreachable").count > 2
        || screen.text.components(separatedBy: "has ended").count > 2
    }
    #expect(terminal.screen.contains("clicked"))
    try server.start()
    try terminal.type("r")
    try terminal.waitForText("idle")
    try quit(terminal, server)
  }

  @Test func `a changed host key is said in words`() throws {
    let server = try SecureShellServer()
    try write("n.1h.sh", "#!/bin/sh\n# today: host=there\necho first\n")
    let terminal = try open(server)
    try terminal.waitForText("first")
    try quit(terminal, server)
    try server.changeKey()
    try write("other.1h.sh", "#!/bin/sh\n# today: host=there\necho second\n")
    let again = try open(server)
    try again.waitForText("its host key has")
    #expect(again.screen.contains("first") && !again.screen.contains("second"))
    try quit(again, server)
  }

  @Test func `nothing stays behind there when the page is killed`() throws {
    let server = try SecureShellServer()
    try write(
      "follow.sh",
      "#!/bin/sh\n# today: host=there follow=true\necho begun\nsleep 3600 & cd \"$HOME\"; sleep 3601\n"
    )
    let terminal = try open(server)
    try terminal.waitForText("begun")
    #expect(!ProcessList.entries(naming: server.there.path).isEmpty)
    terminal.signal(SIGKILL)
    _ = try terminal.waitForEnd()
    #expect(server.there.processesLeft() == [])
    #expect(world.processesLeft() == [])
    // The shell removes the script on its own way out, when sshd has told it of the end.
    try expectNoFilesLeft(server)
  }

  @Test func `a script that floods or hangs there costs its own card`() throws {
    let server = try SecureShellServer()
    try write("flood.1h.sh", "#!/bin/sh\n# today: host=there\ncd \"$HOME\"; exec yes\n")
    try write("hang.1h.sh", "#!/bin/sh\n# today: host=there timeout=2s\ncd \"$HOME\"; sleep 3600\n")
    try write("good.1h.sh", "#!/bin/sh\n# today: host=there\necho good\n")
    let terminal = try open(server)
    try terminal.waitForText("good")
    try terminal.waitForText("printed more than 256 KiB")
    try terminal.waitForText("did not end within 2 s")
    #expect(server.there.processesLeft() == [])
    try quit(terminal, server)
  }

  // MARK: - Widgets

  private func openWidget(_ name: String, _ server: SecureShellServer) throws -> PseudoTerminal {
    try world.add(fixture: name)
    try world.install()
    let id = "com.example.fixture.\(name.lowercased())"
    try world.saveConfiguration(
      #"{ pages: [{ name: "Home", cards: ["\#(id)"] }], widgets: { "\#(id)": { host: "there" } } }"#
    )
    return try open(server)
  }

  @Test func `a widget runs on another machine, in its sandbox and with its folders`() throws {
    let server = try SecureShellServer(fixtures: ["Good"])
    let terminal = try openWidget("Good", server)
    try terminal.waitForText("Good · there")
    try terminal.waitForText("All is well")
    try terminal.click("More")
    try terminal.waitForText("Less")
    #expect(ProcessList.entries(naming: "\(world.path)/data/today/widgets") == [])
    #expect(!ProcessList.entries(naming: "\(server.there.path)/data/today/widgets").isEmpty)
    try quit(terminal, server)
  }

  @Test func `where today is missing the card says so`() throws {
    let server = try SecureShellServer(hasProgram: false)
    let terminal = try openWidget("Good", server)
    try terminal.waitForText("today is not installed on there")
    try quit(terminal, server)
  }

  @Test func `a widget that floods there is ended there`() throws {
    let server = try SecureShellServer(fixtures: ["Flooding"])
    let terminal = try openWidget("Flooding", server)
    try terminal.waitForText("Unable to Load")
    try quit(terminal, server)
  }
}
