import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// A session bus of dbus-daemon with names on it, which ends with it.
private final class NamedBus {
  let socket: String
  private let processes: [Process]

  /// Whether the programs are installed that these tests need.
  nonisolated static let isThere = ["dbus-daemon", "xdg-dbus-proxy", "gdbus", "bwrap"].allSatisfy {
    access("/usr/bin/\($0)", X_OK) == 0
  }

  init(_ names: [String], in world: TestWorld) throws {
    socket = "\(world.path)/run/test-bus"
    let bus = try Self.start([
      "dbus-daemon", "--session", "--nofork", "--address=unix:path=\(socket)", "--print-address",
    ])
    let owner = try Self.start(
      ["python3", "\(TestWorld.fixtures)/bus-names.py", socket] + names
    )
    processes = [bus, owner]
  }

  /// Starts a program, and waits for the first line that it prints.
  private static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    try #require(
      !output.fileHandleForReading.availableData.isEmpty,
      "\(arguments[0]) did not start"
    )
    return process
  }

  deinit {
    for process in processes { kill(process.processIdentifier, SIGKILL) }
  }
}

/// Widgets that talk to names on the session bus.
@Suite(
  .enabled(if: NamedBus.isThere, "dbus, libglib2.0-bin and xdg-dbus-proxy are not installed"),
  .timeLimit(.minutes(5))
) struct SessionBusTests {
  private let world: TestWorld
  private let id = ExtensionIdentity("com.example.fixture.hostile")

  init() throws {
    world = try TestWorld()
  }

  private func talk(
    _ entitlements: String,
    names: [String],
    bus: NamedBus
  ) async throws -> (run: FixtureRun, answers: [String]) {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let run = try FixtureRun(
      "Hostile",
      environment: [
        "TODAY_TEST_HOSTILE": "talk", "TODAY_TEST_NAMES": "[\(list)]",
        SessionBus.variable: "unix:path=\(bus.socket)",
      ],
      sandbox: .required,
      entitlements: entitlements,
      in: world
    )
    await eventually("the answers") {
      run.lines.last == "end" || run.status != nil
    }
    #expect(run.status == nil, "\(run.log)")
    return (run, run.lines.dropLast())
  }

  private var sockets: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(world.path)/run/today/bus")) ?? []
  }

  @Test func `a name that is permitted answers, and another one is refused`() async throws {
    let bus = try NamedBus(
      ["org.example.Player", "org.example.Player.One", "org.example.Vault"],
      in: world
    )
    let (run, answers) = try await talk(
      #"{ "org.today.dbus" = ("org.example.Player.*"); }"#,
      names: ["org.example.Player", "org.example.Player.One", "org.example.Vault"],
      bus: bus
    )
    #expect(answers.prefix(2) == ["org.example.Player: done", "org.example.Player.One: done"])
    let refusal = try #require(answers.last)
    #expect(refusal.hasPrefix("org.example.Vault: "))
    #expect(refusal.contains("org.freedesktop.DBus.Error.ServiceUnknown"), "\(refusal)")
    #expect(sockets.count == 1)
    let group = try #require(run.process?.processRun)
    let isProxy = { (pid: Int32) in ProcFile.text("/proc/\(pid)/comm") == "xdg-dbus-proxy\n" }
    #expect(ProcessGroups.members(of: [group])[group]?.contains(where: isProxy) == true)
    await run.kill()
    await eventually("the end of all") {
      (ProcessGroups.members(of: [group])[group] ?? []).allSatisfy {
        ProcessList.state(of: $0) == "Z"
      }
    }
    #expect(sockets.isEmpty)
  }

  @Test func `without the entitlement nothing of the bus is in reach`() async throws {
    let bus = try NamedBus(["org.example.Player"], in: world)
    let (run, answers) = try await talk("{}", names: ["org.example.Player"], bus: bus)
    #expect(answers.count == 1)
    #expect(answers.first?.hasSuffix("done") == false)
    #expect(sockets.isEmpty)
    await run.kill()
  }

  @Test func `the socket of the bus itself is not in reach`() async throws {
    let bus = try NamedBus(["org.example.Vault"], in: world)
    let run = try FixtureRun(
      "Hostile",
      environment: [
        "TODAY_TEST_SECRETS": "[\"\(bus.socket)\"]", "TODAY_TEST_PID": "\(getpid())",
        "TODAY_TEST_SOCKETS": "[\"\(bus.socket)\", \"none\", 9, 9]", "TODAY_TEST_GRANTED": "/none",
        SessionBus.variable: "unix:path=\(bus.socket)",
      ],
      sandbox: .required,
      entitlements: #"{ "org.today.dbus" = ("org.example.Player"); }"#,
      in: world
    )
    await eventually("the attempts") { run.lines.last == "end" || run.status != nil }
    let attempt = run.lines.first { $0.hasPrefix("a socket by path: ") }
    #expect(attempt?.contains("FileNotFoundError") == true, "\(attempt ?? "\(run.log)")")
    await run.kill()
  }

  @Test func `a socket that a host left which has ended is removed`() async throws {
    let folder = "\(world.path)/run/today/bus"
    let first = try BusSocket.make(in: folder, number: 1)
    let ended = Process()
    ended.executableURL = URL(filePath: "/bin/true")
    try ended.run()
    ended.waitUntilExit()
    let left = "\(folder)/\(ended.processIdentifier)-7"
    for path in [first, left, "\(folder)/1-1", "\(folder)/other"] {
      try world.write("", to: path)
    }
    _ = try BusSocket.make(in: folder, number: 2)
    // Process 1 is there, and so is this one.
    #expect(Set(sockets) == ["1-1", "other", "\(getpid())-1"])
  }

  // MARK: - Where it is denied

  /// What a widget with the entitlement may not, and how that is said.
  private func denial(
    _ change: (inout [String: String]) throws -> Void = { _ in },
    entitlements: String = #"{ "org.today.dbus" = ("org.example.Player"); }"#,
    mode: SandboxMode = .automatic,
    tools: [String] = ["bwrap", "xdg-dbus-proxy"],
    launcher: String? = "/bin/true"
  ) throws -> (denied: String?, words: String, hasBus: Bool) {
    let folder = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in tools {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)",
        withDestinationPath: "/usr/bin/\(name)"
      )
    }
    let path = try world.add(fixture: "Good")
    try world.write(entitlements, to: "\(path)/Entitlements.plist")
    let bundle = try WidgetBundle(path: path)
    var environment = world.environment()
    environment["PATH"] = folder
    environment[SessionBus.variable] = "unix:path=/nowhere"
    try change(&environment)
    let confinement = WidgetConfinement(
      Sandbox(mode, environment: environment, launcher: launcher),
      paths: SearchPaths(named: [world.widgets], environment: environment, executable: nil),
      environment: environment,
      processLimit: 64,
      asks: false
    )
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    let started = try confinement.confine(launch, bundle, id)
    return (
      started.environment[WidgetConfinement.deniedVariable],
      confinement.words(of: bundle, id).string,
      started.environment[SessionBus.variable] != nil
    )
  }

  @Test func `with all that is needed it is permitted`() throws {
    let (denied, words, hasBus) = try denial()
    #expect(denied == nil)
    #expect(words == "full; may talk to org.example.Player on the desktop's bus")
    #expect(hasBus)
  }

  @Test func `without the proxy it is denied, with what to install`() throws {
    let (denied, words, hasBus) = try denial(tools: ["bwrap"])
    #expect(denied == "org.today.dbus")
    let reason = "as xdg-dbus-proxy is not installed (apt-get install xdg-dbus-proxy)"
    #expect(words == "full; may not talk to org.example.Player on the desktop's bus, \(reason)")
    #expect(!hasBus)
  }

  @Test func `without a session bus it is denied, and one in the runtime folder is found`() throws {
    let (denied, words, _) = try denial { $0[SessionBus.variable] = nil }
    #expect(denied == "org.today.dbus")
    #expect(words.hasSuffix("as there is no session bus (no DBUS_SESSION_BUS_ADDRESS)"))
    try world.write("", to: "\(world.path)/run/bus")
    var environment = world.environment()
    #expect(SessionBus.address(environment) == "unix:path=\(world.path)/run/bus")
    environment["XDG_RUNTIME_DIR"] = "relative"
    #expect(SessionBus.address(environment) == nil)
  }

  @Test func `in a partial sandbox or none it is denied`() throws {
    let partial = try denial(tools: ["xdg-dbus-proxy"])
    #expect(partial.denied == "org.today.dbus")
    #expect(partial.words.hasSuffix("as the sandbox is partial"))
    let off = try denial(mode: .off, tools: [])
    #expect(off.denied == "org.today.dbus")
    #expect(off.words.contains("as the setting “sandbox” is off"))
    let none = try denial(tools: [], launcher: nil)
    #expect(none.denied == "org.today.dbus")
    #expect(none.words.hasSuffix("as there is no sandbox"))
    #expect(!partial.hasBus && !off.hasBus && !none.hasBus)
  }

  @Test func `beside the network of the machine it is denied, as abstract sockets are there`()
    throws
  {
    let both =
      #"{ "org.today.dbus" = ("org.example.Player"); "com.apple.security.network.client" = YES; }"#
    let (denied, words, _) = try denial(entitlements: both)
    #expect(denied == "org.today.dbus")
    #expect(words.hasSuffix("as it may use the network too, and shares that of this machine"))
  }

  @Test func `a runtime folder with a path that is too long for sockets is named`() throws {
    let (denied, words, _) = try denial {
      $0["XDG_RUNTIME_DIR"] = "/" + String(repeating: "a", count: 100)
    }
    #expect(denied == "org.today.dbus")
    #expect(words.hasSuffix("is too long a path for sockets; XDG_RUNTIME_DIR can be a shorter one"))
  }
}
