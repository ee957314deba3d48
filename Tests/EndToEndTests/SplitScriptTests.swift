import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// A status command whose blocks are cards, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SplitScriptTests {
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // It has started something, which must not be left behind.
    let script = """
      #!/bin/sh
      # today: title=Status format=i3bar split=true
      sleep 1000 &
      exec 4>&1
      print() { printf '[{"name":"wlan","instance":"wlan0","full_text":"home %s"},%s],\\n' "$1" "$2" >&4; }
      printf '%s\\n' '{"version":1,"click_events":true}' '['
      load='{"name":"load","full_text":"4.12 load"}'
      print 70 "$load"
      while read -r click; do
        echo "$click" >>"$HOME/clicks"
        case $click in
        *load*) print "after a click" '{"full_text":"no name"}' ;;
        *wlan*) print "again" "$load" ;;
        esac
      done
      """
    try Data(script.utf8).write(to: URL(filePath: "\(folder)/status.sh"))
    #expect(unsafe chmod("\(folder)/status.sh", 0o755) == 0)
    // No widgets of the program, which would move the cards when they grow.
    try Data("{ pages: [{ name: 'Home', cards: [] }] }".utf8)
      .write(to: URL(filePath: "\(world.path)/config/today/config.json"))
    return world
  }

  @Test(.enabled(if: FullSandbox.isThere))
  func `the blocks of a command in the sandbox are cards, and it cannot read the home folder`()
    throws
  {
    let world = try TestWorld()
    let (folder, secret) = ("\(world.path)/confined", "\(world.path)/home/secret")
    for folder in [folder, "\(world.path)/config/today"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data("open sesame".utf8).write(to: URL(filePath: secret))
    let script = """
      #!/bin/sh
      # today: format=i3bar split=true
      words=$(cat '\(secret)' 2>/dev/null || echo nothing)
      printf '%s\\n' '{"version":1}' '['
      printf '[{"name":"time","full_text":"half past"},{"name":"file","full_text":"read %s"}],\\n' "$words"
      read -r _
      """
    try Data(script.utf8).write(to: URL(filePath: "\(folder)/bar.sh"))
    #expect(unsafe chmod("\(folder)/bar.sh", 0o755) == 0)
    for (isConfined, words) in [(true, "read nothing"), (false, "read open sesame")] {
      let config = "{ sources: [{ path: '\(folder)', sandbox: \(isConfined) }], pages: [] }"
      try Data(config.utf8).write(to: URL(filePath: "\(world.path)/config/today/config.json"))
      let page = try world.installed(["snapshot", "script.bar", "--width", "40"])
      #expect(page.outputText.contains("half past"), "\(page.outputText) \(page.errorText)")
      #expect(page.outputText.contains(words), "\(page.outputText)")
      #expect(world.processesLeft() == [])
    }
  }

  @Test
  func `a snapshot has the blocks of a command that never ran before, and so has an open page`()
    throws
  {
    let world = try world()
    let first = try world.installed(["snapshot", "script.status", "--width", "40"])
    #expect(first.status == .exited(code: 0), "\(first.errorText)")
    for words in ["wlan wlan0", "home 70", "load", "4.12 load"] {
      #expect(first.outputText.contains(words), "\(first.outputText)")
    }
    #expect(!first.outputText.contains("Status"), "\(first.outputText)")
    #expect(world.processesLeft() == [])
    let list = try world.installed(["list"])
    #expect(list.outputText.contains("script.status.wlan.wlan0"), "\(list.outputText)")
    let load = try world.installed(["snapshot", "script.status.load"])
    #expect(load.outputText.contains("4.12 load") && !load.outputText.contains("home"))

    let terminal = try world.openInstalledPage()
    try terminal.waitForText("home 70")
    try terminal.waitForText("4.12 load")
    try terminal.settle(calm: .milliseconds(300))
    // Another host has a process of its own, and the same cards.
    let other = try world.installed(["snapshot", "script.status", "--width", "40"])
    #expect(other.outputText.contains("4.12 load"), "\(other.outputText)")
    try terminal.click("4.12 load")
    try terminal.waitForText("home after a click")
    try terminal.waitForText("no name")
    try terminal.wait(for: "the end of the card") { !$0.contains("4.12 load") }
    try terminal.settle(calm: .milliseconds(500))
    try terminal.click("home after a click")
    try terminal.waitForText("4.12 load")
    try terminal.wait(for: "the end of the other") { !$0.contains("no name") }
    let clicks = try String(
      contentsOf: URL(filePath: "\(world.path)/home/clicks"),
      encoding: .utf8
    )
    #expect(clicks.contains(#""name":"load""#) && clicks.contains(#""instance":"wlan0""#))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    let list2 = try world.installed(["list"])
    #expect(list2.outputText.contains("script.status.2"), "\(list2.outputText)")
  }
}
