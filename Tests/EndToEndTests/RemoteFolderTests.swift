import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// A folder of scripts on another machine, and the commands of its rows, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct RemoteFolderTests: RemotePages {
  let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.saveConfiguration(
      #"{ tiles: false, sources: [{ path: "~/xbar", format: "xbar", host: "there" }] }"#
    )
  }

  @Test func `its scripts are cards, which come and go with the scripts`() throws {
    let server = try SecureShellServer()
    try write("load.1h.sh", "#!/bin/sh\necho \"at ${PWD##*/}/${0##*/}\"\n", on: server)
    try write(
      "n.1h.py",
      "#!/usr/bin/env python3\n# <xbar.title>Snake</xbar.title>\nprint('sss')\n",
      on: server
    )
    let terminal = try open(server)
    try terminal.waitForText("load · there")
    try terminal.waitForText("Snake · there")
    try terminal.waitForText("at xbar/load.1h.sh")
    try terminal.waitForText("sss")
    #expect(server.acceptedCount == 1)

    try write("late.1h.sh", "#!/bin/sh\necho it is here\n", on: server)
    try FileManager.default.removeItem(atPath: "\(server.there.path)/home/xbar/n.1h.py")
    try terminal.type("R")
    try terminal.waitForText("it is here")
    try terminal.wait(for: "the end of a card") { !$0.contains("Snake") && !$0.contains("sss") }
    #expect(terminal.screen.contains("load · there"))

    // What is said in its first lines holds at once.
    try write("late.1h.sh", "#!/bin/sh\n# today: title=Tardy\necho it is here\n", on: server)
    try terminal.type("R")
    try terminal.waitForText("Tardy · there")
    try quit(terminal, server)

    // The scripts are known while the machine is away, with what they have shown.
    server.stop()
    let again = try open(server)
    try again.waitForText("it is here")
    try again.waitForText("load · there")
    try again.waitForText("unreachable since")
    try again.type("q")
    #expect(try again.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    let list = try world.installed(["list", "--json"])
    #expect(list.outputText.contains("there:~/xbar/load.1h.sh"), "\(list.outputText)")
  }

  @Test func `a picture shows its scripts although no page was ever open`() throws {
    let server = try SecureShellServer()
    try write("load.1h.sh", "#!/bin/sh\necho at work\n", on: server)
    let first = try picture(server)
    #expect(first.outputText.contains("load · there"), "\(first)")
    #expect(first.outputText.contains("at work"), "\(first)")
    #expect(first.status == .exited(code: 0), "\(first)")
    try write("late.1h.sh", "#!/bin/sh\necho it is here\n", on: server)
    let cached = try picture(server, ["--cached"])
    #expect(!cached.outputText.contains("late"), "\(cached)")
    #expect(try picture(server).outputText.contains("it is here"))
    server.stop()
    let away = try picture(server)
    #expect(away.outputText.contains("it is here"), "\(away)")
    #expect(away.status == .exited(code: 1))
    #expect(world.processesLeft() == [])
  }

  @Test func `a picture of a folder that cannot be listed says so`() throws {
    let server = try SecureShellServer()
    let missing = try picture(server)
    #expect(missing.errorText.contains("there:~/xbar: there is no such folder"), "\(missing)")
    server.stop()
    let away = try picture(server, ["--timeout", "5"])
    #expect(away.errorText.contains("there:~/xbar: "), "\(away)")
    #expect(world.processesLeft() == [])
  }

  @Test func `a folder that cannot be listed is said, and names that deceive are left out`() throws
  {
    let server = try SecureShellServer()
    let terminal = try open(server)
    try terminal.waitForText("there:~/xbar: there is no such folder")
    try write("good.1h.sh", "#!/bin/sh\necho good\n", on: server)
    try write("bad\u{1B}[31m.sh", "#!/bin/sh\necho bad\n", on: server)
    try terminal.type("R")
    try terminal.waitForText("good · there")
    try terminal.waitForText("scripts left out for their names or their number: 1")
    #expect(!terminal.screen.contains("bad"))
    try quit(terminal, server)
  }

  @Test func `a command of a row runs there after consent, on a terminal too`() throws {
    let server = try SecureShellServer()
    let home = "\(server.there.path)/home"
    try write(
      "menu.1h.sh",
      """
      #!/bin/sh
      echo "Made: $(ls "$HOME" | grep -c made) | color=red"
      echo ---
      echo "Make it | bash=./make.tool param1=made param2='two words' terminal=false refresh=true"
      echo "Not there | bash=nowhere-tool"
      echo "Edit it | bash=./edit.tool terminal=true refresh=true"

      """,
      on: server
    )
    try write(
      "make.tool",
      "#!/bin/sh\n# today: show=false\n> \"$HOME/$1\"; echo \"made with $2\"\n",
      on: server
    )
    try write(
      "edit.tool",
      "#!/bin/sh\n# today: show=false\n[ -t 0 ] && printf 'name? '\nread name\n: >\"$HOME/made-$name\"\n",
      on: server
    )
    let terminal = try open(server)
    try terminal.waitForText("Made: 0")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Make it")
    try terminal.waitForText("Run a command?")
    try terminal.waitForText("Machine")
    try terminal.readQuestion()
    #expect(!FileManager.default.fileExists(atPath: "\(home)/made"))
    try terminal.type("\r")
    try terminal.waitForText("Made: 1")
    try terminal.waitForText("made with two words")
    #expect(FileManager.default.fileExists(atPath: "\(home)/made"))
    let listed = try world.installed(["permissions", "script.there.menu"]).outputText
    #expect(listed.contains("command:there: '~/xbar/make.tool' made 'two words'"), "\(listed)")

    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Not there")
    try terminal.waitForText("Run a command?")
    try terminal.readQuestion()
    try terminal.type("\r")
    try terminal.waitForText("nowhere-tool is not installed")

    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Edit it")
    try terminal.waitForText("wants to run a command in the terminal")
    try terminal.readQuestion()
    try terminal.type("\r")
    try terminal.waitForText("name?")
    try terminal.type("ann\r")
    try terminal.waitForText("Made: 2")
    #expect(FileManager.default.fileExists(atPath: "\(home)/made-ann"))
    #expect(server.acceptedCount == 1)
    try quit(terminal, server)
  }

  @Test func `another machine in config.json holds at once`() throws {
    let server = try SecureShellServer(fixtures: ["Good"])
    try world.add(fixture: "Good")
    try world.install()
    try write("who.1h.sh", "#!/bin/sh\necho \"home $HOME\"\n")
    func save(_ host: String) throws {
      try world.saveConfiguration(
        """
        { pages: [{ name: "Home", cards: ["com.example.fixture.good", "script.who"] }],
          widgets: { "com.example.fixture.good": { \(host) }, "script.who": { \(host) } } }
        """
      )
    }
    try save("")
    let terminal = try open(server)
    try terminal.waitForText("All is well")
    try terminal.waitForText("home \(world.path)/home")
    #expect(!ProcessList.entries(naming: "\(world.path)/data/today/widgets").isEmpty)

    try save(#"host: "there""#)
    try terminal.waitForText("Good · there")
    try terminal.waitForText("who · there")
    try terminal.waitForText("home \(server.there.path)/home")
    try terminal.wait(for: "the widget there, and none here") { (_: TestScreen) in
      ProcessList.entries(naming: "\(world.path)/data/today/widgets").isEmpty
        && !ProcessList.entries(naming: "\(server.there.path)/data/today/widgets").isEmpty
    }
    try save("")
    try terminal.wait(for: "the headings of this machine") { !$0.contains("· there") }
    try terminal.waitForText("home \(world.path)/home")
    try quit(terminal, server)
  }

  @Test func `of a page that is killed nothing stays, and its socket goes with the next page`()
    throws
  {
    let server = try SecureShellServer()
    try write("follow.sh", "#!/bin/sh\n# today: follow=true\necho begun\nsleep 3600\n", on: server)
    let terminal = try open(server)
    try terminal.waitForText("begun")
    #expect(try sockets().count == 1)
    terminal.signal(SIGKILL)
    _ = try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
    #expect(server.there.processesLeft() == [])
    let left = try sockets()
    let again = try open(server)
    try again.waitForText("begun")
    try again.wait(for: "the end of the old socket") { (_: TestScreen) in
      (try? sockets()).map { $0.count == 1 && $0 != left } ?? false
    }
    try quit(again, server)
  }
}
