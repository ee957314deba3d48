import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Versions of one entry in several files.
struct SharedEntriesTests {
  private func shown(_ files: [[String]], headers: [Int: String] = [:]) throws -> [String] {
    let files = files.enumerated().map { place, entries in
      let events = entries.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
      return CalendarFile(
        parsing: "BEGIN:VCALENDAR\n\(headers[place] ?? "")\(events)END:VCALENDAR".utf8
      )
    }
    let first = try #require(CivilDate(2026, 6, 14))
    let agenda = Agenda(of: files, from: first, through: first.adding(days: 6), in: "Europe/Berlin")
    #expect(agenda.cuts.count == files.count)
    return agenda.occurrences.map { "\($0.firstDay.day) \($0.summary)" }
  }

  /// Checks both orders of the files.
  private func expect(
    _ one: [String],
    _ other: [String],
    show wanted: [String],
    location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try shown([one, other]) == wanted, sourceLocation: location)
    #expect(try shown([other, one]) == wanted, sourceLocation: location)
  }

  private let meeting = "UID:6f1c-04@example.com\nDTSTART:20260615T100000\nSUMMARY:Meeting"

  @Test(arguments: [
    ("SEQUENCE:1\nDTSTAMP:20260101T000000Z", "SEQUENCE:2\nDTSTAMP:20250101T000000Z"),
    ("SEQUENCE:1", "SEQUENCE:10"),
    ("LAST-MODIFIED:20260101T000000Z", "LAST-MODIFIED:20260301T000000Z"),
    ("DTSTAMP:20260101T000000Z", "DTSTAMP:20260301T000000Z"),
    (
      "LAST-MODIFIED:20260101T000000Z\nDTSTAMP:20260501T000000Z",
      "LAST-MODIFIED:20260301T000000Z\nDTSTAMP:20260401T000000Z"
    ),
  ])
  func `of two files with one entry the newer version holds`(old: String, new: String) throws {
    let moved = "UID:6f1c-04@example.com\nDTSTART:20260617T120000\nSUMMARY:Moved"
    try expect(["\(meeting)\n\(old)"], ["\(moved)\n\(new)"], show: ["17 Moved"])
  }

  @Test func `an invitation in the calendars of two people is shown once`() throws {
    let stamps = ["\nDTSTAMP:20260101T000000Z", "\nDTSTAMP:20260102T000000Z"]
    try expect([meeting + stamps[0]], [meeting + stamps[1]], show: ["15 Meeting"])
    try expect([meeting], [meeting], show: ["15 Meeting"])
    #expect(try shown([[meeting], [meeting], [meeting + stamps[1]]]) == ["15 Meeting"])
  }

  @Test func `a cancellation and a moved occurrence in another file hold`() throws {
    let cancelled = "\(meeting)\nSEQUENCE:1\nSTATUS:CANCELLED"
    try expect([meeting], [cancelled], show: [])
    try expect([meeting], ["\(meeting)\nSTATUS:CANCELLED"], show: [])
    #expect(
      try shown([[meeting], ["\(meeting)\nSEQUENCE:1"]], headers: [1: "METHOD:CANCEL\n"]) == []
    )
    // One that was taken back.
    try expect([cancelled], ["\(meeting)\nSEQUENCE:2"], show: ["15 Meeting"])
    let daily = "UID:m\nDTSTART:20260615T100000\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Daily"
    let moved = "UID:m\nRECURRENCE-ID:20260616T100000\nDTSTART:20260619T100000\nSUMMARY:Moved"
    try expect([daily], [moved], show: ["15 Daily", "17 Daily", "19 Moved"])
  }

  @Test func `entries that programs have numbered are different ones`() throws {
    let birthday = "UID:1\nDTSTART;VALUE=DATE:20260615\nSUMMARY:Birthday\nDTSTAMP:20260101T000000Z"
    let dentist = "UID:1\nDTSTART:20260616T090000\nSUMMARY:Dentist\nDTSTAMP:20260201T000000Z"
    try expect([birthday], [dentist], show: ["15 Birthday", "16 Dentist"])
    let later = "UID:1\nDTSTART:20260616T110000\nSUMMARY:Dentist\nDTSTAMP:20260301T000000Z"
    #expect(try shown([[birthday], [dentist], [later]]) == ["15 Birthday", "16 Dentist"])
    let bare = "DTSTART:20260616T090000\nSUMMARY:Walk"
    try expect([bare], [bare], show: ["16 Walk", "16 Walk"])
  }
}
