import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What an answer about the command of a row permits, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct RowCommandTests {
  private func world(_ rows: String) throws -> TestWorld {
    let world = try TestWorld()
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("#!/bin/sh\n\(rows)\n", to: "\(folder)/menu.1h.sh")
    #expect(unsafe chmod("\(folder)/menu.1h.sh", 0o755) == 0)
    return world
  }

  private func ask(_ row: String, on terminal: PseudoTerminal) throws {
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click(row)
    try terminal.waitForText("Run a command?")
    try terminal.readQuestion()
  }

  @Test func `an answer for one command of env is not one for another`() throws {
    let world = try world(
      """
      # today: format=xbar title=Menu
      echo t; echo ---
      echo 'Hello | bash=/usr/bin/env param1=echo param2=hello terminal=false'
      echo 'Other | bash=/usr/bin/env param1=sh param2=-c param3="touch $HOME/escaped" terminal=false'
      """
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Other")
    try ask("Hello", on: terminal)
    #expect(!terminal.screen.contains("with any arguments"))
    try terminal.type("\r")
    try terminal.waitForText("Menu: hello")
    try ask("Other", on: terminal)
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("Run a command?") }
    #expect(access("\(world.path)/home/escaped", F_OK) != 0)
    let listed = try world.installed(["permissions", "script.menu"]).outputText
    #expect(listed.contains("command:/usr/bin/env echo hello"), "\(listed)")
    let open = ["permissions", "script.menu", "--grant", "command:/usr/bin/env ..."]
    let refused = try world.installed(open)
    #expect(refused.status == .exited(code: 64), "\(refused)")
    #expect(refused.errorText.contains("runs other programs"), "\(refused.errorText)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a program is permitted with any arguments by an answer of its own`() throws {
    let world = try world(
      """
      # today: format=xbar title=Menu
      [ $# = 0 ] || { echo "did $*"; exit; }
      echo t; echo ---
      echo "First | bash=$0 param1=one terminal=false"
      echo "Second | bash=$0 param1=two terminal=false"
      """
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Second")
    try ask("First", on: terminal)
    #expect(terminal.screen.contains("run menu.1h.sh with any arguments"))
    try terminal.type("a")
    try terminal.waitForText("Menu: did one")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Second")
    try terminal.waitForText("Menu: did two")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(.enabled(if: FullSandbox.isThere))
  func `the command of a script in the sandbox runs in it, and the question says so`() throws {
    let world = try world(
      """
      # today: format=xbar title=Menu sandbox=true
      echo t; echo ---
      echo 'Look | bash=/bin/sh param1=-c param2="[ -r $HOME/secret ] && echo sees it || echo sees nothing" terminal=false'
      echo 'Touch | bash=/bin/touch param1='"$HOME"'/escaped terminal=false'
      echo 'Edit | bash=/bin/sh param1=-c param2="touch $HOME/escaped; printf looking" terminal=true'
      """
    )
    try world.write("x", to: "\(world.path)/home/secret")
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Edit")
    try ask("Look", on: terminal)
    #expect(terminal.screen.contains("in its sandbox"))
    try terminal.type("\r")
    try terminal.waitForText("Menu: sees nothing")
    try ask("Touch", on: terminal)
    try terminal.type("o")
    // What it writes there is in the memory of the sandbox.
    try terminal.waitForText("Menu: done")
    try ask("Edit", on: terminal)
    #expect(terminal.screen.contains("in the terminal, in its sandbox"))
    try terminal.type("\r")
    try terminal.waitForText("Look")
    try terminal.settle(calm: .milliseconds(300))
    #expect(access("\(world.path)/home/escaped", F_OK) != 0)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
