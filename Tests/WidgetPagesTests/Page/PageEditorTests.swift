import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Which cards are on which page: config.json, the record, and changes by the user.
@Suite struct PageEditorTests {
  private let folder: BundleFolder
  private let paths: SearchPaths
  private let work = PageName(rawValue: "Work") ?? .home

  init() throws {
    folder = try BundleFolder()
    for letter in ["A", "B", "C"] {
      try folder.widget("data/today/widgets/\(letter).widget", "com.example.\(letter)")
    }
    paths = SearchPaths(
      environment: ["XDG_DATA_HOME": "\(folder.path)/data", "XDG_DATA_DIRS": "/nowhere"],
      executable: nil
    )
  }

  private func editor(_ declared: String = "[]", named: Bool = false) throws -> PageEditor {
    let user = UserConfiguration(bytes: Array("{ pages: \(declared) }".utf8), path: "c.json")
    #expect(user.problems == [])
    let paths =
      named
      ? SearchPaths(named: ["\(folder.path)/data/today/widgets"], environment: [:], executable: nil)
      : paths
    return PageEditor(
      catalog: BundleCatalog.scan(paths),
      paths: paths,
      declared: user.settings.pages,
      path: "\(folder.path)/page.json"
    )
  }

  private func id(_ text: String) throws -> ExtensionIdentity {
    try ExtensionIdentity(parsing: "com.example." + text)
  }

  /// The pages as text: `Home: A A:x | Work: B`, with `+` for new widgets and `-` for removed ones.
  private func words(_ editor: PageEditor) -> String {
    func short(_ member: PageMember) -> String {
      String(member.id.description.dropFirst("com.example.".count))
    }
    let members = editor.members
    let pages = members.pages.map { page in
      ([page.name.rawValue + ":"] + page.members.map(short)).joined(separator: " ")
    }
    return pages.joined(separator: " | ")
      + (members.new + []).map { " +" + short($0) }.joined()
      + members.removed.map { " -" + short($0) }.joined()
  }

  @Test func `instances are cards of their own, which are added, moved and removed`() throws {
    let editor = try editor()
    #expect(words(editor) == "Home: +A +B +C")
    try editor.apply([.add(id("A"), page: nil), .add(id("B"), page: nil)])
    try editor.apply([.add(id("A:x"), page: nil), .add(id("A"), page: nil)])
    #expect(words(editor) == "Home: A B A:x +C")
    try editor.apply([.move(id("A:x"), page: nil, position: 1)])
    #expect(words(editor) == "Home: A:x A B +C")
    try editor.apply([.remove(id("A"))])
    #expect(words(editor) == "Home: A:x B +C -A")
    // A widget that is known by an instance is not new.
    try editor.apply([.remove(id("A:x")), .add(id("A"), page: nil)])
    #expect(words(editor) == "Home: B A +C -A:x")
  }

  @Test func `pages are made with their first card, and go with their last one`() throws {
    let editor = try editor()
    try editor.apply([
      .add(id("A"), page: nil), .add(id("B"), page: work),
      .add(id("C"), page: PageName(rawValue: "work")),
    ])
    #expect(words(editor) == "Home: A | Work: B C")
    try editor.apply([.move(id("A"), page: work, position: 2)])
    #expect(words(editor) == "Work: B A C")
    try editor.apply([.move(id("C"), page: .home, position: nil)])
    #expect(words(editor) == "Work: B A | Home: C")
    try editor.apply([.add(id("A"), page: .home)])
    #expect(words(editor) == "Work: B A | Home: C", "a card is on one page")
  }

  @Test func `a change is undone with the place, the page and the width of the card`() throws {
    let editor = try editor()
    try editor.apply([.add(id("A"), page: nil), .add(id("B"), page: work)])
    let changes: [PageChange] = try [
      .add(id("C"), page: nil), .add(id("A:x"), page: work), .remove(id("A")),
      .move(id("A"), page: work, position: 1), .span(id("A"), 3),
    ]
    for change in changes {
      let before = words(editor)
      let record = PageRecord.read(editor.path)
      let arrangement = try editor.apply([change])
      #expect(PageRecord.read(editor.path) != record)
      try editor.restore(arrangement, within: .seconds(1))
      #expect(words(editor) == before)
      #expect(PageRecord.read(editor.path)?.cards == record?.cards)
    }
    // What is stored of an instance is still known, so that it goes with its bundle.
    #expect(try PageRecord.read(editor.path)?.guests.contains { try $0.id == id("A:x") } == true)
  }

  private static let home =
    "[{ name: 'Home', cards: ['com.example.B', { widget: 'com.example.A', instance: 'x', span: 2, "
    + "settings: { 'the zones': ['a'] } }] }]"

  @Test func `pages of config json come first and hide those of the same name`() throws {
    try editor().apply([.add(id("A"), page: nil), .add(id("C"), page: work)])
    let editor = try editor(Self.home)
    #expect(words(editor) == "Home: B A:x | Work: C -A")
    #expect(try words(self.editor()) == "Home: A | Work: C +B", "the record stays as it was")
    #expect(try words(self.editor(Self.home, named: true)) == "Home: A C B")
    let one = try self.editor("[{ name: 'Work', cards: ['com.example.C', 'com.example.A'] }]")
    #expect(words(one) == "Work: C A +B")
  }

  @Test func `a page of config json is not changed, but written as it would have to be`() throws {
    try editor().apply([.add(id("C"), page: work)])
    let editor = try editor(Self.home)
    let a =
      #"    { widget: "com.example.A", instance: "x", span: 2, settings: { "the zones": ["a"] } },"#
    let cases: [(PageChange, [String]?)] = try [
      (.add(id("A"), page: nil), [#"    "com.example.B","#, a, #"    "com.example.A","#]),
      (.remove(id("B")), [a]),
      (.move(id("A:x"), page: nil, position: 1), [a, #"    "com.example.B","#]),
      (.move(id("B"), page: work, position: nil), [a]),
      (
        .span(id("B"), 2), [#"    { widget: "com.example.B", span: 2 },"#, a]
      ),
      (.add(id("A"), page: work), nil), (.remove(id("C")), nil), (.add(id("B"), page: work), nil),
    ]
    for (change, cards) in cases {
      let text = editor.declarations(for: [change]).first?.text
      let expected = cards.map {
        (["{", #"  name: "Home","#, "  cards: ["] + $0 + ["  ],", "}"]).joined(separator: "\n")
      }
      #expect(text == expected, "\(change)")
      guard let text else { continue }
      let before = words(editor)
      try editor.apply([change])
      #expect(words(editor) == before)
      // What is printed can be pasted.
      #expect(try self.editor("[\(text)]").declared.first?.text == text)
    }
  }

  @Test(arguments: [
    ("7", "1:10: pages: expected a list of at most 100 pages, found 7"),
    ("[7]", "1:11: pages[0]: expected { name: \"NAME\", cards: [ … ] }, found 7"),
    (
      "[{ cards: [] }]",
      "1:11: pages[0]: expected a name of 1 to 40 visible characters on one line, without blanks at the "
        + "ends, found an object"
    ),
    (
      "[{ name: 'A', card: [] }]",
      "1:24: pages[0].card: expected one of name, cards"
    ),
    (
      "[{ name: 'A', cards: ['x'] }]",
      "1:32: pages[0].cards[0]: expected the identifier of a widget, or ID:NAME for one of its "
        + "instances, found 'x'"
    ),
    (
      "[{ name: 'A', cards: ['a.b', 'a.b'] }]",
      "1:39: pages[0].cards[1]: expected a card that is not on a page yet; another one of a widget has "
        + "a name: { widget: \"ID\", instance: \"NAME\" }, found 'a.b'"
    ),
    (
      "[{ name: 'A', cards: [{ widget: 'a.b', span: 1e300 }] }]",
      "1:55: pages[0].cards[0].span: expected a whole number from 1 to 100, found 1e300"
    ),
    (
      "[{ name: 'A', cards: [{ widget: 'a.b', instance: 'a b' }] }]",
      "1:59: pages[0].cards[0].instance: expected one name of an instance, 1 to 64 of the characters "
        + "A-Z, a-z, 0-9, “.”, “_” and “-”, found 'a b'"
    ),
    (
      "[{ name: 'A', cards: [] }, { name: 'a', cards: [] }]",
      "1:45: pages[1].name: expected a name that no other page has, found 'a'"
    ),
  ])
  func `a mistake in pages is named with its place`(pages: String, problem: String) {
    let user = UserConfiguration(bytes: Array("{ pages: \(pages) }".utf8), path: "c.json")
    #expect(user.problems.map(\.string) == ["c.json:" + problem])
    // The others are there.
    #expect(user.settings.pages.count <= 1)
    #expect(user.settings.pages.flatMap(\.cards).count == (pages.contains("'a.b', 'a.b'") ? 1 : 0))
  }
}
