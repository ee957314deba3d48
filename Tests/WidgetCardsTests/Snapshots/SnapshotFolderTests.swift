import Foundation
import Testing
import WidgetPlatform

@testable import WidgetCards

/// Old files among the snapshots.
@Suite struct SnapshotFolderTests {
  @Test func `of cards that are gone nothing is left`() throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: UUID().uuidString).path()
    defer { try? files.removeItem(atPath: folder) }
    for name in ["org.a.One", "org.a.Two", "org.a.Three"] {
      try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)/a.snapshot"))
    }
    SnapshotFolder.removeOthers(than: [ExtensionIdentity("org.a.Two")], below: folder)
    #expect(try files.contentsOfDirectory(atPath: folder) == ["org.a.Two"])
    #expect(files.fileExists(atPath: "\(folder)/org.a.Two/a.snapshot"))
  }
}
