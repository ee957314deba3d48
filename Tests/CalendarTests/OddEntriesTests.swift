import FoundationEssentials
import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Entries with values that say nothing, too much, or the opposite.
struct OddEntriesTests {
  private func shown(_ lines: String, days: Int = 6, zones: String = "") throws -> (
    entries: [String], trouble: String?
  ) {
    let file = CalendarFile(
      parsing: "BEGIN:VCALENDAR\n\(zones)BEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR".utf8
    )
    let first = try #require(CivilDate(2026, 6, 14))
    let agenda = Agenda(of: [file], from: first, through: first.adding(days: days), in: "UTC")
    let entries = agenda.occurrences.map { entry in
      let seconds = entry.start.flatMap { entry.end?.timeIntervalSince($0) }
      let length = seconds.map { " \(Int($0 / 60)) min" } ?? ""
      return "\(entry.firstDay.day)\(length) \(entry.summary)"
    }
    return (entries, file.trouble)
  }

  @Test func `a title and a place that are too long are cut at whole characters`() throws {
    let family = "👨‍👩‍👧"
    for (title, end) in [
      (String(repeating: "x", count: 20_000), "xx…"), (String(repeating: "é", count: 9000), "é…"),
      (String(repeating: family, count: 3000), "\(family)…"),
      ("a" + String(repeating: "\u{301}", count: 9000), "…"),
    ] {
      let text = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART:20260615T100000
        LOCATION:\(title)
        DESCRIPTION:\(title)
        SUMMARY:\(title)
        END:VEVENT
        END:VCALENDAR
        """
      let first = try #require(CivilDate(2026, 6, 14))
      let agenda = Agenda(
        of: [CalendarFile(parsing: text.utf8)],
        from: first,
        through: first.adding(days: 6),
        in: "UTC"
      )
      let entry = try #require(agenda.occurrences.first)
      #expect((900...1000).contains(entry.summary.utf8.count) || title.count == 1)
      #expect(entry.summary.hasSuffix(end) && entry.summary.utf8.count <= 1000)
      #expect(entry.details.place.utf8.count <= 800 && entry.details.notes.utf8.count <= 1600)
    }
  }

  private let start = "DTSTART:20260615T100000\nSUMMARY:A\n"

  @Test(arguments: [
    ("DTEND:20260615T090000", "line 5: DTEND is before DTSTART"),
    ("DTEND:20200615T090000", "line 5: DTEND is before DTSTART"),
    ("DURATION:-PT30M", "line 5: DURATION “-PT30M” is no duration"),
    ("DURATION:P99999999999D", "line 5: DURATION “P99999999999D” is no duration"),
    ("DURATION:PT99999999999999999999S", "line 5: DURATION “PT999999999999999999” is no duration"),
    ("DURATION:", "line 5: DURATION “” is no duration"),
    ("DURATION:1", "line 5: DURATION “1” is no duration"),
  ])
  func `an impossible length is named, and the entry shows`(line: String, words: String) throws {
    let (entries, trouble) = try shown(start + line)
    #expect(entries == ["15 0 min A"])
    #expect(trouble == words)
  }

  @Test func `an end before the start of whole days is one day`() throws {
    let days = "DTSTART;VALUE=DATE:20260615\nDTEND;VALUE=DATE:20260610\nSUMMARY:A"
    #expect(try shown(days).entries == ["15 A"])
    #expect(try shown(days).trouble == "line 4: DTEND is before DTSTART")
    let same = "DTSTART;VALUE=DATE:20260615\nDTEND;VALUE=DATE:20260615\nSUMMARY:A"
    #expect(try shown(same).entries == ["15 A"] && shown(same).trouble == nil)
  }

  @Test(arguments: ["SUMMARY:", "SUMMARY:   ", "SUMMARY:\\n", "SUMMARY", "X-A:b"])
  func `an entry without a title says so`(line: String) throws {
    let (entries, trouble) = try shown("DTSTART;VALUE=DATE:20260615\n\(line)")
    #expect(entries == ["15 (no title)"] && trouble == nil)
  }

  @Test(arguments: [
    "INTERVAL=32768", "INTERVAL=65537", "INTERVAL=99999999999", "INTERVAL=-1", "COUNT=-1",
    "COUNT=X", "COUNT=", "BYMONTHDAY=99999999999", "BYHOUR=65536", "BYDAY=65537MO",
    "BYSETPOS=65537",
  ])
  func `a number that no rule has is named, and the first occurrence shows`(part: String) throws {
    let frequency = part.contains("DAY") ? "MONTHLY" : "DAILY"
    let (entries, trouble) = try shown("\(start)RRULE:FREQ=\(frequency);\(part)")
    #expect(entries == ["15 0 min A"])
    #expect(trouble == "line 5: RRULE with \(part) is not understood")
  }

  @Test func `a huge count is no limit, and a huge interval comes never again`() throws {
    #expect(try shown("\(start)RRULE:FREQ=DAILY;COUNT=2147483647", days: 2).entries.count == 2)
    #expect(try shown("\(start)RRULE:FREQ=DAILY;COUNT=99999999999", days: 2).entries.count == 2)
    #expect(try shown("\(start)RRULE:FREQ=YEARLY;INTERVAL=32767").entries == ["15 0 min A"])
    #expect(
      try shown("\(start)RRULE:FREQ=DAILY;UNTIL=99991231T235959Z", days: 2).entries.count == 2
    )
  }

  @Test(arguments: [
    "FREQ=SECONDLY;UNTIL=99991231T235959Z",
    "FREQ=SECONDLY;INTERVAL=1;BYSECOND=59;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=SECONDLY;COUNT=2147483647", "FREQ=MINUTELY;BYDAY=MO;BYMONTHDAY=31;UNTIL=29991231T235959Z",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;RSCALE=HEBREW",
  ])
  func `an endless rule ends soon`(rule: String) throws {
    let clock = ContinuousClock()
    let old = "DTSTART:19700101T000000\nSUMMARY:A\nRRULE:\(rule)"
    let time = try clock.measure { _ = try shown(old, days: 60) }
    #expect(time < .seconds(5))
  }

  @Test(arguments: [
    ("DTSTART:20260615T1000Z", "15 0 min A"), ("DTSTART:20260615T240000Z", "16 0 min A"),
    ("DTSTART:20260630T240000", ""), ("DTSTART;VALUE=DATE:20260615T000000", "15 A"),
    ("DTSTART:2026-06-15T10:00:00Z", "15 0 min A"), ("DTSTART:2026-06-15", "15 A"),
    ("DTSTART;TZID=Europe/Berlin:2026-06-15T10:00", "15 0 min A"),
    ("DTSTART;TZID=Europe/Berlin: 20260615T100000 ", "15 0 min A"),
    ("DTSTART:2026-06-15T10:00:00.000+00:00", "15 0 min A"),
    ("DTSTART;TZID=Etc/GMT-10:20260615T200000", "15 0 min A"),
    ("DTSTART:20260616T010000+0200", "15 0 min A"), ("DTSTART:20260616T0100+02:00", "15 0 min A"),
    ("DTSTART:2026-06-14T20:00:00-05:00", "15 0 min A"),
  ])
  func `a date in another form is a date`(line: String, words: String) throws {
    let (entries, trouble) = try shown("\(line)\nSUMMARY:A")
    #expect(entries == (words.isEmpty ? [] : [words]))
    #expect(trouble == nil)
  }

  @Test func `a time in another form has its zone`() throws {
    let file = CalendarFile(
      parsing: """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;TZID=Europe/Berlin:2026-06-15T10:00:30
        DTEND;TZID=Europe/Berlin:20260615T1030
        SUMMARY:A
        END:VEVENT
        END:VCALENDAR
        """.utf8
    )
    let first = try #require(CivilDate(2026, 6, 14))
    let entry = try #require(
      Agenda(of: [file], from: first, through: first.adding(days: 6), in: "UTC").occurrences.first
    )
    #expect(entry.start?.timeIntervalSince1970 == 1_781_510_430)
    #expect(entry.end?.timeIntervalSince1970 == 1_781_512_200)
  }

  @Test func `an exception without a zone is on the clock of its series`() throws {
    let series =
      "UID:1\nDTSTART;TZID=America/New_York:20260615T100000\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:A\n"
    #expect(
      try shown("\(series)EXDATE:20260616T100000").entries
        == ["15 0 min A", "17 0 min A", "18 0 min A"]
    )
    let moved =
      "END:VEVENT\nBEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260617T100000\n"
      + "DTSTART;TZID=America/New_York:20260617T120000\nSUMMARY:B"
    #expect(
      try shown(series + moved).entries == ["15 0 min A", "16 0 min A", "17 0 min B", "18 0 min A"]
    )
  }

  @Test func `a length in small letters and an offset with a colon are understood`() throws {
    #expect(try shown(start + "DURATION:pt90m").entries == ["15 90 min A"])
    let zone =
      "BEGIN:VTIMEZONE\nTZID:Town\nBEGIN:STANDARD\nDTSTART:20000101T000000\n"
      + "TZOFFSETFROM:+02:00\nTZOFFSETTO:+02:00\nEND:STANDARD\nEND:VTIMEZONE\n"
    let (entries, trouble) = try shown("DTSTART;TZID=Town:20260615T010000\nSUMMARY:A", zones: zone)
    #expect(entries == ["14 0 min A"] && trouble == nil)
  }

  @Test func `a wrong date in a list costs itself alone`() throws {
    let daily = "DTSTART:20260615T100000Z\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:A\n"
    #expect(
      try shown("\(daily)EXDATE:20260616T100000Z, 20260617T100000Z,,").entries
        == ["15 0 min A", "18 0 min A"]
    )
    let (entries, trouble) = try shown("\(daily)EXDATE:20260616T100000Z,never,20260617T100000Z")
    #expect(entries == ["15 0 min A", "18 0 min A"])
    #expect(trouble == "line 6: EXDATE “never” is no date")
    let more = try shown("DTSTART:20260615T100000Z\nSUMMARY:A\nRDATE:20260616T100000Z,x,20260618")
    #expect(more.entries.count == 3 && more.trouble == "line 5: RDATE “x” is no date")
  }

  @Test(arguments: [
    "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:true",
    "X-FUNAMBOL-ALLDAY:1",
  ])
  func `times at midnight of an entry that takes whole days are days`(line: String) throws {
    let times = "DTSTART:20260615T000000\nDTEND:20260617T000000\nSUMMARY:A\n"
    #expect(try shown(times + line).entries == ["15 A"])
    #expect(try shown(times).entries == ["15 2880 min A"])
    let series =
      "DTSTART:20260615T000000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260616T000000\nSUMMARY:A\n"
    #expect(try shown(series + line).entries == ["15 A", "17 A"])
    // Where the times say otherwise, they hold.
    let other = "DTSTART:20260615T100000\nDTEND:20260615T110000\nSUMMARY:A\n"
    #expect(try shown(other + line).entries == ["15 60 min A"])
    let no = line.replacing("TRUE", with: "FALSE").replacing("true", with: "FALSE").replacing(
      ":1",
      with: ":0"
    )
    #expect(try shown(times + no).entries == ["15 2880 min A"])
  }

  @Test func `entries without a calendar around them are shown, and it is said`() throws {
    let file = CalendarFile(
      parsing: "BEGIN:VEVENT\nDTSTART:20260615T100000\nSUMMARY:A\nEND:VEVENT".utf8
    )
    #expect(file.events.map(\.summary) == ["A"])
    #expect(file.trouble == "no calendar (BEGIN:VCALENDAR is missing)")
  }

  @Test func `exceptions and additions of the other kind hold`() throws {
    let daily = "DTSTART:20260615T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4\nSUMMARY:A\n"
    #expect(
      try shown("\(daily)EXDATE;VALUE=DATE:20260616,20260617").entries == [
        "15 60 min A", "18 60 min A",
      ]
    )
    #expect(try shown("\(daily)EXDATE:20260616").entries.count == 3)
    let periods = "RDATE;VALUE=PERIOD:20260619T100000Z/PT2H,20260620T080000Z/20260620T083000Z"
    #expect(
      try shown(daily + "EXDATE:20260616T100000Z,20260617T100000Z,20260618T100000Z\n" + periods)
        .entries
        == ["15 60 min A", "19 120 min A", "20 30 min A"]
    )
    // One that ends before it begins has no length.
    let wrong = "RDATE;VALUE=PERIOD:20260619T100000Z/20260619T080000Z"
    #expect(try shown(daily + wrong).entries.last == "19 0 min A")
  }

  @Test(arguments: [
    "", "BEGIN:STANDARD\nEND:STANDARD\n", "BEGIN:STANDARD\nDTSTART:x\nTZOFFSETTO:y\nEND:STANDARD\n",
  ])
  func `a zone without periods is that of its name, or named`(periods: String) throws {
    func zone(_ name: String) -> String {
      "BEGIN:VTIMEZONE\nTZID:\(name)\n\(periods)END:VTIMEZONE\n"
    }
    let lines = "DURATION:PT1H\nSUMMARY:A\nDTSTART;TZID="
    let known = try shown(lines + "Asia/Tokyo:20260615T030000", zones: zone("Asia/Tokyo"))
    #expect(known.entries == ["14 60 min A"] && known.trouble == nil)
    let unknown = try shown(lines + "Town:20260615T030000", zones: zone("Town"))
    #expect(unknown.entries == ["15 60 min A"])
    #expect(unknown.trouble?.contains("Town") == true)
  }
}
