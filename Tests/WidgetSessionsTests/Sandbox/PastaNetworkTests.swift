import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// A network of its own by pasta, where slirp4netns is missing.
@Suite(
  .enabled("bubblewrap or pasta (in passt) does not work here, or /dev/net/tun is not permitted") {
    await Pasta.isThere
  },
  .timeLimit(.minutes(5))
) struct PastaNetworkTests {
  private func run(_ what: String, _ more: [String: String] = [:]) throws -> FixtureRun {
    let world = try TestWorld()
    let variables = try Pasta.tools(in: world).merging(["TODAY_TEST_HOSTILE": what]) { $1 }
    return try FixtureRun(
      "Hostile",
      environment: variables.merging(more) { $1 },
      sandbox: .required,
      entitlements: #"{ "com.apple.security.network.client" = YES; }"#,
      in: world
    )
  }

  private func living(_ group: ProcessRun) -> [Int32] {
    (ProcessGroups.members(of: [group])[group] ?? []).filter { ProcessList.state(of: $0) != "Z" }
  }

  @Test func `neither the loopback of the machine nor a name for it is in reach`() async throws {
    let server = try ListeningSocket()
    // pasta can put the loopback of the machine behind the address of the gateway.
    let hosts = ["127.0.0.1", OwnNetwork.gateway ?? "169.254.1.53"]
    let list = hosts.map { "[\"\($0)\", \(server.port)]" }.joined(separator: ", ")
    let run = try run("reach", ["TODAY_TEST_ADDRESSES": "[\(list)]"])
    await eventually("the attempts") { run.lines.last == "end" }
    #expect(run.lines.count == 3)
    #expect(run.lines.allSatisfy { !$0.hasSuffix("done") }, "\(run.lines)")
    await run.kill()
    #expect(run.world.processesLeft() == [])
  }

  @Test(.enabled("no name server takes connections") { await OwnNetwork.nameServerAnswers })
  func `the name server of the machine is asked`()
    async throws
  {
    let run = try run("reach", ["TODAY_TEST_ADDRESSES": "[[\"169.254.1.53\", 53]]"])
    await eventually("the attempt") { run.lines.last == "end" }
    #expect(run.lines.first == "169.254.1.53: done")
    await run.kill()
  }

  @Test(arguments: ["exit", "crash", "daemon"])
  func `it ends with the widget`(what: String) async throws {
    let run = try run(what)
    let group = try #require(run.process?.processRun)
    if what == "daemon" {
      await eventually("it to be ready") { run.lines == ["ready"] }
      await eventually("the widget and its daemon alone to count") {
        ProcessGroups.use(of: [group], threshold: .max)[group]?.processes == 2
      }
      await run.kill()
    }
    await eventually("its end") { run.status != nil }
    await eventually("the end of all") { living(group).isEmpty }
    #expect(run.world.processesLeft() == [])
  }
}

/// Whether a widget can have a network of its own by pasta here.
@MainActor private enum Pasta {
  /// A folder with the programs that are found, and no slirp4netns.
  static func tools(in world: TestWorld) throws -> [String: String] {
    let folder = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["bwrap", "pasta", "python3"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)",
        withDestinationPath: "/usr/bin/\(name)"
      )
    }
    return ["PATH": folder]
  }

  static let isThere: Bool = {
    guard let world = try? TestWorld(), let environment = try? tools(in: world) else {
      return false
    }
    return Sandbox(.required, environment: environment).network == .own(by: "pasta")
  }()
}
