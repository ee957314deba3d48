import CalendarFormats
import Foundation
import Testing

@testable import Calendar

/// Files in a folder of calendars, of which some are not what their names say.
final class CalendarFolderTests {
  private let path = NSTemporaryDirectory() + "calendars-\(UUID().uuidString)"
  private let entry = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120\nEND:VEVENT\nEND:VCALENDAR\n"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
  }

  @Test func `broken files are named and do not hide the others`() throws {
    try write(entry, to: "good.ics")
    try write("hello", to: "bad.ics")
    #expect(mkfifo(path + "/pipe.ics", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: path + "/folder.ics",
      withIntermediateDirectories: false
    )
    try FileManager.default.createSymbolicLink(
      atPath: path + "/zero.ics",
      withDestinationPath: "/dev/zero"
    )
    try write(String(repeating: "x", count: 8 * 1024 * 1024 + 1), to: "large")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/large.ics",
      withDestinationPath: "large"
    )
    var folder = CalendarFolder(paths: [path], isOptional: false)
    let isFirst = folder.refresh()
    #expect(isFirst)
    #expect(folder.files.map(\.file.events.count).reduce(0, +) == 1)
    #expect(
      folder.troubles == [
        "bad.ics: no calendar (BEGIN:VCALENDAR is missing)", "folder.ics: cannot be read",
        "large.ics: larger than 8 MiB", "pipe.ics: cannot be read", "zero.ics: cannot be read",
      ]
    )
    let isChanged = folder.refresh()
    #expect(!isChanged)
  }

  @Test func `a file in place of the folder, and a folder that is missing, are called so`() throws {
    try write(entry, to: "t.ics")
    var file = CalendarFolder(paths: [path + "/t.ics"], isOptional: false)
    _ = file.refresh()
    #expect(
      file.troubles == ["\(path)/t.ics is a file; the setting names the folder in which it is"]
    )
    var missing = CalendarFolder(paths: [path + "/nothing"], isOptional: false)
    _ = missing.refresh()
    #expect(missing.troubles == ["There is no folder \(path)/nothing"])
  }

  @Test func `a changed file behind a link is read again`() throws {
    try write("hello", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/link.ics",
      withDestinationPath: "target"
    )
    var folder = CalendarFolder(paths: [path], isOptional: false)
    _ = folder.refresh()
    #expect(folder.isEmpty)
    try write(entry, to: "target")
    let isChanged = folder.refresh()
    #expect(isChanged)
    #expect(!folder.isEmpty)
  }

  @Test func `a file that is replaced by one of its size and age is read again`() throws {
    try write(entry, to: "a.ics")
    var folder = CalendarFolder(paths: [path], isOptional: false)
    _ = folder.refresh()
    try write(entry.replacing("20261120", with: "20261121"), to: "b")
    let old = try FileManager.default.attributesOfItem(atPath: path + "/a.ics")[.modificationDate]
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(old)],
      ofItemAtPath: path + "/b"
    )
    #expect(rename(path + "/b", path + "/a.ics") == 0)
    let isChanged = folder.refresh()
    #expect(isChanged)
  }
}
