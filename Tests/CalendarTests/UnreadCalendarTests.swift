import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import Calendar

/// What the card says of a day without entries while a calendar could not be read: never that there is nothing.
@MainActor struct UnreadCalendarTests {
  private static let attributes = """
    <key>TodaySettings</key><array><dict>
    <key>name</key><string>folder</string><key>type</key><string>file</string>
    </dict><dict>
    <key>name</key><string>url</string><key>type</key><string>string</string>
    </dict></array>
    """

  private let tomorrow =
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261125\nSUMMARY:Wedding\nEND:VEVENT\nEND:VCALENDAR\n"

  /// The card, compact and expanded, with files in its folder.
  private func shown(
    _ files: [String: String],
    url: String? = nil,
    folder name: String = "calendars"
  )
    async throws -> (compact: String, expanded: String)
  {
    var options = HarnessOptions()
    // Tuesday, 24 November 2026, 14:20 in Copenhagen.
    options.now = Date(timeIntervalSince1970: 1_795_526_400)
    options.timeZone = "Europe/Copenhagen"
    let harness = try WidgetHarness(CalendarWidget(), attributes: Self.attributes, options)
    let folder = harness.containers.data + "/calendars"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      if text == "a folder" {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } else if text.hasPrefix("/") {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: text)
      } else {
        try Data(text.utf8).write(to: URL(filePath: path))
      }
    }
    let address = url.map { ",\"url\":\"\($0)\"" } ?? ""
    try harness.configure("{\"folder\":\"\(harness.containers.data)/\(name)\"\(address)}")
    try await harness.appear(width: 70)
    if url != nil { try await harness.update(.user) }
    let compact = harness.text
    try await harness.expand(true)
    let expanded = harness.text
    await harness.finish()
    return (compact, expanded)
  }

  private func saysNothing(_ text: String) -> Bool {
    ["Nothing today", "Nothing in the next", "No entries"].contains { text.contains($0) }
  }

  @Test func `when all could be read it says that nothing is today`() async throws {
    #expect(try await shown(["a.ics": tomorrow]).expanded.contains("Nothing today"))
    let empty = try await shown(["a.ics": "BEGIN:VCALENDAR\nEND:VCALENDAR\n"])
    #expect(empty.expanded.contains("No entries"))
  }

  @Test(arguments: [
    "", "hello", "a folder", "/dev/zero", "/nowhere/at/all", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A\nEND:VEVENT\nEND:VCALENDAR\n",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20269999\nEND:VEVENT\nEND:VCALENDAR\n",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20200101\nRRULE:FREQ=FORTNIGHTLY\nEND:VEVENT\nEND:VCALENDAR\n",
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20200101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2\nEND:VEVENT\nEND:VCALENDAR\n",
  ])
  func `a file that cannot be read, or only in part, is named instead`(bad: String) async throws {
    for files in [["bad.ics": bad], ["bad.ics": bad, "good.ics": tomorrow]] {
      let (compact, expanded) = try await shown(files)
      #expect(!saysNothing(compact) && !saysNothing(expanded), "\(compact)\n\(expanded)")
      #expect(expanded.contains("bad.ics"), "\(expanded)")
      #expect(compact.contains("bad.ics") || compact.contains("problems"), "\(compact)")
    }
  }

  @Test func `a folder or a server that is away is named instead`() async throws {
    let missing = try await shown([:], folder: "none")
    #expect(!saysNothing(missing.compact) && !saysNothing(missing.expanded), "\(missing)")
    #expect(missing.expanded.contains("There is no folder"))
    let away = try await shown(["a.ics": tomorrow], url: "http://127.0.0.1:1/x.ics")
    #expect(!saysNothing(away.compact) && !saysNothing(away.expanded), "\(away)")
    #expect(away.expanded.contains("127.0.0.1"))
  }
}
