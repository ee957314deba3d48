import CPlatform
import Foundation
import Testing
import WidgetTestSupport

@Suite struct ConfinedViewerTests {
  @Test func `a confined viewer can read, and nothing else`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("text".utf8).write(to: folder.appending(path: "file"))
    let found = ProcessAbilities.after(platform_confine_viewer, in: folder.path())
    #expect(found == .reading)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["file"])
    #expect(try Data(contentsOf: folder.appending(path: "file")) == Data("text".utf8))
  }
}
