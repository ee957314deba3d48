import FoundationEssentials
import Testing
import WidgetTestSupport

/// Every command that takes the identifier of a widget takes its name too.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NamedWidgetsTests {
  private let good = "com.example.fixture.good"

  @Test func `a widget is uninstalled by its name`() throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    for name in ["Good", "good", good] {
      #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
      let asked = try world.installed(["uninstall", name])
      #expect(asked.status == .exited(code: 1))
      #expect(asked.outputText.contains("  \(good): its files"), "\(asked.errorText)")
      #expect(try world.installed(["list"]).outputText.contains(good))
      let run = try world.installed(["uninstall", name, "--yes"])
      #expect(run.status == .exited(code: 0), "\(name) \(run.errorText)")
      #expect(try !world.installed(["list"]).outputText.contains(good))
    }
    let gone = try world.installed(["uninstall", "Good", "--yes"])
    #expect(gone.status == .exited(code: 66))
    #expect(gone.errorText.hasPrefix("today: no widget or app “Good” is installed"))
  }

  @Test func `an instance is not uninstalled alone, and of two with one name neither is`() throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    let instance = try world.installed(["uninstall", "Good:second", "--yes"])
    #expect(instance.status == .exited(code: 64))
    #expect(instance.errorText.contains("“today remove Good:second” removes"))

    let other = "\(world.path)/Other.widget"
    try FileManager.default.copyItem(atPath: bundle, toPath: other)
    let plist = try String(contentsOfFile: "\(other)/Info.plist", encoding: .utf8)
    try world.write(
      plist.replacing("com.example.fixture.good", with: "com.example.other"),
      to: "\(other)/Info.plist"
    )
    #expect(try world.installed(["install", other, "--yes"]).status == .exited(code: 0))
    let listed = try world.installed(["list"]).outputText
    if listed.split(separator: "\n").count(where: { $0.hasSuffix("Good") }) == 2 {
      let run = try world.installed(["uninstall", "Good", "--yes"])
      #expect(run.status == .exited(code: 64))
      #expect(run.errorText.contains("“Good” is ambiguous"))
    }
    #expect(try world.installed(["list"]).outputText.contains(good))
  }

  @Test func `a script is uninstalled by its title`() throws {
    let world = try TestWorld()
    try world.write(
      "#!/bin/sh\n# today: title=\"Of somebody\"\necho x\n",
      to: "\(world.path)/other.5s.sh"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(world.path)/other.5s.sh"
    )
    #expect(try world.installed(["install", "other.5s.sh", "--yes"]).status == .exited(code: 0))
    let run = try world.installed(["uninstall", "Of somebody", "--yes"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(try !world.installed(["list"]).outputText.contains("Of somebody"))
  }

  @Test func `values are read and written by the name of a widget`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    #expect(try world.run(["defaults", "write", "Good", "a", "1"]).status == .exited(code: 0))
    #expect(try world.run(["defaults", "read", good, "a"]).outputText == "1\n")
    #expect(try world.run(["defaults", "read", "good", "a"]).outputText == "1\n")
    let wrong = try world.run(["defaults", "read", "Goood"])
    #expect(wrong.status == .exited(code: 66))
    #expect(wrong.errorText.contains("did you mean “Good”?"), "\(wrong.errorText)")
  }

  @Test(arguments: [
    ["snapshot", "Good"], ["refresh", "Good"], ["reload", "Good"], ["log", "Good"],
    ["settings", "Good"], ["permissions", "Good"], ["secrets", "Good"], ["purge", "Good"],
    ["has-content", "Good", "on"], ["move", "Good", "1"], ["remove", "Good"], ["add", "Good"],
    ["trace", "messages", "Good"], ["replay", "messages", "Good"],
  ])
  func `a command takes the name of a widget`(arguments: [String]) throws {
    let world = try TestWorld(fixtures: ["Good", "Counting"])
    let traced = try world.run(["snapshot", "Good", "--trace", "\(world.path)/messages"])
    #expect(traced.status == .exited(code: 0), "\(traced.errorText)")
    var arguments = arguments
    if arguments[1] == "messages" { arguments[1] = "\(world.path)/messages" }
    let run = try world.run(arguments)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let wrong = try world.run(arguments.map { $0 == "Good" ? "Zzzzzzz" : $0 })
    if arguments[0] != "reload" { #expect(wrong.status != .exited(code: 0)) }
  }

  @Test func `an empty name is called empty, and is near to none`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    for name in ["", "  "] {
      for command in ["snapshot", "refresh", "settings", "permissions", "remove"] {
        let run = try world.run([command, name])
        #expect(run.status == .exited(code: 64), "\(command)")
        #expect(run.errorText.contains("the name of a widget is empty"), "\(run.errorText)")
      }
    }
  }
}
