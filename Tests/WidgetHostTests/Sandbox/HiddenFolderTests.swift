import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import WidgetHost

/// Folders of the program in folders that a widget may change.
@Suite(.timeLimit(.minutes(1))) struct HiddenFolderTests {
  private let world: TestWorld
  private var home: String { "\(world.path)/home" }

  init() throws {
    world = try TestWorld()
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/home/.local/state/today",
      withIntermediateDirectories: true
    )
    try world.write("secret", to: "\(world.path)/home/.local/state/today/page")
    try FileManager.default.createSymbolicLink(
      atPath: "\(world.path)/alias",
      withDestinationPath: "home"
    )
  }

  /// What a command prints in a sandbox that may change a folder.
  private func output(_ command: String, changing folder: String) async throws -> String {
    var profile = SandboxProfile(folder: "/", home: home)
    profile.writableIfThere = [folder]
    profile.hidden = ["\(home)/.local/state/today"]
    let sandbox = Sandbox(.required, environment: world.environment())
    let launch = LaunchDescription(
      program: "/bin/sh",
      arguments: ["-c", command],
      environment: ["PATH": "/usr/bin:/bin"],
      folder: "/"
    )
    let confined = try #require(try sandbox.confine(launch, profile))
    var lines: [String] = []
    var hasEnded = false
    let process = try WidgetProcess(
      confined,
      limits: HostLimits(),
      groupsFolder: "/none"
    ) { report in
      switch report {
      case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
      case .ended: hasEnded = true
      case .log, .violation, .outOfMemory, .away: break
      }
    }
    await eventually("the end of the command") { hasEnded }
    withExtendedLifetime(process) {}
    return lines.joined(separator: "\n")
  }

  @Test(arguments: ["home", "alias"])
  func `a hidden folder cannot be moved with one above it`(granted: String) async throws {
    let folder = "\(world.path)/\(granted)"
    let attempt = """
      cd \(folder) && echo new > own && cat own
      mv .local/state .local/moved && echo moved
      mv .local moved && echo moved
      rm -r .local/state && echo removed
      cat .local/state/today/page .local/moved/today/page moved/state/today/page
      true
      """
    #expect(try await output(attempt, changing: folder) == "new")
    // And at the next start.
    let look = "cat \(folder)/.local/*/today/page \(folder)/*/state/today/page; echo looked"
    #expect(try await output(look, changing: folder) == "looked")
    let page = "\(home)/.local/state/today/page"
    #expect(try String(contentsOfFile: page, encoding: .utf8) == "secret")
  }

  @Test(arguments: [
    ("home", ".local/state/today", [".local", ".local/state"]),
    ("alias", ".local/state/today", [".local", ".local/state"]),
    ("home/.local/state", "today", []), ("home/.local/state/today", "", []),
    ("home/.local/sta", nil, []),
  ])
  func `it is found by every path`(granted: String, rest: String?, above: [String]) {
    let root = "\(world.path)/\(granted)"
    let found = HiddenFolder("\(home)/.local/state/today", in: root)
    #expect(found?.path == rest.map { $0.isEmpty ? root : "\(root)/\($0)" })
    #expect((found?.above ?? []) == above.map { "\(root)/\($0)" })
  }
}
