import Foundation
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages

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
    let bundle = "\(folder.path)/lib/today/widgets/A.widget"
    let key = value.isEmpty ? "" : "<key>TodayStartsOnPage</key>\(value)"
    try write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.A</string>
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
}
