import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What has to be installed.
private let companions = ["bwrap", "slirp4netns", "xdg-dbus-proxy"].map { "/usr/bin/\($0)" }

/// Programs that run beside the sandbox of a widget, in the real program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(
    if: companions.allSatisfy { access($0, X_OK) == 0 }
      && access("/dev/net/tun", R_OK | W_OK) == 0,
    "bubblewrap, slirp4netns, xdg-dbus-proxy or /dev/net/tun is missing"
  ),
  .timeLimit(.minutes(5))
) struct CompanionTests {
  /// A dashboard with a widget that may use the network and a name on the session bus.
  private func open(_ world: TestWorld) throws -> PseudoTerminal {
    let bundle = try world.add(fixture: "Good")
    try world.write(
      #"{ "com.apple.security.network.client" = YES; "org.today.dbus" = ("org.example.A"); }"#,
      to: "\(bundle)/Entitlements.plist"
    )
    // The proxy connects to the bus when the widget does.
    var program = world.today()
    program.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    let terminal = try PseudoTerminal(program, columns: 100, rows: 40)
    try terminal.waitForText("All is well")
    return terminal
  }

  /// The processes that connect networks of the widgets of a world, by the number of the first process of each.
  private func networks(_ world: TestWorld) -> [ProcessList.Entry] {
    let runs = ProcessList.entries(naming: world.path).map { "\($0.pid)" }
    return ProcessList.entries(naming: "slirp4netns").filter { entry in
      entry.commandLine.split(separator: " ").contains { runs.contains(String($0)) }
    }
  }

  private func proxies(_ world: TestWorld) -> [ProcessList.Entry] {
    ProcessList.entries(naming: world.path).filter { $0.commandLine.contains("xdg-dbus-proxy") }
  }

  @Test(arguments: ["q", "kill -9"])
  func `the network of a widget and its proxy end with the dashboard`(end: String) throws {
    let world = try TestWorld()
    let terminal = try open(world)
    let network = try #require(networks(world).first)
    #expect(proxies(world).count == 1)
    if end == "q" { try terminal.type("q") } else { terminal.signal(SIGKILL) }
    _ = try terminal.waitForEnd()
    #expect(world.processesLeft() == [])
    #expect(ProcessList.waitUntilGone(naming: network.commandLine) == [])
    let folder = "\(world.path)/run/today/bus"
    let sockets = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(sockets.count == (end == "q" ? 0 : 1))
  }

  @Test func `without the programs the commands say what to install`() throws {
    let world = try TestWorld()
    let bundle = try world.add(fixture: "Good")
    try world.write(
      #"{ "com.apple.security.network.client" = YES; "org.today.dbus" = ("org.example.A"); }"#,
      to: "\(bundle)/Entitlements.plist"
    )
    let tools = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(tools)/bwrap",
      withDestinationPath: "/usr/bin/bwrap"
    )
    let text = { (command: String) in
      try ProgramRun(world.today([command], term: nil, variables: ["PATH": tools])).outputText
    }
    let list = try text("permissions")
    #expect(list.contains("use the network, with localhost of this machine\n"))
    #expect(list.contains("denied, as xdg-dbus-proxy is not installed (apt-get install xdg-"))
    let findings = try text("doctor")
    #expect(findings.contains("share that of this machine, with localhost: slirp4netns is not"))
    #expect(findings.contains("install slirp4netns or pasta, and allow /dev/net/tun"))
    #expect(findings.contains("no widget talks to the session bus: xdg-dbus-proxy is not inst"))
  }

  @Test func `the inspector and the commands say which network it is`() throws {
    let world = try TestWorld()
    let terminal = try open(world)
    try terminal.type("i")
    try terminal.waitForText("may use the network, except localhost")
    let list = try world.run(["permissions"]).outputText
    #expect(list.contains("use the network, except localhost"))
    #expect(list.contains("org.example.A on the desktop's bus, denied, as there is no session bus"))
    let findings = try world.run(["doctor"]).outputText
    #expect(findings.contains("widgets that may use the network use it through one of their own"))
    #expect(findings.contains("no widget talks to the session bus: there is no session bus"))
    try terminal.type("iq")
    _ = try terminal.waitForEnd()
  }
}
