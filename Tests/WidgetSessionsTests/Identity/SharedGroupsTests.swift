import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Which groups a widget shares, and where.
@Suite(.timeLimit(.minutes(5))) struct SharedGroupsTests {
  /// A widget, in an app if there are entitlements for one.
  private func bundle(_ widget: String, app: String?, in world: TestWorld) throws -> WidgetBundle {
    let folder = app == nil ? world.widgets : "\(world.widgets)/Fixture.app/PlugIns"
    let path = try world.add(fixture: "Good", below: folder)
    try world.write(Self.entitlements(widget), to: "\(path)/Entitlements.plist")
    if let app {
      let place = "\(world.widgets)/Fixture.app"
      try world.write(Self.entitlements(app), to: "\(place)/Entitlements.plist")
      try world.write(
        #"""
        { CFBundleIdentifier = "com.example.fixture"; CFBundleExecutable = run;
          CFBundleURLTypes = ({ CFBundleURLSchemes = (fixture); }); }
        """#,
        to: "\(place)/Info.plist"
      )
      try world.write("#!/bin/sh\nenv > \"$TODAY_DATA/env\"\n", to: "\(place)/run")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(place)/run"
      )
    }
    return try WidgetBundle(path: path)
  }

  private static func entitlements(_ groups: String) -> String {
    "{ \"com.apple.security.application-groups\" = (\(groups)); \"keychain-access-groups\" = (\(groups)); }"
  }

  @Test(arguments: [
    ("group.a", "group.a", ["group.a"], 0),
    ("group.a, group.b", "group.b, group.c", ["group.b"], 1),
    ("group.a", "group.b", [], 1), ("group.a", "", [], 1), ("group.a", nil, [], 1),
    ("", "group.a", [], 0), ("sheet", "sheet", [], 0),
  ])
  func `a group is shared if the widget and its app both request it`(
    widget: String,
    app: String?,
    groups: [String],
    problems: Int
  ) throws {
    let world = try TestWorld()
    let bundle = try bundle(widget, app: app, in: world)
    #expect(bundle.groups == groups)
    #expect(bundle.secretGroups == groups)
    let names = bundle.groupProblems.map(\.name)
    #expect(names.count { $0 == "com.apple.security.application-groups" } == problems)
    #expect(names.count { $0 == "keychain-access-groups" } == problems)
    let folders = StateFolders(environment: world.environment())
    let id = ExtensionIdentity(bundle.bundleIdentifier)
    let data = "\(world.path)/data/today/groups"
    #expect(
      folders.containers(of: id, bundle).groups
        == Dictionary(uniqueKeysWithValues: groups.map { ($0, "\(data)/\($0)") })
    )
  }

  @Test func `an app is started with the paths of its own folders and of its groups`() async throws
  {
    let world = try TestWorld()
    let app = try #require(try bundle("group.a", app: "group.a", in: world).containingApp)
    let environment = world.environment()
    let router = URLRouter(environment: environment, clock: VirtualClock())
    router.registry = SchemeRegistry(apps: [app])
    router.handover = { _ in }
    let refusal = await withCheckedContinuation { continuation in
      router.open("fixture:1") { continuation.resume(returning: $0) }
    }
    #expect(refusal == nil)
    let data = "\(world.path)/data/today"
    let file = "\(data)/containers/com.example.fixture/env"
    await eventually("the environment of the app") {
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.contains("TODAY_GROUPS=\(data)/groups\n")
    }
    let group = "\(data)/groups/group.a"
    let attributes = try FileManager.default.attributesOfItem(atPath: group)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(FileManager.default.fileExists(atPath: "\(group)/.today"))
  }
}
