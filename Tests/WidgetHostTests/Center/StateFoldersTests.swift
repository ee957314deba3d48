import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

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

  @Test(arguments: [
    (CardID("org.today.Clock"), "org.today.Clock"),
    (CardID("org.today.Clock", instance: "2"), "org.today.Clock%232"),
    (CardID("../../etc/passwd"), "..%2F..%2Fetc%2Fpasswd"),
    (CardID("größe 1"), "gr%C3%B6%C3%9Fe%201"),
    (CardID("a\u{0}\n"), "a%00%0A"),
  ])
  func `no identifier leads out of its folder`(id: CardID, name: String) {
    #expect(StateFolders.fileName(id) == name)
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
}

@Suite struct PageRecordTests {
  private let record = PageRecord(cards: [
    .init(
      bundleIdentifier: "com.example.A",
      name: "A",
      displayMode: .expanded,
      offersExpanded: true,
      marginInsets: EdgeInsets(left: 1, right: 1)
    ),
    .init(
      bundleIdentifier: "com.example.B",
      name: "B",
      displayMode: .compact,
      offersExpanded: false,
      marginInsets: EdgeInsets(),
      path: "/b/B.widget",
      folderNumber: 7
    ),
  ])

  @Test func `a page is read as it was stored`() throws {
    let folder = try BundleFolder()
    let path = PageRecord.path(in: "\(folder.path)/pages", for: ["/a", "/b"])
    #expect(PageRecord.read(path) == nil)
    try PageRecord.change(path) { _ in record }
    #expect(PageRecord.read(path) == record)
  }

  @Test func `pages of other folders, or in another order, are other pages`() {
    let paths = [["/a", "/b"], ["/b", "/a"], ["/a"], []].map { PageRecord.path(in: "/p", for: $0) }
    #expect(Set(paths).count == paths.count)
    #expect(PageRecord.path(in: "/p", for: ["/a"]) == paths[2])
  }

  @Test(arguments: ["", "[]", "{}", "{\"cards\":[{}]}", "{\"cards\":7}"])
  func `an unreadable page counts as missing`(text: String) throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/page.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(PageRecord.read(path) == nil)
  }
}
