import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today install` and `today uninstall` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(1)))
struct InstallTests {
  private let good = "com.example.fixture.good"

  @Test func `without a terminal a bundle is installed only with --yes`() throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    let asked = try world.installed(["install", bundle])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.hasPrefix("Widget \(good) (Good.widget)\n"))
    #expect(asked.errorText == "today: nothing was changed; --yes agrees without a terminal\n")
    #expect(try !world.installed(["list"]).outputText.contains(good))

    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains(good))
    let again = try world.installed(["install", bundle, "--yes"])
    #expect(again.outputText.contains("  replaces "))

    #expect(try world.installed(["uninstall", good]).status == .exited(code: 1))
    #expect(try world.installed(["list"]).outputText.contains(good))
    #expect(try world.installed(["uninstall", good, "--yes"]).status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains(good))
    let gone = try world.installed(["uninstall", good, "--yes"])
    #expect(gone.status == .exited(code: 1))
    #expect(gone.errorText.hasPrefix("today: no widget or app “\(good)” is installed"))
  }

  @Test func `a script is installed as a copy that runs in the sandbox`() throws {
    let world = try TestWorld()
    let text = """
      #!/bin/sh
      # today: title="Of somebody" sandbox=false
      [ -r "$HOME/secret" ] && echo sees it || echo sees nothing
      """
    try world.write(text, to: "\(world.path)/other.5s.sh")
    try world.write("x", to: "\(world.path)/home/secret")
    let plain = try world.installed(["install", "other.5s.sh", "--yes"])
    #expect(plain.status == .exited(code: 1))
    #expect(unsafe chmod("\(world.path)/other.5s.sh", 0o755) == 0)
    let asked = try world.installed(["install", "other.5s.sh"])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.contains("runs in the sandbox"))
    #expect(try !world.installed(["list"]).outputText.contains("script.other"))

    let run = try world.installed(["install", "other.5s.sh", "--yes"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    try FileManager.default.removeItem(atPath: "\(world.path)/other.5s.sh")
    let shown = try world.installed(["snapshot", "script.other"])
    #expect(shown.outputText.contains("sees nothing"), "\(shown.outputText)\(shown.errorText)")
    #expect(shown.outputText.contains("Of somebody"))
    #expect(try world.installed(["uninstall", "script.other"]).status == .exited(code: 1))
    #expect(try world.installed(["uninstall", "script.other", "--yes"]).status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains("script.other"))
    #expect(world.processesLeft() == [])
  }

  @Test func `a script asks for the network and for files like a widget`() throws {
    let world = try TestWorld()
    let text = """
      #!/bin/sh
      # today: network=true files="~/notes, ~/.ssh"
      [ -r "$HOME/notes/a" ] && echo reads notes || echo reads nothing
      [ -r "$HOME/other" ] && echo reads all || echo and nothing else
      """
    try world.write(text, to: "\(world.path)/own.5s.sh")
    #expect(unsafe chmod("\(world.path)/own.5s.sh", 0o755) == 0)
    for (folder, file) in [("notes", "notes/a"), ("", "other")] {
      try FileManager.default.createDirectory(
        atPath: "\(world.path)/home/\(folder)",
        withIntermediateDirectories: true
      )
      try world.write("x", to: "\(world.path)/home/\(file)")
    }
    let asked = try world.installed(["install", "own.5s.sh"])
    #expect(asked.outputText.contains("asks to use the network"), "\(asked.outputText)")
    #expect(asked.outputText.contains("notes"), "\(asked.outputText)")
    #expect(try world.installed(["install", "own.5s.sh", "--yes"]).status == .exited(code: 0))
    let before = try world.installed(["snapshot", "script.own"])
    #expect(before.outputText.contains("reads nothing"), "\(before.outputText)")
    let grant = ["permissions", "script.own", "--grant", "all"]
    let granted = try world.installed(grant)
    #expect(granted.status == .exited(code: 0), "\(granted)")
    let after = try world.installed(["snapshot", "script.own"])
    #expect(after.outputText.contains("reads notes"), "\(after.outputText)\(after.errorText)")
    #expect(after.outputText.contains("and nothing else"), "\(after.outputText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `what a widget asks for is said before it is installed`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let bundle = "\(world.path)/widgets/Good.widget"
    try "{ com.apple.security.network.client = YES; }".write(
      toFile: "\(bundle)/Entitlements.plist",
      atomically: true,
      encoding: .utf8
    )
    let asked = try world.installed(["install", bundle])
    #expect(asked.outputText.contains("\n    asks to use the network\n"), "\(asked.outputText)")
    #expect(asked.status == .exited(code: 1))
  }

  @Test(arguments: [
    ["install"], ["install", "a", "b"], ["uninstall"], ["install", "--force", "a"],
  ])
  func `a wrong call is a usage error`(arguments: [String]) throws {
    let world = try TestWorld()
    #expect(try world.installed(arguments).status == .exited(code: 64))
  }
}
