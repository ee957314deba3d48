import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetPlatform

@Suite struct PageRecordTests {
  nonisolated private static let cards: [PageRecord.Entry] = [
    .init(
      id: ExtensionIdentity("com.example.A", instance: InstanceName(rawValue: "travel")),
      name: "A · travel",
      displayMode: .expanded,
      offersExpanded: true,
      marginInsets: EdgeInsets(left: 1, right: 1)
    ),
    .init(
      id: ExtensionIdentity("com.example.B"),
      name: "B",
      displayMode: .compact,
      offersExpanded: false,
      marginInsets: EdgeInsets(),
      path: "/b/B.widget",
      folderNumber: 7,
      span: 2,
      chosenSpan: 3
    ),
  ]

  @Test(arguments: [
    PageRecord(cards: cards),
    PageRecord(cards: [], removed: [cards[0]], guests: [cards[1]]),
    PageRecord(pages: [
      .init(name: .home, cards: [cards[0]]),
      .init(name: PageName(rawValue: "At work") ?? .home, cards: [cards[1]]),
    ]),
    PageRecord(pages: [.init(name: PageName(rawValue: "At work") ?? .home, cards: cards)]),
  ])
  func `pages are read as they were stored`(record: PageRecord) throws {
    let folder = try BundleFolder()
    let path = PageRecord.path(in: "\(folder.path)/pages", for: ["/a", "/b"])
    #expect(PageRecord.read(path) == nil)
    try PageRecord.change(path) { _ in record }
    #expect(PageRecord.read(path) == record)
  }

  @Test func `the record of the first version is one page`() throws {
    let old = #"{"cards":[{"bundleIdentifier":"com.example.A","name":"A"}],"removed":[]}"#
    let record = try #require(PageRecord.decode(Array(old.utf8)))
    #expect(record.pages.map(\.name) == [.home])
    #expect(record.cards.map(\.id) == [ExtensionIdentity("com.example.A")])
    // An earlier program can read it as long as there is one page.
    let again = try #require(try JSONEncoder().encode(record) as Data?)
    #expect(String(decoding: again, as: UTF8.self).contains(#""cards":["#))
    #expect(!String(decoding: again, as: UTF8.self).contains(#""pages":["#))
  }

  @Test func `pages of other folders, or in another order, are other pages`() {
    let paths = [["/a", "/b"], ["/b", "/a"], ["/a"], []].map { PageRecord.path(in: "/p", for: $0) }
    #expect(Set(paths).count == paths.count)
    #expect(PageRecord.path(in: "/p", for: ["/a"]) == paths[2])
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"cards\":[{}]}", "{\"cards\":7}", "{\"pages\":7}",
    "{\"pages\":[{\"name\":\"\",\"cards\":[]}]}", "{\"pages\":[{\"name\":\"A\"}]}",
    "{\"pages\":[{\"name\":\"a\\nb\",\"cards\":[]}]}",
  ])
  func `an unreadable page counts as missing`(text: String) throws {
    let folder = try BundleFolder()
    let path = "\(folder.path)/page.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(PageRecord.read(path) == nil)
  }

  @Test func `a record without pages has an empty one`() {
    #expect(PageRecord.decode(Array("{\"pages\":[]}".utf8))?.pages.map(\.name) == [.home])
  }

  @Test(arguments: [
    ("Home", true), ("At work", true), ("Büro", true), ("仕事", true), ("1", true), ("", false),
    (" Home", false), ("Home ", false), ("a\nb", false), ("a\u{1B}[1mb", false),
    ("\u{200B}", false),
    (String(repeating: "a", count: 40), true), (String(repeating: "a", count: 41), false),
    (String(repeating: "e\u{301}\u{301}", count: 40), false),
  ])
  func `a name of a page is a short line that can be read`(text: String, isName: Bool) {
    #expect((PageName(rawValue: text) != nil) == isName)
  }
}
