import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Permissions of an installed widget, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PermissionsTests {
  private static let id = "com.example.fixture.good"

  /// A world with an installed widget on the page that requests the network.
  private func world(_ entitlements: String? = nil) throws -> TestWorld {
    let world = try TestWorld()
    let bundle = try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    try world.write(
      entitlements ?? #"{ "com.apple.security.network.client" = YES; }"#,
      to: "\(bundle)/Entitlements.plist"
    )
    #expect(try world.installed(["add", "Good"]).status == .exited(code: 0))
    return world
  }

  @Test func `the dashboard asks, starts the widget when it may, and again when it may not`() throws
  {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("use the network")
    #expect(program(in: world) == nil)
    let list = try world.installed(["permissions", "Good"])
    #expect(list.outputText.contains("\(Self.id)  open  com.apple.security.network.client"))
    #expect(
      try world.installed(["permissions", "Good", "--grant", "all"]).status == .exited(code: 0)
    )
    try terminal.waitForText("All is well")
    #expect(try world.installed(["permissions", "Good"]).outputText.contains("  granted  "))
    let first = try #require(program(in: world))
    let name = "com.apple.security.network.client"
    #expect(
      try world.installed(["permissions", "Good", "--revoke", name]).status == .exited(code: 0)
    )
    try terminal.wait(for: "another process") { (_: TestScreen) in
      program(in: world).map { $0 != first } ?? false
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `the question of a widget says how its app runs`() throws {
    let world = try TestWorld()
    let app = "\(world.path)/data/today/widgets/Fixture.app"
    let bundle = try world.add(fixture: "Good", below: "\(app)/PlugIns")
    let network = #"{ "com.apple.security.network.client" = YES; }"#
    try world.write(network, to: "\(bundle)/Entitlements.plist")
    try world.write(
      #"{ CFBundleIdentifier = "com.example.fixture"; CFBundleExecutable = run; }"#,
      to: "\(app)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(app)/run")
    #expect(unsafe chmod("\(app)/run", 0o755) == 0)
    #expect(try world.installed(["add", "Good"]).status == .exited(code: 0))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("[ Deny ]")
    let words = terminal.screen.rows.joined(separator: " ").split(separator: " ")
      .filter { !$0.allSatisfy { "│|".contains($0) } }.joined(separator: " ")
    for part in [
      "Its app com.example.fixture runs in the sandbox, and is started only by a press;",
      "--grant trust” lets it run outside of the sandbox, also without a press.",
    ] { #expect(words.contains(part), "\(words)") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a bundle that asks for more is read again by R, and asks`() throws {
    let world = try world()
    _ = try world.installed(["permissions", "Good", "--grant", "all"])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("All is well")
    try terminal.settle()
    let bundle = "\(world.path)/data/today/widgets/Good.widget"
    try world.write(
      """
      { "com.apple.security.network.client" = YES; "org.today.process-info" = YES; }
      """,
      to: "\(bundle)/Entitlements.plist"
    )
    try terminal.type("R")
    try terminal.waitForText("see all processes of")
    try terminal.waitForText("[ Deny ]")
    try terminal.wait(for: "no process") { (_: TestScreen) in program(in: world) == nil }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: ["q", "kill -9"])
  func `what is granted once is listed while the page is open`(end: String) throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("[ Grant once ]")
    try terminal.readQuestion()
    try terminal.click("[ Grant once ]")
    try terminal.waitForText("All is well")
    let words = "; granted once, by the page that is open"
    #expect(try world.installed(["permissions", "Good"]).outputText.contains(words))
    let json = try world.installed(["permissions", "Good", "--json"]).outputText
    #expect(json.contains("\"grantedOnce\""))
    if end == "q" { try terminal.type("q") } else { terminal.signal(SIGKILL) }
    _ = try terminal.waitForEnd()
    let list = try world.installed(["permissions", "Good"]).outputText
    #expect(list.contains("  open  ") && !list.contains("granted once"))
  }

  @Test func `the question in the card is answered with the mouse, and kept`() throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("[ Grant ]")
    #expect(program(in: world) == nil)
    // A press counts when the question has been still for half a second.
    try terminal.readQuestion()
    try terminal.click("[ Grant ]")
    try terminal.waitForText("All is well")
    #expect(try world.installed(["permissions", "Good"]).outputText.contains("  granted  "))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `keys that come too soon answer nothing, and later ones deny`() throws {
    let world = try world()
    let terminal = try world.openInstalledPage()
    // A button gets the focus by Tab, and is pressed by Enter; all are typed before there is a question.
    try terminal.type("\t\t\t\r")
    try terminal.waitForText("[ Deny ]")
    #expect(try world.installed(["permissions", "Good"]).outputText.contains("  open  "))
    try terminal.readQuestion()
    try terminal.click("[ Deny ]")
    try terminal.waitForText("All is well")
    #expect(try world.installed(["permissions", "Good"]).outputText.contains("  refused  "))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// The process of the widget's program.
  private func program(in world: TestWorld) -> Int32? {
    ProcessList.entries(naming: world.path).first {
      $0.commandLine.contains("python3") && $0.commandLine.contains("good")
        && !$0.commandLine.contains("bwrap") && !$0.commandLine.contains("/bin/sh")
    }?.pid
  }

  @Test func `commands never ask, and start it without the network`() throws {
    let run = try world().installed(["snapshot", "--format", "json"])
    #expect(run.status == .exited(code: 0))
    #expect(run.outputText.contains("All is well"))
  }

  @Test func `a name that is not requested is a usage error that lists the others`() throws {
    let world = try world()
    let run = try world.installed(["permissions", "Good", "--grant", "network"])
    #expect(run.status == .exited(code: 64))
    let names = "com.apple.security.network.client, openURL:SCHEME, command:COMMAND, all, trust"
    #expect(run.errorText.contains(names))
    #expect(try world.installed(["permissions", "--grant", "all"]).status == .exited(code: 64))
    #expect(try world.installed(["permissions", "None"]).status == .exited(code: 66))
  }

  @Test func `doctor names entitlements that are not used, with file and line`() throws {
    let world = try world(
      """
      {
        "com.apple.security.network.clients" = YES;
        "org.today.devices" = ("/etc");
        "com.apple.security.application-groups" = ("group.example");
      }
      """
    )
    let text = try world.installed(["doctor"]).outputText
    let file = "Good.widget/Entitlements.plist"
    #expect(text.contains("\(file):2: com.apple.security.network.clients is not an entitlement"))
    #expect(text.contains("did you mean com.apple.security.network.client?"))
    #expect(text.contains("\(file):3: org.today.devices is \"/etc\"; expected an array of paths"))
    #expect(text.contains("\(file):4: com.apple.security.application-groups has group.example"))
    #expect(text.contains("widgets run in a sandbox"))
  }

  @Test func `without a sandbox an installed widget is not started before it is trusted`() throws {
    let world = try world("{}")
    // The program without what is installed with it, and so without its launcher.
    let alone = "\(world.path)/today"
    try FileManager.default.copyItem(atPath: BuiltProgram.path ?? "", toPath: alone)
    func run(_ arguments: String...) throws -> ProgramRun {
      try ProgramRun(
        ProgramDescription(
          alone,
          arguments,
          environment: world.environment(term: nil).merging(["PATH": "/nowhere"]) { $1 },
          directory: world.path
        )
      )
    }
    // A program at another place has another page.
    #expect(try run("add", "Good").status == .exited(code: 0))
    let refused = try run("snapshot")
    #expect(refused.status == .exited(code: 1))
    #expect((refused.outputText + refused.errorText).contains("Not started"))
    #expect(
      try world.installed(["permissions", "Good", "--grant", "trust"]).status == .exited(code: 0)
    )
    #expect(try run("snapshot").outputText.contains("All is well"))
    let trusted = try world.installed(["permissions", "Good"]).outputText
    #expect(trusted.contains("granted  trust") && trusted.contains("where there is no sandbox"))
  }

  /// Runs the program on a system without bubblewrap.
  private func inPartialSandbox(_ world: TestWorld, _ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "",
        arguments,
        environment: world.environment(term: nil).merging(["PATH": "/nowhere"]) { $1 },
        directory: world.path
      )
    )
  }

  @Test func `without bubblewrap an installed widget runs in a partial sandbox`() throws {
    let world = try world("{}")
    #expect(try inPartialSandbox(world, ["snapshot"]).outputText.contains("All is well"))
    let doctor = try inPartialSandbox(world, ["doctor"]).outputText
    #expect(doctor.contains("widgets run in a partial sandbox (Landlock): bubblewrap is not"))
    #expect(doctor.contains("install bubblewrap, and allow user namespaces, for the full one"))
    let listed = try inPartialSandbox(world, ["permissions"]).outputText
    #expect(listed.contains("The sandbox is partial, and gives no sockets: bubblewrap is not"))
  }

  @Test func `required does not start a widget in a partial sandbox`() throws {
    let world = try world("{}")
    try world.saveConfiguration(#"{ sandbox: "required" }"#)
    let run = try inPartialSandbox(world, ["snapshot"])
    #expect(run.status == .exited(code: 1))
    #expect(!run.outputText.contains("All is well"))
    let doctor = try inPartialSandbox(world, ["doctor"])
    #expect(doctor.status == .exited(code: 1))
    #expect(doctor.outputText.contains("there is only a partial one: bubblewrap is not installed"))
  }
}
