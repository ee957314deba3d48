import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Widgets with a network of their own: what they reach, and that it ends with them.
@Suite(
  .enabled(OwnNetwork.missing) { await OwnNetwork.isThere },
  .timeLimit(.minutes(5))
) struct OwnNetworkTests {
  private let entitlements = #"{ "com.apple.security.network.client" = YES; }"#

  private func run(_ what: String, _ more: [String: String] = [:]) throws -> FixtureRun {
    try FixtureRun(
      "Hostile",
      environment: ["TODAY_TEST_HOSTILE": what].merging(more) { $1 },
      sandbox: .required,
      entitlements: entitlements
    )
  }

  /// The processes of a run that have not ended.
  private func living(_ group: ProcessRun) -> [Int32] {
    (ProcessGroups.members(of: [group])[group] ?? []).filter { ProcessList.state(of: $0) != "Z" }
  }

  /// The processes of a run, by the names of their programs.
  private func names(_ run: FixtureRun) -> [String] {
    guard let group = run.process?.processRun else { return [] }
    return (ProcessGroups.members(of: [group])[group] ?? []).compactMap { pid in
      ProcFile.text("/proc/\(pid)/comm").map { $0.filter { $0 != "\n" } }
    }
  }

  @Test func `it reaches a server on the network, and not one on the machine's loopback`()
    async throws
  {
    let address = try #require(OwnNetwork.address, "this machine has no network")
    let server = try ListeningSocket(.everyAddress)
    // 10.0.2.2 is the gateway, behind which slirp4netns can put the loopback of the machine.
    let hosts = [address, "127.0.0.1", "10.0.2.2"]
    let list = hosts.map { "[\"\($0)\", \(server.port)]" }.joined(separator: ", ")
    let run = try run("reach", ["TODAY_TEST_ADDRESSES": "[\(list)]"])
    await eventually("the attempts") { run.lines.last == "end" }
    #expect(run.lines.first == "\(address): done")
    #expect(run.lines.dropFirst().dropLast().allSatisfy { !$0.hasSuffix("done") }, "\(run.lines)")
    #expect(run.lines.count == 4)
    await run.kill()
    #expect(run.world.processesLeft() == [])
  }

  @Test func `its network is counted as part of the sandbox, and is suspended with the widget`()
    async throws
  {
    let run = try run("daemon")
    await eventually("it to be ready") { run.lines == ["ready"] }
    #expect(names(run).contains("slirp4netns"))
    let process = try #require(run.process)
    let group = try #require(process.processRun)
    await eventually("the widget and its daemon alone to count") {
      ProcessGroups.use(of: [group], threshold: .max)[group]?.processes == 2
    }
    #expect(process.suspend() == nil)
    await eventually("all to stop") {
      living(group).allSatisfy { ProcessList.state(of: $0) == "T" }
    }
    process.signal(.resume)
    await run.kill()
    await eventually("the end of all") { living(group).isEmpty }
    #expect(run.world.processesLeft() == [])
  }

  @Test(arguments: ["exit", "crash"])
  func `its network ends when the widget ends by itself`(what: String) async throws {
    let run = try run(what)
    let group = try #require(run.process?.processRun)
    await eventually("its end") { run.status != nil }
    #expect(run.status == (what == "exit" ? .exited(3) : .signaled(SIGSEGV)))
    await eventually("the end of all") { living(group).isEmpty }
  }

  @Test func `SIGTERM does not take the network away before the widget has ended`() async throws {
    let run = try run("term")
    await eventually("its handler") { run.lines == ["ready"] }
    run.process?.signal(.terminate)
    await eventually("its end") { run.status != nil }
    #expect(run.lines == ["ready", "politely"])
    #expect(run.status == .exited(0))
  }

  @Test func `an end right after the start leaves nothing`() async throws {
    for delay in 0..<10 {
      let run = try run("daemon")
      let group = try #require(run.process?.processRun)
      usleep(UInt32(delay * 4_000))
      await run.kill()
      await eventually("the end of all") { living(group).isEmpty }
      #expect(run.world.processesLeft() == [])
    }
  }

  @Test func `a network that fails later starts no widget without one`() async throws {
    let world = try TestWorld()
    let tools = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    for name in ["bwrap", "slirp4netns"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(tools)/\(name)",
        withDestinationPath: "/usr/bin/\(name)"
      )
    }
    var environment = world.environment()
    environment["PATH"] = tools
    let sandbox = Sandbox(.required, environment: environment)
    #expect(sandbox.network == .own(by: "slirp4netns"))
    try FileManager.default.removeItem(atPath: "\(tools)/slirp4netns")
    var profile = SandboxProfile(folder: "/", home: "/nonexistent")
    profile.usesNetwork = true
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    let confined = try #require(try sandbox.confine(launch, profile))
    var status: TerminationStatus?
    var log: [SafeText] = []
    let process = try WidgetProcess(confined, limits: HostLimits(), groupsFolder: "/none") {
      if case .ended(let end) = $0 { status = end }
      if case .log(let lines) = $0 { log += lines }
    }
    await eventually("its end") { status != nil }
    #expect(status == .exited(125))
    #expect(
      log == ["sandbox-launcher: slirp4netns cannot be started: No such file or directory"]
    )
    #expect(process.pid != nil)
  }
}
