import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

@Suite struct WidgetConfinementTests {
  private let world: TestWorld
  private let id = ExtensionIdentity("com.example.fixture.good")

  init() throws {
    world = try TestWorld()
  }

  private func bundle(_ entitlements: String? = nil) throws -> WidgetBundle {
    let path = try world.add(fixture: "Good", below: "\(world.path)/data/today/widgets")
    if let entitlements { try world.write(entitlements, to: "\(path)/Entitlements.plist") }
    return try WidgetBundle(path: path)
  }

  /// How a bundle is started, or why it is not.
  private func start(
    _ bundle: WidgetBundle,
    _ mode: SandboxMode = .automatic,
    hasBubblewrap: Bool = true,
    launcher: String? = nil,
    asks: Bool = true,
    named: Bool = false
  ) throws -> LaunchDescription {
    try start(
      bundle,
      confinement(
        mode,
        hasBubblewrap: hasBubblewrap,
        launcher: launcher,
        asks: asks,
        named: named
      )
    )
  }

  private func start(
    _ bundle: WidgetBundle,
    _ confinement: WidgetConfinement
  ) throws -> LaunchDescription {
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    return try confinement.confine(launch, bundle, id)
  }

  private func confinement(
    _ mode: SandboxMode = .automatic,
    hasBubblewrap: Bool = true,
    launcher: String? = nil,
    asks: Bool = true,
    named: Bool = false
  ) -> WidgetConfinement {
    var environment = world.environment()
    if !hasBubblewrap { environment["PATH"] = "/nowhere" }
    return WidgetConfinement(
      Sandbox(mode, environment: environment, launcher: launcher),
      paths: SearchPaths(
        named: named ? ["\(world.path)/data/today/widgets"] : [],
        environment: environment,
        executable: nil
      ),
      environment: environment,
      processLimit: 64,
      asks: asks
    )
  }

  private let asking = #"{ "com.apple.security.network.client" = YES; }"#

  @Test func `a widget is started in the sandbox`() throws {
    let launch = try start(bundle())
    #expect(launch.program == "/usr/bin/bwrap")
    #expect(launch.hasMonitor)
  }

  @Test func `off starts it without one`() throws {
    #expect(try start(bundle(), .off).program == "/bin/true")
  }

  @Test func `required never starts one without`() throws {
    let error = #expect(throws: HostError.self) {
      try start(bundle(), .required, hasBubblewrap: false, named: true)
    }
    #expect(error?.code == .withheld)
    #expect(error?.description.contains("bubblewrap is not installed") == true)
  }

  @Test func `where there is no sandbox, what the user installed needs trust`() throws {
    let bundle = try bundle()
    let error = #expect(throws: HostError.self) { try start(bundle, hasBubblewrap: false) }
    #expect(error?.code == .withheld)
    #expect(error?.description.contains("--grant trust") == true)
    #expect(try start(bundle, hasBubblewrap: false, named: true).program == "/bin/true")
    let book = PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
    try book.setTrusted(true, bundle)
    #expect(try start(bundle, hasBubblewrap: false).program == "/bin/true")
  }

  /// A launcher with which the probe succeeds.
  private let launcher = "/bin/true"

  @Test func `a partial sandbox is started by the launcher, with a folder for temporary files`()
    throws
  {
    let bundle = try bundle()
    let confinement = confinement(hasBubblewrap: false, launcher: launcher)
    let launch = try start(bundle, confinement)
    #expect(launch.program == launcher)
    #expect(launch.arguments == ["/bin/true"])
    #expect(!launch.hasMonitor)
    let cache = StateFolders(environment: world.environment()).containers(of: id, bundle).cache
    #expect(launch.environment["TMPDIR"] == "\(cache)/tmp")
    #expect(confinement.isInPartialSandbox(id))
    #expect(confinement.words(of: bundle, id) == "partial")
  }

  @Test func `required is not satisfied by a partial sandbox`() throws {
    let error = #expect(throws: HostError.self) {
      try start(bundle(), .required, hasBubblewrap: false, launcher: launcher, named: true)
    }
    #expect(error?.code == .withheld)
    #expect(error?.description.contains("has only a partial sandbox: bubblewrap is not") == true)
  }

  @Test func `a partial sandbox gives no sockets, and says so`() throws {
    let sockets = #"{ "org.today.sockets" = ("/run/a"); "org.today.process-info" = YES; }"#
    let bundle = try bundle(sockets)
    let confinement = confinement(hasBubblewrap: false, launcher: launcher, named: true)
    let launch = try start(bundle, confinement)
    #expect(launch.environment["TODAY_DENIED"] == "org.today.sockets")
    #expect(!rules(launch).contains("read-try:/run/a"))
    #expect(rules(launch).contains("read-try:/proc"))
    let words = confinement.words(of: bundle, id).string
    let denial = "may not use the sockets /run/a of other programs, as the sandbox is partial"
    #expect(words.contains(denial))
  }

  private func rules(_ launch: LaunchDescription) -> [String] { options(launch) }

  @Test func `an open request is asked about, or denied where nobody can answer`() throws {
    let bundle = try bundle(asking)
    let error = #expect(throws: HostError.self) { try start(bundle) }
    #expect(error?.code == .withheld)
    #expect(
      error?.description
        == "Asks to use the network: today permissions com.example.fixture.good --grant all, or "
        + "--revoke all, then r"
    )
    #expect(try options(start(bundle, asks: false)).contains("--unshare-net"))
    #expect(try !options(start(bundle, named: true)).contains("--unshare-net"))
  }

  @Test func `an answer is for all widgets of the app, and holds`() throws {
    let bundle = try bundle(asking)
    let book = PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
    try book.set(true, [EntitlementRequest(.network)], of: bundle)
    #expect(try !options(start(bundle)).contains("--unshare-net"))
    try book.set(false, [EntitlementRequest(.network)], of: bundle)
    #expect(try options(start(bundle)).contains("--unshare-net"))
  }

  @Test func `only a widget of the program can decline the sandbox`() throws {
    let declining = try bundle(#"{ "com.apple.security.app-sandbox" = NO; }"#)
    #expect(try start(declining).hasMonitor)
    #expect(try start(declining, named: true).hasMonitor)
  }

  @Test func `a widget is told what it asks for and may not`() throws {
    let bundle = try bundle(asking)
    let name = "com.apple.security.network.client"
    #expect(try start(bundle, asks: false).environment["TODAY_DENIED"] == name)
    #expect(confinement().denied(bundle, id) == [name])
    try book.set(true, [EntitlementRequest(.network)], of: bundle)
    #expect(try start(bundle).environment["TODAY_DENIED"] == nil)
    #expect(confinement().denied(bundle, id).isEmpty)
    try book.set(false, [EntitlementRequest(.network)], of: bundle)
    #expect(try start(bundle).environment["TODAY_DENIED"] == name)
  }

  @Test func `what is granted once holds until it is forgotten, and is not stored`() throws {
    let bundle = try bundle(asking)
    let confinement = confinement()
    let requests = confinement.openRequests(of: bundle, id)
    #expect(requests == [EntitlementRequest(.network)])
    // Why it does is for the diagnosis.
    let remark: SafeText = "The network includes localhost of this machine."
    #expect(confinement.remarks(of: bundle, id) == [remark])
    try confinement.answer(.once, requests, of: bundle, id)
    #expect(try !options(start(bundle, confinement)).contains("--unshare-net"))
    let words = confinement.words(of: bundle, id).string
    #expect(words.contains("; may use the network, with localhost"))
    #expect(book.permissions(of: bundle).map(\.state) == [.open])
    confinement.forgetOnce(id)
    #expect(throws: HostError.self) { try start(bundle, confinement) }
  }

  private var book: PermissionBook {
    PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
  }

  @Test func `an answer about a scheme starts no widget again, one about a request does`()
    throws
  {
    let bundle = try bundle(asking)
    let confinement = confinement(asks: false)
    _ = try start(bundle, confinement)
    try book.set(true, schemes: ["slack"], of: bundle)
    #expect(!confinement.isOutdated(bundle, changed: []))
    try book.set(true, [EntitlementRequest(.network)], of: bundle)
    #expect(confinement.isOutdated(bundle, changed: []))
    #expect(!confinement.isOutdated(bundle, changed: ["another.permissions"]))
  }

  @Test func `chosen files are shown where that is permitted, and others later noticed`()
    throws
  {
    let bundle = try bundle(#"{ "com.apple.security.files.user-selected.read-only" = YES; }"#)
    let confinement = confinement()
    var files = ["/srv/notes"]
    confinement.chosenFiles = { _ in files }
    try book.set(true, [EntitlementRequest(.chosenFiles)], of: bundle)
    #expect(try options(start(bundle, confinement)).contains("/srv/notes"))
    #expect(!confinement.hasOtherFiles(id))
    files = ["/srv/other"]
    #expect(confinement.hasOtherFiles(id))
    try book.set(false, [EntitlementRequest(.chosenFiles)], of: bundle)
    #expect(try !options(start(bundle, confinement)).contains("/srv/other"))
    #expect(!confinement.hasOtherFiles(id))
  }

  /// The widget may change `notes`, and puts a link in place of what it was granted in there.
  @Test(arguments: [true, false])
  func `a link in a folder that the widget may change opens nothing else`(isFull: Bool) throws {
    let home = "\(world.path)/home"
    let names = ["notes/inner", "secret"]
    for name in names {
      try FileManager.default.createDirectory(
        atPath: "\(home)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/also",
      withDestinationPath: "notes"
    )
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/notes/link",
      withDestinationPath: "../secret"
    )
    let bundle = try bundle(
      """
      { "com.apple.security.files.user-selected.read-write" = YES;
        "com.apple.security.files.home-relative-path.read-only" =
          ("notes/inner", "notes/link", "notes/link/deep", "also/link", "secret-too"); }
      """
    )
    let confinement = confinement(
      hasBubblewrap: isFull,
      launcher: isFull ? nil : launcher,
      named: true
    )
    confinement.chosenFiles = { _ in ["\(home)/notes", "\(home)/notes/link"] }
    let words = try options(start(bundle, confinement))
    let own = words.filter { $0.contains("\(home)/") && !$0.contains("/today/") }
    #expect(own.contains { $0.hasSuffix("\(home)/notes") }, "\(own)")
    #expect(!own.contains { $0.contains("link") || $0.contains("secret/") }, "\(own)")
    #expect(!own.contains { $0.hasSuffix("\(home)/secret") }, "\(own)")
  }

  private func options(_ launch: LaunchDescription) -> [String] {
    launch.inputs[0].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - Apps

  /// A widget in an app.
  private func bundleInApp() throws -> WidgetBundle {
    let app = "\(world.path)/data/today/widgets/Fixture.app"
    let path = try world.add(fixture: "Good", below: "\(app)/PlugIns")
    try world.write(asking, to: "\(path)/Entitlements.plist")
    try world.write(
      #"{ CFBundleIdentifier = "com.example.fixture"; CFBundleExecutable = run; }"#,
      to: "\(app)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(app)/run")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(app)/run")
    return try WidgetBundle(path: path)
  }

  /// What the question of a widget says about its app.
  private func wordsAboutApp(
    _ bundle: WidgetBundle,
    _ mode: SandboxMode = .automatic,
    hasBubblewrap: Bool = true,
    named: Bool = false
  ) -> [String] {
    confinement(mode, hasBubblewrap: hasBubblewrap, named: named).remarks(of: bundle, id)
      .map(\.string).filter { $0.contains("app com.example.fixture") }
  }

  @Test func `a question says how the app of the widget runs, and what trust would change`() throws
  {
    let bundle = try bundleInApp()
    let trust = "“today permissions com.example.fixture --grant trust” lets it"
    #expect(
      wordsAboutApp(bundle) == [
        "Its app com.example.fixture runs in the sandbox, and is started only by a press; "
          + "\(trust) run outside of the sandbox, also without a press."
      ]
    )
    #expect(wordsAboutApp(bundle, .required) == wordsAboutApp(bundle))
    #expect(wordsAboutApp(bundle, .off).first?.contains("which is off") == true)
    let without = wordsAboutApp(bundle, hasBubblewrap: false)
    #expect(without.first?.hasSuffix("as there is no sandbox; \(trust) do what you can.") == true)
    // Those of the command line, and widgets without an app, have nothing of the kind.
    #expect(wordsAboutApp(bundle, named: true) == [])
    #expect(try wordsAboutApp(self.bundle(asking)) == [])
    let book = PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
    try book.setTrusted(true, bundle)
    #expect(wordsAboutApp(bundle).first?.hasPrefix("You trust its app") == true)
    #expect(wordsAboutApp(bundle, .required).first?.contains("runs in the sandbox") == true)
  }
}
