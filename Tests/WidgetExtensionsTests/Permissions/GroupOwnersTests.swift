import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPlatform

/// To whom groups belong, and what an app of another developer gets of them.
@Suite struct GroupOwnersTests {
  private let world: TestWorld
  private let folders: StateFolders

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  /// The widget of an app that names groups for secrets, and groups for files.
  private func widget(
    _ app: String,
    _ secrets: String,
    files: String = "",
    folder: String? = nil
  ) throws -> WidgetBundle {
    let place = "\(world.path)/data/today/widgets/\(folder ?? app).app"
    let bundle = "\(place)/PlugIns/W.widget"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let list =
      "{ \"keychain-access-groups\" = (\(secrets)); "
      + "\"com.apple.security.application-groups\" = (\(files)); }"
    for (path, identifier, more) in [
      (place, app, ""),
      (
        bundle, "\(app).Today",
        "NSExtension = { NSExtensionPointIdentifier = \"com.apple.widget-extension\"; "
          + "NSExtensionPrincipalClass = Main; };"
      ),
    ] {
      try world.write(list, to: "\(path)/Entitlements.plist")
      try world.write(
        "{ CFBundleIdentifier = \"\(identifier)\"; CFBundleExecutable = run; \(more) }",
        to: "\(path)/Info.plist"
      )
      try world.write("#!/bin/sh\n", to: "\(path)/run")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/run")
    }
    return try WidgetBundle(path: bundle)
  }

  private func foreign(_ bundle: WidgetBundle) -> [String] {
    GroupOwners(folders).foreignRequests(of: bundle).flatMap(\.items)
  }

  private var book: PermissionBook {
    PermissionBook(
      SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment()
    )
  }

  private func confinement(asks: Bool = true) -> WidgetConfinement {
    WidgetConfinement(
      Sandbox(.automatic, environment: world.environment()),
      paths: SearchPaths(environment: world.environment(), executable: nil),
      environment: world.environment(),
      processLimit: 64,
      asks: asks
    )
  }

  @Test(arguments: [
    ("com.example.Vault", "group.com.example.Vault", false),
    ("com.example.Other", "group.com.example.Vault", false),
    ("net.thief.Clock", "group.com.example.Vault", true),
    ("com.example", "group.com.example.Vault", false),
    ("com.examples.X", "group.com.example.Vault", true),
    ("COM.Example.X", "group.com.example.Vault", false),
    ("io.github.thief.X", "group.io.github.victim.Y", true),
    ("io.github.me.X", "group.io.github.me.Y", false),
    ("uk.co.thief.X", "group.uk.co.victim.Y", true),
    ("net.thief.Clock", "group.shared", false), ("net.thief.Clock", "group.myco.tools.x", false),
    ("myco.tools.App", "group.myco.tools.x", false),
  ])
  func `a group belongs to the developer whose prefix it has`(
    app: String,
    group: String,
    isForeign: Bool
  ) throws {
    for bundle in [try widget(app, group), try widget(app, "", files: group)] {
      #expect(foreign(bundle) == (isForeign ? [group] : []))
    }
  }

  @Test func `another group belongs to the app that has used it first`() throws {
    let first = try widget("com.example.First", "group.shared")
    let second = try widget("net.other.Second", "group.shared")
    let third = try widget("com.example.Third", "group.shared")
    #expect(foreign(first) == [] && foreign(second) == [])
    book.claimGroups(of: first)
    book.claimGroups(of: second)
    #expect(foreign(first) == [])
    #expect(foreign(second) == ["group.shared"])
    #expect(foreign(third) == [])
    let owner = GroupOwners(folders).foreignRequests(of: second).flatMap(\.owners)
    #expect(owner == ["com.example.First"])
    // A developer whose prefix it has comes before whoever was first.
    let squatter = try widget("net.other.Squatter", "group.myco.tools.x")
    book.claimGroups(of: squatter)
    #expect(foreign(try widget("myco.tools.App", "group.myco.tools.x")) == [])
  }

  @Test func `secrets of another developer are read only when the user has permitted it`() throws {
    let group = "group.com.example.Vault"
    let storage = SecretStorage(files: folders)
    let (name, value) = (try #require(SecretName("token")), try #require(SecretValue("hunter2")))
    try SecretAccess(try widget("com.example.Vault", group), storage)
      .perform(SecretAddRequest(name: name, group: group, value: value))

    let thief = try widget("net.thief.Clock", group)
    let id = ExtensionIdentity("net.thief.Clock.Today")
    let confinement = confinement()
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    do throws(HostError) {
      _ = try confinement.confine(launch, thief, id)
      Issue.record("started without an answer")
    } catch {
      #expect(error.code == .withheld)
      #expect(
        error.description.contains("read and change secrets of other developers (com.example)")
      )
      #expect(error.description.contains(group))
    }
    let admitted = confinement.admitted(thief, id)
    #expect(admitted.secretGroups == [])
    #expect(throws: SecretFault.self) {
      try SecretAccess(admitted, storage).perform(SecretFindRequest(name: name, group: group))
    }
    #expect(
      try SecretAccess(admitted, storage).perform(SecretFindRequest(name: name, group: nil)).value
        == nil
    )
    let requests = book.permissions(of: thief)
    #expect(requests.map(\.state) == [.open])
    try book.set(true, requests.map(\.request), of: thief)
    _ = try confinement.confine(launch, thief, id)
    let permitted = confinement.admitted(thief, id)
    #expect(
      try SecretAccess(permitted, storage).perform(SecretFindRequest(name: name, group: group))
        .value
        == value
    )
    try book.set(false, requests.map(\.request), of: thief)
    #expect(confinement.admitted(thief, id).secretGroups == [])
  }

  @Test func `files of another developer are no folder of a widget that was not permitted`() throws
  {
    let group = "group.com.example.Vault"
    let thief = try widget("net.thief.Clock", "", files: group)
    let id = ExtensionIdentity("net.thief.Clock.Today")
    let admitted = confinement(asks: false).admitted(thief, id)
    #expect(admitted.groups == [] && admitted.secretGroups == [])
    #expect(folders.containers(of: id, admitted).groups == [:])
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    let confined = try confinement(asks: false).confine(launch, thief, id)
    #expect(
      !confined.inputs.contains { String(decoding: $0, as: UTF8.self).contains("\(group)\0") }
    )
    #expect(
      confined.environment["TODAY_DENIED"] == "com.apple.security.application-groups"
    )
  }

  @Test func `an app group is one for secrets too`() throws {
    let group = "group.com.example.Vault"
    #expect(try widget("com.example.A", "", files: group).secretGroups == [group])
    #expect(try widget("com.example.B", group, files: group).secretGroups == [group])
    // Then one question is enough.
    #expect(foreign(try widget("net.thief.C", group, files: group)) == [group])
  }

  @Test func `what is stored for an identifier belongs to the bundle that has it`() throws {
    let mine = try widget("com.example.Mine", "", folder: "Mine")
    let id = ExtensionIdentity("com.example.Mine.Today")
    let confinement = confinement(asks: false)
    let launch = LaunchDescription(program: "/bin/true", environment: [:], folder: "/")
    _ = try confinement.confine(launch, mine, id)
    let network = EntitlementRequest(.network)
    try book.set(true, [network], of: mine)
    #expect(book.otherPlace(of: mine) == nil)

    let other = try widget("com.example.Mine", "", folder: "Other")
    #expect(book.otherPlace(of: other) == mine.containingApp?.path)
    #expect(!book.isTrusted(other))
    #expect(book.record(of: mine).grants(network) && !book.record(of: other).grants(network))
    do throws(HostError) {
      _ = try confinement.confine(launch, other, id)
      Issue.record("started with what is stored for another bundle")
    } catch {
      #expect(error.code == .withheld)
      #expect(error.description.contains("com.example.Mine --grant identity"))
    }
    try book.takeOver(other)
    _ = try confinement.confine(launch, other, id)
    // Answers are not passed on.
    #expect(!book.record(of: other).grants(network))
    #expect(book.otherPlace(of: mine) == other.containingApp?.path)
  }
}
