import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

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
