import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Bundles that are installed and removed, in folders of their own.
@Suite(.timeLimit(.minutes(5))) struct BundleInstallerTests {
  private let sources: BundleFolder
  private let home: BundleFolder

  init() throws {
    sources = try BundleFolder()
    home = try BundleFolder()
  }

  private var environment: [String: String] {
    ["HOME": home.path, "PATH": "/usr/bin:/bin"]
  }

  private var folder: String { "\(home.path)/.local/share/today/widgets" }

  private func installer() -> BundleInstaller {
    let paths = SearchPaths(environment: environment, executable: nil)
    return BundleInstaller(environment: environment, catalog: BundleCatalog.scan(paths))
  }

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @discardableResult
  private func install(_ path: String) async throws -> BundleInstaller.Staged {
    let installer = installer()
    let staged = try await installer.stage(path)
    try installer.install(staged)
    return staged
  }

  private func failure(of path: String) async -> String {
    do {
      _ = try await installer().stage(path)
      return "staged"
    } catch {
      return "\(error)".replacing(sources.path, with: "SOURCES").replacing(folder, with: "WIDGETS")
    }
  }

  /// A widget in an app, and its archive.
  private func app() throws -> String {
    try sources.app("C.app", "com.example.C", schemes: ["clown"])
    try sources.widget("C.app/PlugIns/W.widget", "com.example.C.W", name: "Clown")
    return "\(sources.path)/C.app"
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", command]
    process.currentDirectoryURL = URL(filePath: sources.path)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
  }

  @Test func `an app is installed with its widgets, and found at the next search`() async throws {
    let staged = try await install(try app())
    #expect(staged.bundleIdentifier == "com.example.C" && staged.replaced == nil)
    #expect(staged.widgets.map(\.bundleIdentifier) == ["com.example.C.W"])
    #expect(names() == ["C.app"])
    let catalog = BundleCatalog.scan(SearchPaths(environment: environment, executable: nil))
    #expect(catalog.widget(withIdentifier: "com.example.C.W") != nil)
    #expect(access("\(folder)/C.app/PlugIns/W.widget/run", X_OK) == 0)
  }

  @Test func `what is only prepared changes nothing`() async throws {
    let installer = installer()
    _ = try await installer.stage(try app())
    #expect(names().allSatisfy { $0.hasPrefix(".") })
    installer.discard()
    #expect(names().isEmpty)
  }

  @Test func `a newer version takes the place of the older one in one step`() async throws {
    let path = try app()
    try await install(path)
    try "new".write(toFile: "\(path)/version", atomically: true, encoding: .utf8)
    try FileManager.default.moveItem(atPath: path, toPath: "\(sources.path)/Other.app")
    let staged = try await install("\(sources.path)/Other.app")
    #expect(staged.replaced == "\(folder)/C.app")
    #expect(names() == ["C.app"])
    let version = try String(contentsOfFile: "\(folder)/C.app/version", encoding: .utf8)
    #expect(version == "new")
  }

  @Test func `the place and the identifiers of another bundle are not taken`() async throws {
    try await install(try app())
    try sources.widget("W.widget", "com.example.C.W")
    #expect(
      await failure(of: "\(sources.path)/W.widget")
        == "W.widget: WIDGETS/C.app already has the widget com.example.C.W"
    )
    try FileManager.default.removeItem(atPath: "\(sources.path)/C.app")
    try sources.app("C.app", "com.example.D")
    try sources.widget("C.app/PlugIns/W.widget", "com.example.D.W")
    #expect(
      await failure(of: "\(sources.path)/C.app")
        == "WIDGETS/C.app is another bundle; rename the new one, or uninstall the other"
    )
    #expect(names() == ["C.app"])
  }

  @Test(arguments: [
    ("ln -s /etc/passwd C.app/x", "C.app/x cannot be installed: it is a link"),
    ("ln C.app/run C.app/x", "cannot be installed: it has a hard link"),
    ("mkfifo C.app/x", "C.app/x cannot be installed: it is a pipe"),
    ("ln -s PlugIns C.app/x", "C.app/x cannot be installed: it is a link"),
    (
      "d=C.app; for i in $(seq 33); do d=$d/d; done; mkdir -p $d",
      "folders are nested more than 32 deep"
    ),
    ("truncate -s 257M C.app/x", "the bundle has more than 256 MiB"),
    ("rm C.app/Info.plist", "C.app/Info.plist"),
    ("rm -r C.app/PlugIns/W.widget", "C.app has no widget, no share extension and no action"),
  ])
  func `only plain files of a whole bundle are installed`(
    change: String,
    words: String
  ) async throws {
    let path = try app()
    try shell(change)
    let failure = await failure(of: path)
    #expect(failure.contains(words), "\(failure)")
    #expect(names().isEmpty)
  }

  @Test(arguments: ["tar -cf C.tar C.app", "tar -czf C.tar ./C.app"])
  func `an archive with one bundle is installed`(command: String) async throws {
    _ = try app()
    try shell(command)
    try await install("\(sources.path)/C.tar")
    #expect(names() == ["C.app"])
    #expect(access("\(folder)/C.app/PlugIns/W.widget/run", X_OK) == 0)
  }

  @Test(arguments: [
    ("tar -P -cf C.tar C.app/run C.app/../C.app/Info.plist", "which leads out of it"),
    ("tar -P -cf C.tar \"$PWD/C.app\"", "which leads out of it"),
    ("ln -s /etc C.app/x; tar -cf C.tar C.app", "it is a link"),
    ("touch other; tar -cf C.tar C.app other", "expected one folder *.app or *.widget at its top"),
    ("tar -cf C.tar -T /dev/null", "expected one folder *.app or *.widget at its top"),
    ("head -c 5000 /dev/urandom > C.tar", "C.tar"),
    ("mkfifo C.app/x; tar -cf C.tar C.app", "cannot be installed: it is a pipe"),
    (
      "truncate -s 300M C.app/x; tar -czf C.tar C.app; rm C.app/x", "has more than 256 MiB"
    ),
  ])
  func `a hostile archive is refused whole, and nothing stays behind`(
    command: String,
    words: String
  ) async throws {
    _ = try app()
    try shell(command)
    let failure = await failure(of: "\(sources.path)/C.tar")
    #expect(failure.contains(words), "\(failure)")
    #expect(names().isEmpty)
    #expect(access("/etc/passwd", R_OK) == 0)
  }

  @Test(arguments: [
    ("C.app/\nC.app/run\n", "C.app"), ("./C.app/x\n./\n", "C.app"), ("C.widget/a/../b\n", nil),
    ("/etc/x\n", nil), ("../x.app/y\n", nil), ("a/C.app/x\n", nil), (".app/x\n", nil), ("", nil),
    (".hidden.app/x\n", nil),
  ])
  func `the one bundle at the top of an archive is found`(list: String, name: String?) {
    #expect((try? BundleArchive.bundleName(inList: list, of: "x")) == name)
  }

  @Test func `an uninstalled app leaves nothing of its widgets`() async throws {
    try await install(try app())
    let folders = StateFolders(environment: environment)
    let containers = folders.containers(of: ExtensionIdentity("com.example.C.W"))
    for path in [containers.data, folders.logs] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let kept = "\(folders.logs)/com.example.Other.log"
    for path in ["\(containers.data)/x", "\(folders.logs)/com.example.C.W.log", kept] {
      try "x".write(toFile: path, atomically: true, encoding: .utf8)
    }
    let installer = installer()
    let installed = try installer.installed("com.example.C")
    #expect(installed.identifiers == ["com.example.C", "com.example.C.W"])
    try installer.uninstall(installed)
    #expect(names().isEmpty)
    #expect(access(containers.data, F_OK) != 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folders.logs) == ["com.example.Other.log"]
    )
  }

  @Test func `only what is the user's own is uninstalled`() async throws {
    try await install(try app())
    let cases = [
      ("com.example.C.W", "com.example.C.W belongs to the app com.example.C; uninstall the app"),
      (
        "x.y",
        "no widget or app “x.y” is installed; “today list” lists widgets, and “today list "
          + "--extensions” others"
      ),
    ]
    for (identifier, words) in cases {
      let error = #expect(throws: HostError.self) { try installer().installed(identifier) }
      #expect(error?.description == words)
    }
  }

  @Test func `another program that changes the bundles is waited for, then named`() async throws {
    let installer = installer()
    let staged = try await installer.stage(try app())
    let other = open(folder, O_RDONLY | O_DIRECTORY)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: HostError.self) { try installer.install(staged) }
    #expect(error?.code == .busy)
    close(other)
    #expect(names().isEmpty)
  }

  @Test(arguments: ["org.today.Mail", "script.menu"])
  func `an identifier of the program is not installed`(identifier: String) async throws {
    try sources.widget("W.widget", identifier)
    let words = await failure(of: "\(sources.path)/W.widget")
    #expect(
      words.hasPrefix("W.widget: its identifier is “\(identifier)”; expected another prefix than")
    )
  }

  @Test(arguments: [true, false])
  func `a bundle is not replaced by one of another kind`(isApp: Bool) async throws {
    try sources.app("B.app", "com.example.B")
    try sources.widget("B.app/PlugIns/W.widget", "com.example.B.W")
    try sources.widget("B.widget", "com.example.B")
    let names = isApp ? ["B.app", "B.widget"] : ["B.widget", "B.app"]
    try await install("\(sources.path)/\(names[0])")
    let words = await failure(of: "\(sources.path)/\(names[1])")
    #expect(
      words.contains("and WIDGETS/\(names[0]), which has the same identifier, is"),
      "\(words)"
    )
    #expect(self.names() == [names[0]])
    // The same kind is.
    #expect(try await install("\(sources.path)/\(names[0])").replaced == "\(folder)/\(names[0])")
  }

  @Test func `a scheme that another app has is told`() async throws {
    try await install(try app())
    try sources.app("Other.app", "com.example.Other", schemes: ["clown", "other"])
    try sources.widget("Other.app/PlugIns/W.widget", "com.example.Other.W")
    let installer = installer()
    let taken = installer.takenSchemes(of: try await installer.stage("\(sources.path)/Other.app"))
    installer.discard()
    #expect(taken.map(\.scheme) == ["clown"])
    #expect(taken.first?.owner == "\(folder)/C.app")
    // Not that of the app that it replaces.
    let same = self.installer()
    #expect(same.takenSchemes(of: try await same.stage("\(sources.path)/C.app")).isEmpty)
    same.discard()
  }

  @Test(arguments: ["group.com.good.Sheet", "Group.com.good", "GROUP.x"])
  func `a bundle with the name of a group is not installed`(identifier: String) async throws {
    try sources.widget("W.widget", identifier)
    try sources.app("A.app", identifier)
    try sources.widget("A.app/PlugIns/W.widget", "\(identifier).W")
    for name in ["W.widget", "A.app"] {
      let words = await failure(of: "\(sources.path)/\(name)")
      #expect(
        words.contains(
          "CFBundleIdentifier is \"\(identifier)\"; expected another prefix than group, "
            + "which only groups of apps have"
        )
      )
    }
    #expect(names().isEmpty)
  }

  @Test func `a bundle that was installed with the name of a group has none of its secrets`()
    async throws
  {
    try home.widget(".local/share/today/widgets/Evil.widget", "group.com.good.Sheet")
    let paths = SearchPaths(environment: environment, executable: nil)
    let catalog = BundleCatalog.scan(paths)
    #expect(catalog.widgets.isEmpty)
    #expect(catalog.problems.first?.description.contains("which only groups of apps have") == true)
    // The user may name a folder: that is no exception.
    let named = BundleCatalog.scan(SearchPaths(named: [folder], environment: [:], executable: nil))
    #expect(named.widgets.isEmpty)
    #expect(throws: HostError.self) {
      try BundleInstaller(environment: environment, catalog: catalog)
        .installed("group.com.good.Sheet")
    }
  }

  @Test func `an identifier that another folder has is not installed`() async throws {
    let shared = try BundleFolder()
    try shared.widget("today/widgets/There.widget", "com.example.There")
    try shared.app("today/widgets/There.app", "com.example.App")
    try sources.widget("W.widget", "com.example.There")
    try sources.app("C.app", "com.example.App")
    try sources.widget("C.app/PlugIns/W.widget", "com.example.App.W")
    let all = environment.merging(["XDG_DATA_DIRS": shared.path]) { $1 }
    let catalog = BundleCatalog.scan(SearchPaths(environment: all, executable: nil))
    for (name, kind) in [
      ("W.widget", "widget com.example.There"), ("C.app", "identifier com.example.App"),
    ] {
      let installer = BundleInstaller(environment: all, catalog: catalog)
      await #expect(throws: HostError.self) {
        try await installer.stage("\(sources.path)/\(name)")
      }
      do { _ = try await installer.stage("\(sources.path)/\(name)") } catch {
        #expect("\(error)".contains("There.") && "\(error)".hasSuffix("already has the \(kind)"))
      }
    }
    #expect(names().isEmpty)
  }

  @Test(arguments: [
    "root:x:0:0:root:/root:/bin/bash\n", "", "#!/bin/sh\necho hello\n", "PK\u{3}\u{4}",
  ])
  func `a file that is nothing to install is told what is expected`(_ text: String) async throws {
    let path = "\(sources.path)/file"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let words = await failure(of: path)
    #expect(words.contains("expected ") && words.contains("*.widget"), "\(words)")
    #expect(!words.contains("exit ") && words.contains("SOURCES/file"), "\(words)")
    #expect(names().isEmpty)
  }

  @Test func `what was not installed here is taken off the page instead`() throws {
    let shared = try BundleFolder()
    try shared.widget("today/widgets/There.widget", "com.example.There")
    let scripts = "\(home.path)/.config/today/scripts"
    try FileManager.default.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    let all = environment.merging(["XDG_DATA_DIRS": shared.path]) { $1 }
    try "#!/bin/sh\necho mine\n".write(
      toFile: "\(scripts)/mine.sh",
      atomically: true,
      encoding: .utf8
    )
    chmod("\(scripts)/mine.sh", 0o755)
    let catalog = BundleCatalog.scan(SearchPaths(environment: all, executable: nil))
    let installer = BundleInstaller(environment: all, catalog: catalog)
    for (id, reason) in [
      ("com.example.There", "not yours to uninstall"), ("script.mine", "a script of your own"),
    ] {
      do {
        _ = try installer.installed(id)
        Issue.record("found \(id)")
      } catch {
        #expect("\(error)".contains(reason), "\(error)")
        #expect("\(error)".contains("“today remove \(id)” takes it off the page"), "\(error)")
      }
    }
  }

  @Test func `what is not there has a code of its own`() async throws {
    do {
      _ = try await installer().stage("\(sources.path)/nothing.widget")
      Issue.record("staged")
    } catch {
      #expect(error.code == .missing, "\(error)")
    }
    do {
      _ = try installer().installed("com.example.Nothing")
      Issue.record("found")
    } catch {
      #expect(error.code == .missing, "\(error)")
    }
  }

  @Test func `uninstalling removes secrets, transfers, and groups that nobody else uses`()
    async throws
  {
    let path = try app()
    let groups =
      "{ \"com.apple.security.application-groups\" = (group.com.example.C, "
      + "group.com.example.Both, group.net.other); }"
    for place in [path, "\(path)/PlugIns/W.widget"] {
      try Data(groups.utf8).write(to: URL(filePath: "\(place)/Entitlements.plist"))
    }
    try await install(path)
    // Another app uses one of the groups, and a stranger only names the other one.
    for (app, group) in [
      ("com.example.D", "group.com.example.Both"), ("net.evil.E", "group.com.example.C"),
    ] {
      try sources.app("\(app).app", app)
      try sources.widget("\(app).app/PlugIns/W.widget", "\(app).W")
      for place in ["\(app).app", "\(app).app/PlugIns/W.widget"] {
        try Data("{ \"com.apple.security.application-groups\" = (\(group)); }".utf8)
          .write(to: URL(filePath: "\(sources.path)/\(place)/Entitlements.plist"))
      }
      try await install("\(sources.path)/\(app).app")
    }
    let folders = StateFolders(environment: environment)
    let storage = SecretStorage(files: folders)
    let name = try #require(SecretName("token"))
    let value = try #require(SecretValue("hunter2"))
    let owners = [
      "com.example.C", "com.example.C.W", "group.com.example.C", "group.com.example.Both",
      "group.net.other", "com.example.D.W",
    ]
    for owner in owners {
      try storage.group(owner).add(name, value)
      StateFolders.make(folders.group(owner))
    }
    let book = TransferBook(folders)
    for app in ["com.example.C", "com.example.D"] {
      try book.write(
        TransferRecord(
          task: TransferBook.newTask(),
          kind: .download,
          identifier: "news",
          group: "group.\(app)",
          widget: "\(app).W",
          app: app,
          appPath: "\(folder)/C.app",
          method: "GET",
          url: "https://example.com/news.json",
          byteLimit: 1_000
        )
      )
    }
    let found = try installer().installed("com.example.C")
    #expect(installer().groupsLeft(by: found) == ["group.com.example.C"])
    #expect(try installer().uninstall(found) == nil)
    let left = try owners.filter { try storage.group($0).find(name) != nil }
    #expect(left == ["group.com.example.Both", "group.net.other", "com.example.D.W"])
    let kept = try FileManager.default.contentsOfDirectory(atPath: folders.groups).sorted()
    #expect(!kept.contains("group.com.example.C"))
    #expect(kept.contains("group.com.example.Both") && kept.contains("group.net.other"))
    #expect(book.records().map(\.app) == ["com.example.D"])
  }
}
