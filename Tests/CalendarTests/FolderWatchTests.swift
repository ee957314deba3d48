import CalendarFormats
import Foundation
import Testing

@testable import Calendar

/// Changes of files, which are reported without polling.
@MainActor final class FolderWatchTests {
  private let path = NSTemporaryDirectory() + "watched-\(UUID().uuidString)"
  private let entry = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120\nEND:VEVENT\nEND:VCALENDAR\n"

  private var other: String { entry.replacing("20261120", with: "20261121") }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  isolated deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
  }

  /// Whether a watch of the folder reports a change.
  private func isReported(_ place: String, _ change: () throws -> Void) async throws -> Bool {
    var folder = CalendarFolder(paths: [place], isOptional: true)
    _ = folder.refresh()
    let (changes, report) = AsyncStream.makeStream(of: Void.self)
    let watch = try #require(FolderWatch { report.yield() })
    #expect(watch.follow(folder.watched))
    try change()
    let deadline = Task {
      try await Task.sleep(for: .seconds(20))
      report.finish()
    }
    var isReported = false
    for await _ in changes {
      isReported = true
      break
    }
    deadline.cancel()
    withExtendedLifetime(watch) {}
    return isReported && folder.refresh()
  }

  @Test func `new, changed, renamed and removed files are reported, also behind links`()
    async throws
  {
    #expect(try await isReported(path) { try write(entry, to: "a.ics") })
    #expect(try await isReported(path) { try write(other, to: "a.ics") })
    try write(entry, to: "b")
    #expect(try await isReported(path) { _ = rename(path + "/b", path + "/a.ics") })
    #expect(try await isReported(path) { _ = unlink(path + "/a.ics") })
    let folder = path + "/other"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try write(entry, to: "other/file")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/l.ics",
      withDestinationPath: "other/file"
    )
    #expect(try await isReported(path) { try write(other, to: "other/file") })
  }

  @Test func `a folder that is made later is reported`() async throws {
    #expect(
      try await isReported(path + "/a/b") {
        try FileManager.default.createDirectory(
          atPath: path + "/a/b",
          withIntermediateDirectories: true
        )
        try write(entry, to: "a/b/c.ics")
      }
    )
  }
}
