import Foundation
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Which widgets of the program are on the page at first.
@Suite struct MachineFactsTests {
  private func write(_ text: String, _ path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  @Test func `a repository is found above the folder, and a battery by its kind`() throws {
    let folder = try BundleFolder()
    let supplies = "\(folder.path)/supplies"
    let work = "\(folder.path)/work/deep"
    func facts() -> MachineFacts { MachineFacts(folder: work, supplies: supplies) }
    #expect(facts() == MachineFacts())
    try write("Mains\n", "\(supplies)/AC/type")
    try write("Battery\n", "\(supplies)/mouse/type")
    try write("Device\n", "\(supplies)/mouse/scope")
    #expect(!facts().hasBattery)
    try write("Battery\n", "\(supplies)/BAT0/type")
    // In a worktree .git is a file.
    try write("gitdir: elsewhere\n", "\(folder.path)/work/.git")
    #expect(facts().hasBattery && facts().isInRepository)
    #expect(!MachineFacts(folder: folder.path, supplies: supplies).isInRepository)
  }

  /// Writes a widget that comes with the program, with a value of `TodayStartsOnPage`.
  private func widget(_ letter: String, _ value: String, in folder: BundleFolder) throws {
    let bundle = "\(folder.path)/lib/today/widgets/\(letter).widget"
    let key = value.isEmpty ? "" : "<key>TodayStartsOnPage</key>\(value)"
    try write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.\(letter)</string>
      <key>CFBundleExecutable</key><string>run</string><key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string>
      <key>NSExtensionPrincipalClass</key><string>A</string>
      <key>NSExtensionAttributes</key><dict>\(key)</dict></dict></dict></plist>
      """,
      "\(bundle)/Info.plist"
    )
    try write("#!/bin/sh\n", "\(bundle)/run")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bundle)/run")
  }

  @Test(arguments: [
    ("<true/>", true, true), ("<false/>", false, false),
    ("<string>repository</string>", true, false),
    ("<string>battery</string>", false, false), ("", true, true),
  ])
  func `a widget for repositories is on the first page in one, and to be added elsewhere`(
    value: String,
    inRepository: Bool,
    elsewhere: Bool
  ) throws {
    let folder = try BundleFolder()
    try widget("A", value, in: folder)
    for (isInRepository, expected) in [(true, inRepository), (false, elsewhere)] {
      var machine = MachineFacts()
      machine.isInRepository = isInRepository
      let paths = SearchPaths(
        environment: [:],
        executable: "\(folder.path)/bin/today",
        machine: machine
      )
      let members = PageMembers(BundleCatalog.scan(paths), record: nil, paths: paths)
      #expect(members.pages[0].members.isEmpty == !expected)
      #expect(members.available.isEmpty == expected)
    }
  }

  private func members(
    _ folder: BundleFolder,
    hasNotices: Bool,
    record: PageRecord?,
    pages: String = "[]"
  ) -> PageMembers {
    var machine = MachineFacts()
    machine.hasNotices = hasNotices
    let paths = SearchPaths(
      environment: [:],
      executable: "\(folder.path)/bin/today",
      machine: machine
    )
    let user = UserConfiguration(bytes: Array("{ pages: \(pages) }".utf8), path: "c.json")
    return PageMembers(
      BundleCatalog.scan(paths),
      record: record,
      paths: paths,
      declared: user.settings.pages
    )
  }

  @Test
  func `with the first notice their widget is first on the first page, unless it was removed`()
    throws
  {
    let folder = try BundleFolder()
    try widget("A", "", in: folder)
    try widget("N", "<string>notices</string>", in: folder)
    let before = members(folder, hasNotices: false, record: nil)
    #expect(before.shown.map(\.id.bundleIdentifier) == ["com.example.A"])
    #expect(before.available.map(\.id.bundleIdentifier) == ["com.example.N"])
    let (card, notices) = try (
      PageRecord.Entry(#require(before.shown.first).bundle, ExtensionIdentity("com.example.A")),
      PageRecord.Entry(
        #require(before.available.first).bundle,
        ExtensionIdentity("com.example.N")
      )
    )
    let arranged = PageRecord(cards: [card])
    let both = ["com.example.N", "com.example.A"]
    for record in [nil, arranged] {
      let shown = members(folder, hasNotices: true, record: record).shown
      #expect(shown.map(\.id.bundleIdentifier) == both)
    }
    let declared = "[{ name: 'Home', cards: ['com.example.A'] }]"
    let page = members(folder, hasNotices: true, record: nil, pages: declared)
    #expect(page.shown.map(\.id.bundleIdentifier) == both)
    #expect(page.hasComeByItself(notices.id) && !page.hasComeByItself(card.id))
    let moved = PageRecord(cards: [card, notices])
    #expect(
      members(folder, hasNotices: true, record: moved).shown.map(\.id.bundleIdentifier)
        == both.reversed()
    )
    let removed = PageRecord(cards: [card], removed: [notices])
    for pages in ["[]", declared] {
      let left = members(folder, hasNotices: true, record: removed, pages: pages)
      #expect(left.shown.map(\.id.bundleIdentifier) == ["com.example.A"])
      #expect(left.removed.map(\.id) == [notices.id])
    }
  }
}
