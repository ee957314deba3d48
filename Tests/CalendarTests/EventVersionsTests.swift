import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Several versions of an entry, and entries that replace occurrences of a series.
struct EventVersionsTests {
  private func agenda(_ entries: [String], header: String = "") throws -> [String] {
    let events = entries.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined()
    let file = CalendarFile(parsing: "BEGIN:VCALENDAR\n\(header)\(events)END:VCALENDAR".utf8)
    #expect(file.trouble == nil)
    let first = try #require(CivilDate(2026, 6, 14))
    let agenda = Agenda(
      of: [file],
      from: first,
      through: first.adding(days: 6),
      in: "Europe/Berlin"
    )
    return try agenda.occurrences.map { entry in
      guard let start = entry.start else { return "\(entry.firstDay.day) \(entry.summary)" }
      let time = try #require(LocalTime(start, in: "Europe/Berlin"))
      return "\(time.day) \(time.hour):\(time.minute) \(entry.summary)"
    }
  }

  private let daily =
    "UID:m\nDTSTART;TZID=Europe/Berlin:20260601T140000\nDURATION:PT30M\nRRULE:FREQ=DAILY;UNTIL=20260617T230000Z\nSUMMARY:Daily"

  @Test func `of a series in two versions the newer one holds, in any order`() throws {
    let versions = [
      "UID:a\nDTSTART:20260615\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Old",
      "UID:a\nSEQUENCE:2\nDTSTART:20260615\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260616\nSUMMARY:New",
    ]
    #expect(try agenda(versions) == ["15 New", "17 New"])
    #expect(try agenda(versions.reversed()) == ["15 New", "17 New"])
  }

  @Test func `with one sequence the newer stamp holds, and without stamps both`() throws {
    let one = "UID:a\nDTSTART:20260615\nSUMMARY:One"
    let other = "UID:a\nDTSTART:20260616\nSUMMARY:Other"
    #expect(try agenda([one, other]) == ["15 One", "16 Other"])
    #expect(try agenda([one, one]) == ["15 One"])
    let stamps = ["\nDTSTAMP:20260103T000000Z", "\nDTSTAMP:20260102T000000Z"]
    #expect(try agenda([one + stamps[0], other + stamps[1]]) == ["15 One"])
  }

  @Test func `of two replacements of an occurrence the newer one holds`() throws {
    func replacement(
      _ number: Int,
      _ hour: Int,
      _ zone: String = ";TZID=Europe/Berlin:20260616T140000"
    )
      -> String
    {
      "UID:m\nSEQUENCE:\(number)\nRECURRENCE-ID\(zone)\n"
        + "DTSTART;TZID=Europe/Berlin:20260616T\(hour)1500\nSUMMARY:Version \(number)"
    }
    let wanted = ["14 14:0 Daily", "15 14:0 Daily", "16 18:15 Version 2", "17 14:0 Daily"]
    #expect(try agenda([daily, replacement(1, 16), replacement(2, 18)]) == wanted)
    #expect(
      try agenda([replacement(2, 18, ":20260616T120000Z"), daily, replacement(1, 16)]) == wanted
    )
  }

  @Test func `a replacement that repeats the rule is one occurrence`() throws {
    let replacement =
      "UID:m\nRECURRENCE-ID;TZID=Europe/Berlin:20260616T140000\nRRULE:FREQ=DAILY;UNTIL=20260617T230000Z\n"
      + "DTSTART;TZID=Europe/Berlin:20260616T160000\nSUMMARY:Moved"
    #expect(
      try agenda([daily, replacement])
        == ["14 14:0 Daily", "15 14:0 Daily", "16 16:0 Moved", "17 14:0 Daily"]
    )
  }

  @Test(arguments: [
    ";TZID=Europe/Berlin:20260616T140000", ":20260616T120000Z", ";VALUE=DATE:20260616",
  ])
  func `this and all later ones are moved`(moment: String) throws {
    let range = moment.hasPrefix(";VALUE") ? "" : ";RANGE=THISANDFUTURE"
    let id = moment.hasPrefix(";VALUE") ? ";RANGE=THISANDFUTURE" + moment : range + moment
    let later =
      "UID:m\nRECURRENCE-ID\(id)\nDTSTART;TZID=Europe/Berlin:20260616T160000\nSUMMARY:Later"
    #expect(
      try agenda([daily, later])
        == ["14 14:0 Daily", "15 14:0 Daily", "16 16:0 Later", "17 16:0 Later"]
    )
    #expect(
      try agenda([daily, later + "\nSTATUS:CANCELLED"]) == ["14 14:0 Daily", "15 14:0 Daily"]
    )
    let own = later + "\nRRULE:FREQ=DAILY;INTERVAL=2;COUNT=2"
    #expect(
      try agenda([daily, own])
        == ["14 14:0 Daily", "15 14:0 Daily", "16 16:0 Later", "18 16:0 Later"]
    )
  }

  @Test func `a cancelled series takes its replacements along`() throws {
    let replacement =
      "UID:m\nRECURRENCE-ID;TZID=Europe/Berlin:20260616T140000\nDTSTART;TZID=Europe/Berlin:20260616T160000\nSUMMARY:Moved"
    let end = "\nSEQUENCE:1\nSTATUS:CANCELLED"
    #expect(try agenda([daily, replacement, daily + end]) == [])
    #expect(try agenda([daily, replacement], header: "METHOD:CANCEL\n") == [])
    // A cancellation needs no start.
    let one = "UID:m\nRECURRENCE-ID:20260616T120000Z\nSTATUS:CANCELLED"
    #expect(try agenda([daily, one]) == ["14 14:0 Daily", "15 14:0 Daily", "17 14:0 Daily"])
  }

  @Test func `a rule of exceptions leaves out occurrences`() throws {
    let series =
      "DTSTART:20260615T100000\nRRULE:FREQ=DAILY;COUNT=3\nEXRULE:FREQ=WEEKLY;BYDAY=TU\nSUMMARY:A"
    #expect(try agenda([series]) == ["15 10:0 A", "17 10:0 A"])
  }

  @Test func `an exception with a time leaves out a whole day`() throws {
    let days = "DTSTART;VALUE=DATE:20260615\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:A"
    let exceptions = "\nEXDATE:20260616T000000\nEXDATE:20260616T220000Z"
    #expect(try agenda([days + exceptions]) == ["15 A", "18 A"])
  }
}
