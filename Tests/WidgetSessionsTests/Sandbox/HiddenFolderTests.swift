import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Folders of the program in folders that a widget may change.
@Suite(.timeLimit(.minutes(5))) struct HiddenFolderTests {
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
    return try await output(command, in: profile)
  }

  /// What a command prints in a sandbox.
  private func output(
    _ command: String,
    in profile: SandboxProfile,
    measured: (ProcessRun) -> Void = { _ in }
  ) async throws -> String {
    let sandbox = Sandbox(.required, environment: world.environment())
    let launch = LaunchDescription(
      program: "/bin/sh",
      arguments: ["-c", command],
      environment: ["PATH": "/usr/bin:/bin"],
      folder: profile.folder
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
      case .message, .log, .violation, .outOfMemory, .away: break
      }
    }
    if let run = process.processRun { measured(run) }
    process.closeInput()
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

  // MARK: - Files that the user has chosen

  private var environment: [String: String] {
    ["HOME": home, "USER": "me", "XDG_RUNTIME_DIR": "\(world.path)/run"]
  }

  /// The profile of a widget that may read, or change, files that the user has chosen.
  private func profile(_ files: [String], changes: Bool = false) -> SandboxProfile {
    var profile = SandboxProfile(
      folder: "/",
      environment: environment,
      StateFolders(environment: environment)
    )
    let request = EntitlementRequest(changes ? .chosenFilesWritable : .chosenFiles)
    profile.add(request, environment: environment, chosenFiles: files)
    profile.dropInnerPaths()
    profile.makeHiddenFolders()
    return profile
  }

  @Test(arguments: [
    ".local/share/today/secrets", ".local/state/today/permissions", ".local/state/today",
    ".cache/today", ".config/today/scripts", ".config/today", "//.local/../.local/state/today/",
    "slink", "slink/permissions", "up/state/today", "../run/today", ".local/share/today/none/x",
  ])
  func `a file of the program that the user chooses is not shown`(file: String) throws {
    for name in [".local/share/today/secrets", ".local/state/today/permissions", ".config/today"] {
      try FileManager.default.createDirectory(
        atPath: "\(home)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/slink",
      withDestinationPath: "\(home)/.local/state/today"
    )
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/up",
      withDestinationPath: ".local"
    )
    for changes in [false, true] {
      let profile = profile(["\(home)/\(file)"], changes: changes)
      #expect(profile.readableIfThere + profile.writableIfThere == [])
    }
  }

  @Test(arguments: [
    "/", "//", "/proc", "/proc/self/environ", "/sys", "/dev", "/dev/shm", "/usr/..",
  ])
  func `what each sandbox has of its own is not replaced by a chosen file`(file: String) {
    #expect(profile([file]).readableIfThere == [])
  }

  @Test(
    arguments: ["", "/.local", "/.local/share", "/.config", "/.cache", "/up"],
    [false, true]
  )
  func `a folder above those of the program is shown without them, and with what the widget has`(
    granted: String,
    changes: Bool
  ) async throws {
    let files = FileManager.default
    let data = "\(home)/.local/share/today"
    for name in ["widgets/X.widget", "containers/x", "secrets"] {
      try files.createDirectory(atPath: "\(data)/\(name)", withIntermediateDirectories: true)
    }
    try files.createDirectory(atPath: "\(home)/.cache", withIntermediateDirectories: true)
    try files.createDirectory(atPath: "\(home)/.config", withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: "\(home)/up", withDestinationPath: ".local")
    try world.write("secret", to: "\(data)/secrets/a")
    try world.write("own", to: "\(data)/widgets/X.widget/file")
    var profile = profile(["\(home)\(granted)"], changes: changes)
    profile.readable = ["\(data)/widgets/X.widget"]
    profile.writable = ["\(data)/containers/x"]
    let attempt = """
      cat \(data)/widgets/X.widget/file; echo
      echo kept > \(data)/containers/x/new && cat \(data)/containers/x/new
      cd \(home)\(granted) || exit
      find . \(home) -name a -o -name page 2>/dev/null
      for each in \(data) \(home)/.local/state/today \(home)/.cache/today \(home)/.config/today; do
        mkdir -p $each 2>/dev/null && echo x 2>/dev/null > $each/evil && ls $each/evil
      done
      echo end
      """
    #expect(try await output(attempt, in: profile).hasPrefix("own\nkept\n"))
    #expect(!files.fileExists(atPath: "\(data)/evil"))
    for name in [".local/state", ".cache", ".config"] {
      #expect(!files.fileExists(atPath: "\(home)/\(name)/today/evil"))
    }
    let found = try await output(attempt, in: profile)
    #expect(!found.contains("/secrets/a") && !found.contains("/today/page"), "\(found)")
  }

  @Test func `the folder for temporary files can be granted, and is no memory of the widget`()
    async throws
  {
    let folder = try BundleFolder()
    try Data("shared\n".utf8).write(to: URL(filePath: "\(folder.path)/file"))
    var bytes: UInt64?
    let text = try await output("cat \(folder.path)/file; cat", in: profile(["/tmp"])) { run in
      // The program has ended before its file system is gone.
      for _ in 0..<50 where bytes ?? 0 == 0 {
        bytes = ProcessGroups.use(of: [run], threshold: .max)[run]?.bytes
      }
    }
    #expect(text == "shared")
    #expect(try #require(bytes) < 64 << 20)
  }

  @Test func `a socket in a granted folder is not connected to`() async throws {
    let sockets = try OuterSockets(in: world.path)
    let script = """
      import socket
      try:
          socket.socket(socket.AF_UNIX).connect("\(sockets.path)")
          print("connected")
      except OSError as error:
          print(type(error).__name__)
      """
    try world.write(script, to: "\(world.path)/connect.py")
    var profile = profile([world.path])
    profile.folder = world.path
    let text = try await output("/usr/bin/python3 connect.py", in: profile)
    #expect(text == "PermissionError")
    #expect(!sockets.wereReached)
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
