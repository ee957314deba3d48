import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Apps that came with a widget run in the sandbox, after a press, unless the user trusts them.
@Suite(.timeLimit(.minutes(5))) struct AppConfinementTests {
  private let world: TestWorld
  private let folders: StateFolders

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
    try world.write("x", to: "\(world.path)/home/secret")
  }

  private static let group = "group.com.example.app"

  /// An app that notes what it sees in its group, and tries to write to the home folder.
  private func app(
    installed: Bool = true,
    entitlements: String = ""
  ) throws -> AppBundle {
    let folder = installed ? "\(world.path)/data/today/widgets" : world.widgets
    let place = "\(folder)/Fixture.app"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.app"; CFBundleExecutable = run;
        CFBundleURLTypes = ({ CFBundleURLSchemes = (fixture); }); }
      """,
      to: "\(place)/Info.plist"
    )
    try world.write(
      "{ \"com.apple.security.application-groups\" = (\(Self.group), group.net.other.app); \(entitlements) }",
      to: "\(place)/Entitlements.plist"
    )
    try world.write(
      """
      #!/bin/sh
      group="$TODAY_GROUPS/\(Self.group)"
      touch "$HOME/escaped" 2>/dev/null
      [ -r "\(world.path)/home/secret" ] && secret=seen || secret=unseen
      [ -d "$TODAY_GROUPS/group.net.other.app" ] && other=seen || other=unseen
      touch "$TODAY_DATA/own" && own=writes || own=fails
      cat > "$group/input"
      echo "$1 $secret $other $own" > "$group/new"
      mv "$group/new" "$group/report"
      """,
      to: "\(place)/run"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(place)/run")
    return try AppBundle(path: place)
  }

  private func confinement(
    _ mode: SandboxMode = .automatic,
    environment: [String: String]? = nil,
    launcher: String? = nil
  ) -> AppConfinement {
    let environment = environment ?? world.environment()
    return AppConfinement(
      Sandbox(mode, environment: environment, launcher: launcher),
      environment: environment,
      executable: "/nowhere/bin/today"
    )
  }

  private func open(_ app: AppBundle, _ confinement: AppConfinement) async -> URLRefusal? {
    let router = URLRouter(environment: world.environment(), clock: VirtualClock())
    router.registry = SchemeRegistry(apps: [app])
    router.apps = confinement
    router.handover = { _ in }
    return await withCheckedContinuation { continuation in
      router.open("fixture:1") { continuation.resume(returning: $0) }
    }
  }

  private var report: String? {
    try? String(contentsOfFile: "\(folders.group(Self.group))/report", encoding: .utf8)
  }

  private var hasEscaped: Bool {
    FileManager.default.fileExists(atPath: "\(world.path)/home/escaped")
  }

  private func trust(_ app: AppBundle) throws {
    try StoredPermissions(folders).change(app.bundleIdentifier) { $0.isTrusted = true }
  }

  @Test func `an installed app runs in the sandbox with its container and its groups`() async throws
  {
    let app = try app()
    StateFolders.make(folders.group("group.net.other.app"))
    #expect(await open(app, confinement()) == nil)
    await eventually("the report") { report != nil }
    #expect(report == "fixture:1 unseen unseen writes\n")
    #expect(!hasEscaped)
    #expect(world.processesLeft() == [])
  }

  @Test func `what was granted to its app it has in the sandbox, and nothing else`() async throws {
    let app = try app(
      entitlements:
        "\"com.apple.security.files.home-relative-path.read-only\" = (secret);"
    )
    #expect(confinement().permissions(of: app).map(\.state) == [.open, .open])
    try StoredPermissions(folders).change(app.bundleIdentifier) {
      $0.grant(EntitlementRequest(.homeFiles, items: ["secret"]))
    }
    #expect(await open(app, confinement()) == nil)
    await eventually("the report") { report != nil }
    #expect(report == "fixture:1 seen unseen writes\n")
    #expect(!hasEscaped)
  }

  @Test(arguments: [true, false])
  func `one that the user trusts, or has named, runs as the user`(isTrusted: Bool) async throws {
    let app = try app(installed: isTrusted)
    if isTrusted { try trust(app) }
    #expect(confinement().isTrusted(app))
    #expect(await open(app, confinement()) == nil)
    await eventually("the report") { report != nil }
    #expect(hasEscaped)
  }

  @Test func `trust in another bundle of this identifier is none in this one`() throws {
    let app = try app()
    try StoredPermissions(folders).change(app.bundleIdentifier) {
      $0.isTrusted = true
      $0.place = "/elsewhere/Fixture.app"
    }
    #expect(!confinement().isTrusted(app))
  }

  @Test func `without a sandbox it is not started before it is trusted`() async throws {
    let app = try app()
    let none = confinement(environment: world.environment().merging(["PATH": "/nowhere"]) { $1 })
    let refusal = try #require(await open(app, none))
    #expect(refusal.description.contains("com.example.app --grant trust"), "\(refusal)")
    try trust(app)
    #expect(await open(app, none) == nil)
  }

  @Test func `no transfer starts an app that the user does not trust, before something is pressed`()
    async throws
  {
    let app = try app()
    let record = TransferRecord(
      task: TransferBook.newTask(),
      kind: .download,
      identifier: "news",
      group: Self.group,
      widget: "com.example.app.today",
      app: app.bundleIdentifier,
      appPath: app.path,
      method: "GET",
      url: "https://example.com/news.json",
      byteLimit: 1_000,
      result: TransferRecord.Ending(error: "the server is gone", reason: "network")
    )
    func start(afterPress: Bool) async -> String? {
      let launch = TransferAppLaunch(confinement(), afterPress: afterPress, clock: VirtualClock())
      return await withCheckedContinuation { continuation in
        launch.start([record]) {
          continuation.resume(returning: $0)
          withExtendedLifetime(launch) {}
        }
      }
    }
    let refusal = try #require(await start(afterPress: false))
    #expect(refusal.contains("started only when something is pressed"), "\(refusal)")
    #expect(report == nil && !hasEscaped)
    #expect(await start(afterPress: true) == nil)
    #expect(report == "--handle-events-for-background-url-session unseen unseen writes\n")
    #expect(!hasEscaped)
    let input = try String(contentsOfFile: "\(folders.group(Self.group))/input", encoding: .utf8)
    #expect(input.contains(record.task))
    try trust(app)
    #expect(await start(afterPress: false) == nil)
    #expect(hasEscaped)
  }
}
