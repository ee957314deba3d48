import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

@Suite struct StateFoldersTests {
  @Test func `without XDG variables everything is below the home folder`() {
    let folders = StateFolders(environment: ["HOME": "/home/a"])
    #expect(folders.state == "/home/a/.local/state/today")
    #expect(folders.cache == "/home/a/.cache/today")
    #expect(folders.data == "/home/a/.local/share/today")
  }

  @Test func `absolute XDG paths are followed and others ignored`() {
    let folders = StateFolders(
      environment: ["HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "c"]
    )
    #expect(folders.state == "/s/today")
    #expect(folders.cache == "/h/.cache/today")
  }

  @Test func `folders are created with their parents, for the owner only`() throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/a/b/c"
    #expect(StateFolders.make(path))
    #expect(StateFolders.make(path))
    let found = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/a/b")
    #expect(found[.posixPermissions] as? Int == 0o700)
    #expect(!StateFolders.make("/proc/none/of/it"))
  }

  /// Everything that is stored for an extension, relative to the home folder.
  private func stored(for id: ExtensionIdentity) throws -> Set<String> {
    let folder = try BundleFolder()
    let folders = StateFolders(environment: ["HOME": folder.path])
    let containers = folders.containers(of: id)
    StateFolders.make(containers.data)
    StateFolders.make(containers.cache)
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let snapshot = Snapshot(
      key: Snapshot.Key(id, displayMode: .compact, locale: "en"),
      made: now,
      contentDate: now,
      view: ViewNode(.spacer(minLength: 0)),
      preferredHeight: nil
    )
    let generations = SnapshotGenerations(folder: folders.snapshots, limits: HostLimits())
    _ = try generations.write(snapshot, now: now) { true }
    try ReloadRequests(folders).ask(id)
    let histories = RefreshHistories(folders)
    histories.write(RefreshHistory(), of: id)
    let shared = SharedHistories(
      histories: histories,
      locks: RefreshLocks(folder: folders.locks),
      afterWriting: { $0() }
    )
    guard case .held = shared.locks.attempt(id) else {
      Issue.record("the lock is taken")
      return []
    }
    try DurableFile.write([], to: folders.log(of: id))
    try DurableFile.write([], to: folders.runs(of: id))
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    // Only the files and folders of this extension, not those around them.
    return Set(paths.filter { $0.contains(id.bundleIdentifier) })
  }

  @Test func `the files of an extension are where they have always been`() throws {
    let found = try stored(for: ExtensionIdentity("com.example.A"))
    #expect(
      found == [
        ".local/share/today/containers/com.example.A",
        ".cache/today/containers/com.example.A",
        ".cache/today/snapshots/com.example.A",
        ".cache/today/snapshots/com.example.A/1.compact.en.snapshot.new",
        ".local/state/today/reload/com.example.A",
        ".local/state/today/schedule/com.example.A.json",
        ".local/state/today/locks/com.example.A.lock",
        ".local/state/today/logs/com.example.A.log",
        ".local/state/today/logs/com.example.A.runs",
      ]
    )
  }

  @Test func `each instance has files of its own, and none of another's`() throws {
    let plain = try stored(for: ExtensionIdentity("com.example.A"))
    let travel = try stored(for: ExtensionIdentity(parsing: "com.example.A:travel"))
    #expect(
      travel == Set(plain.map { $0.replacing("com.example.A", with: "com.example.A:travel") })
    )
  }

  @Test func `removing an extension removes its instances, and nothing of others`() throws {
    let folder = try BundleFolder()
    let folders = StateFolders(environment: ["HOME": folder.path])
    let ids = try ["com.example.A", "com.example.A:travel", "com.example.A.B", "com.example.Ab"]
      .map { try ExtensionIdentity(parsing: $0) }
    for id in ids {
      StateFolders.make(folders.containers(of: id).data)
      StateFolders.make("\(folders.snapshots)/\(id.fileName)")
      try DurableFile.write([], to: folders.log(of: id))
    }
    OrphanedState.erase(ExtensionIdentity("com.example.A"), from: folders)
    for path in [folders.containers, folders.snapshots] {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(Set(names) == ["com.example.A.B", "com.example.Ab"])
    }
    let logs = try FileManager.default.contentsOfDirectory(atPath: folders.logs)
    #expect(Set(logs) == ["com.example.A.B.log", "com.example.Ab.log"])
  }
}
