import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions

/// Bundles that another user could have written or can change.
struct BundleTrustTests {
  private let folder: BundleFolder

  init() throws {
    folder = try BundleFolder()
    try folder.widget("A.widget", "com.example.A")
  }

  /// Looks for bundles as in one of the usual folders.
  private func scan(named: Bool = false) -> (names: [String], problems: [String]) {
    let data = folder.path
    let paths =
      named
      ? SearchPaths(named: ["\(data)/today/widgets"], environment: [:], executable: nil)
      : SearchPaths(
        environment: ["XDG_DATA_HOME": data, "XDG_DATA_DIRS": "/nowhere"],
        executable: nil
      )
    let catalog = BundleCatalog.scan(paths)
    return (catalog.widgets.map(\.bundleIdentifier), catalog.problems.map(\.description))
  }

  private func moveIntoSearchPath() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/today/widgets",
      withIntermediateDirectories: true
    )
    #expect(rename("\(folder.path)/A.widget", "\(folder.path)/today/widgets/A.widget") == 0)
  }

  @Test(arguments: ["", "/Info.plist", "/run"])
  func `a bundle that every user can write to is refused`(part: String) throws {
    try moveIntoSearchPath()
    let path = "\(folder.path)/today/widgets/A.widget\(part)"
    for mode: mode_t in [0o777, 0o1777] where mode == 0o777 || part.isEmpty {
      chmod(path, mode)
      for named in [true, false] {
        #expect(scan(named: named).names == [])
        #expect(
          scan(named: named).problems == [
            "A.widget\(part) is writable by every user; "
              + "expected not writable by others (chmod o-w)"
          ]
        )
      }
    }
    chmod(path, 0o775)
    #expect(scan().names == ["com.example.A"])
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give a file away"),
    arguments: ["", "/Info.plist", "/run"]
  )
  func `a bundle of another user is refused`(part: String) throws {
    try moveIntoSearchPath()
    #expect(chown("\(folder.path)/today/widgets/A.widget\(part)", 65_534, 65_534) == 0)
    for named in [true, false] {
      #expect(scan(named: named).names == [])
      #expect(
        scan(named: named).problems == [
          "A.widget\(part) is owned by another user (number 65534); expected owned by you or root"
        ]
      )
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `the owner of a named folder is trusted, and nobody else`() throws {
    try moveIntoSearchPath()
    let widgets = "\(folder.path)/today/widgets"
    for path in [widgets, "\(widgets)/A.widget", "\(widgets)/A.widget/Info.plist"] {
      #expect(chown(path, 65_534, 65_534) == 0)
    }
    #expect(scan(named: true).names == ["com.example.A"])
    #expect(scan(named: false).names == [])
    #expect(chown("\(widgets)/A.widget/Info.plist", 65_533, 65_533) == 0)
    #expect(scan(named: true).names == [])
  }

  @Test func `a link out of the search path is refused, one within it is followed`() throws {
    let widgets = "\(folder.path)/today/widgets"
    try FileManager.default.createDirectory(atPath: widgets, withIntermediateDirectories: true)
    #expect(symlink("../../A.widget", "\(widgets)/A.widget") == 0)
    #expect(scan().names == [])
    #expect(
      scan().problems == [
        "A.widget is a symbolic link that leads out of \(widgets); "
          + "expected a folder whose name ends in .widget or .appex"
      ]
    )
    unlink("\(widgets)/A.widget")
    #expect(rename("\(folder.path)/A.widget", "\(widgets)/.hidden.widget") == 0)
    #expect(symlink(".hidden.widget", "\(widgets)/B.widget") == 0)
    #expect(scan().names == ["com.example.A"])
  }

  @Test func `the search path itself may be a link`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/today",
      withIntermediateDirectories: true
    )
    #expect(symlink("..", "\(folder.path)/today/widgets") == 0)
    #expect(scan().names == ["com.example.A"])
  }

  @Test func `the extensions of an app must be inside it`() throws {
    let widgets = "\(folder.path)/today/widgets"
    try FileManager.default.createDirectory(atPath: widgets, withIntermediateDirectories: true)
    try folder.app("today/widgets/T.app", "com.example")
    #expect(symlink(folder.path, "\(widgets)/T.app/PlugIns") == 0)
    #expect(scan().names == [])
    #expect(scan().problems.count == 1 && scan().problems[0].contains("leads out of"))
  }

  @Test func `a folder on the way to the executable is checked too`() throws {
    try moveIntoSearchPath()
    let bundle = "\(folder.path)/today/widgets/A.widget"
    mkdir("\(bundle)/bin", 0o755)
    #expect(rename("\(bundle)/run", "\(bundle)/bin/run") == 0)
    #expect(symlink("bin/run", "\(bundle)/run") == 0)
    #expect(scan().names == ["com.example.A"])
    chmod("\(bundle)/bin", 0o777)
    #expect(scan().names == [])
  }
}
