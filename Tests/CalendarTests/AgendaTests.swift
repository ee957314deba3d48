import FoundationEssentials
import Testing
import WidgetKitCore

@testable import CalendarFormats

struct AgendaTests {
  private func entries(
    _ events: String,
    from day: Int,
    through last: Int,
    in zone: String = "Europe/Copenhagen"
  ) throws -> [String] {
    let file = CalendarFile(parsing: "BEGIN:VCALENDAR\n\(events)\nEND:VCALENDAR".utf8)
    let first = try #require(CivilDate(2026, 11, day))
    let end = try #require(CivilDate(2026, 11, last))
    let agenda = Agenda(of: [file], from: first, through: end, in: zone)
    return agenda.occurrences.map { entry in
      let days = entry.firstDay == entry.lastDay ? "" : "–\(entry.lastDay.day)"
      return "\(entry.firstDay.day)\(days) \(entry.summary)\(entry.start == nil ? " (day)" : "")"
    }
  }

  private func event(_ lines: String...) -> String {
    "BEGIN:VEVENT\n\(lines.joined(separator: "\n"))\nEND:VEVENT"
  }

  @Test func `an evening in a distant zone is the next day in local time`() throws {
    let event = event("DTSTART;TZID=America/New_York:20261119T200000", "SUMMARY:Call")
    #expect(try entries(event, from: 20, through: 20) == ["20 Call"])
    #expect(try entries(event, from: 19, through: 19) == [])
  }

  @Test func `an entry of several days is on each of them, without the last`() throws {
    let event = event("DTSTART:20261118", "DTEND:20261121", "SUMMARY:Fair")
    #expect(try entries(event, from: 20, through: 20) == ["18–20 Fair (day)"])
    #expect(try entries(event, from: 21, through: 21) == [])
  }

  @Test func `an entry that ends at midnight is not on the next day`() throws {
    let event = event("DTSTART:20261120T220000", "DURATION:PT2H", "SUMMARY:Party")
    #expect(try entries(event, from: 20, through: 21) == ["20 Party"])
  }

  @Test func `all-day entries come first, then by time`() throws {
    let events = [
      event("DTSTART:20261120T150000", "SUMMARY:Late"),
      event("DTSTART:20261120T090000", "SUMMARY:Early"),
      event("DTSTART:20261120", "SUMMARY:All"),
    ]
    #expect(
      try entries(events.joined(separator: "\n"), from: 20, through: 20)
        == ["20 All (day)", "20 Early", "20 Late"]
    )
  }

  @Test func `exceptions can be in another zone, or a whole day`() throws {
    let event = event(
      "DTSTART;TZID=Europe/Copenhagen:20261116T090000",
      "RRULE:FREQ=DAILY;UNTIL=20261120T080000Z",
      "EXDATE:20261117T080000Z",
      "EXDATE;VALUE=DATE:20261118",
      "SUMMARY:Stand-up"
    )
    #expect(
      try entries(event, from: 1, through: 30) == ["16 Stand-up", "19 Stand-up", "20 Stand-up"]
    )
  }

  @Test func `a moved occurrence replaces the original one`() throws {
    let events = [
      event("UID:a", "DTSTART:20261119T090000", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Walk"),
      event("UID:a", "RECURRENCE-ID:20261120T090000", "DTSTART:20261122T100000", "SUMMARY:Moved"),
    ]
    #expect(
      try entries(events.joined(separator: "\n"), from: 1, through: 30) == ["19 Walk", "22 Moved"]
    )
  }

  @Test func `an unknown time zone is read as local time`() throws {
    let event = event("DTSTART;TZID=Nowhere Standard Time:20261120T003000", "SUMMARY:Night")
    #expect(try entries(event, from: 20, through: 20) == ["20 Night"])
  }

  @Test func `a cancelled occurrence is left out of its series`() throws {
    let events = [
      event("UID:a", "DTSTART:20261119T090000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Walk"),
      event(
        "UID:a",
        "RECURRENCE-ID;TZID=America/New_York:20261120T030000",
        "DTSTART:20261120T090000",
        "STATUS:CANCELLED"
      ),
    ]
    #expect(
      try entries(events.joined(separator: "\n"), from: 1, through: 30) == ["19 Walk", "21 Walk"]
    )
  }

  @Test func `more dates are added, each once`() throws {
    let event = event(
      "DTSTART:20261119T090000",
      "RRULE:FREQ=WEEKLY;COUNT=2",
      "RDATE:20261120T090000,20261126T090000,20261127T090000",
      "EXDATE:20261127T090000",
      "SUMMARY:Walk"
    )
    #expect(try entries(event, from: 1, through: 30) == ["19 Walk", "20 Walk", "26 Walk"])
  }

  @Test func `dates without a rule include the first one`() throws {
    let event = event("DTSTART;VALUE=DATE:20261119", "RDATE;VALUE=DATE:20261121", "SUMMARY:Fair")
    #expect(try entries(event, from: 1, through: 30) == ["19 Fair (day)", "21 Fair (day)"])
  }

  @Test func `an added period has its own end`() throws {
    let event = event(
      "DTSTART:20261119T090000",
      "DURATION:PT1H",
      "RDATE;VALUE=PERIOD:20261121T220000/PT30H,20261124T220000/20261125T120000",
      "SUMMARY:Watch"
    )
    #expect(
      try entries(event, from: 1, through: 30) == ["19 Watch", "21–23 Watch", "24–25 Watch"]
    )
  }

  @Test func `a long occurrence that began before is shown`() throws {
    let event = event(
      "DTSTART;VALUE=DATE:20200101",
      "DTEND;VALUE=DATE:20200111",
      "RRULE:FREQ=MONTHLY;BYMONTHDAY=15",
      "SUMMARY:Fair"
    )
    #expect(try entries(event, from: 20, through: 20) == ["15–24 Fair (day)"])
  }

  @Test func `a day of a duration is a day on the clock`() throws {
    // Clocks go back on 25 October 2026, so the day has 25 hours.
    let file = CalendarFile(
      parsing: """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;TZID=Europe/Copenhagen:20261024T120000
        DURATION:P1DT1H
        END:VEVENT
        END:VCALENDAR
        """.utf8
    )
    let day = try #require(CivilDate(2026, 10, 24))
    let agenda = Agenda(of: [file], from: day, through: day, in: "Europe/Copenhagen")
    let entry = try #require(agenda.occurrences.first)
    let start = try #require(entry.start)
    #expect(entry.end?.timeIntervalSince(start) == 93_600.0)
  }

  @Test func `a series keeps its local time across the change of clocks`() throws {
    let event = event(
      "DTSTART;TZID=America/New_York:20261030T200000",
      "RRULE:FREQ=DAILY;UNTIL=20261103T010000Z",
      "SUMMARY:Call"
    )
    // 20:00 in New York is 1:00 in Copenhagen after the 25th of October, and 2:00 from November on.
    #expect(try entries(event, from: 1, through: 30) == ["1 Call", "2 Call", "3 Call"])
  }

  private let town = """
    BEGIN:VTIMEZONE
    TZID:Old Town
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+1100
    TZOFFSETTO:+1000
    RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+1000
    TZOFFSETTO:+1100
    RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
    END:DAYLIGHT
    END:VTIMEZONE

    """

  @Test(arguments: [("20261120T100000", "19 Call"), ("20261120T110000", "20 Call")])
  func `a zone that only the file has is that of the file`(time: String, entry: String) throws {
    // 11:00 in summer is midnight at Greenwich.
    let event = event("DTSTART;TZID=Old Town:\(time)", "SUMMARY:Call")
    #expect(try entries(town + event, from: 1, through: 30, in: "UTC") == [entry])
    #expect(try entries(event + "\n" + town, from: 1, through: 30, in: "UTC") == [entry])
  }

  @Test func `the changes of such a zone are applied`() throws {
    let event = event(
      "DTSTART;TZID=Old Town:20261029T103000",
      "RRULE:FREQ=DAILY;COUNT=5",
      "SUMMARY:Call"
    )
    // 10:30 is 0:30 at Greenwich until the 1st of November, and then 23:30 of the day before.
    #expect(
      try entries(town + event, from: 1, through: 30, in: "UTC") == ["1 Call"]
    )
    let gap = self.event("DTSTART;TZID=Old Town:20261101T023000", "SUMMARY:Gap")
    #expect(try entries(town + gap, from: 1, through: 1, in: "Etc/GMT-10") == ["1 Gap"])
  }

  @Test func `the definition of a zone in the file holds, whatever its name`() throws {
    let event = event("DTSTART;TZID=Europe/Paris:20261120T003000", "SUMMARY:Night")
    let zone = town.replacing("Old Town", with: "Europe/Paris")
    // In the summer of that town it is the day before at Greenwich.
    #expect(try entries(zone + event, from: 18, through: 21) == ["19 Night"])
    // One of which a rule cannot be read is none.
    let broken = zone.replacing("BYDAY=1SU;BYMONTH=11", with: "BYEASTER=1")
    #expect(try entries(broken + event, from: 18, through: 21) == ["20 Night"])
  }

  @Test func `an event that recurs too often is named, for each file`() throws {
    let day = try #require(CivilDate(2026, 11, 20))
    let files = ["FREQ=DAILY", "FREQ=SECONDLY", "FREQ=WEEKLY"].map { rule in
      let event = event("DTSTART:20200101T100000", "RRULE:\(rule)", "SUMMARY:\(rule)")
      return CalendarFile(parsing: "BEGIN:VCALENDAR\n\(event)\nEND:VCALENDAR".utf8)
    }
    let agenda = Agenda(of: files, from: day, through: day.adding(days: 60), in: "UTC")
    #expect(agenda.cuts == [nil, "FREQ=SECONDLY", nil])
    #expect(agenda.occurrences.count { $0.summary == "FREQ=DAILY" } == 61)
  }

  @Test func `a file full of endless rules does not hide the others`() throws {
    let day = try #require(CivilDate(2026, 11, 20))
    let endless = event("DTSTART:20200101T100000", "RRULE:FREQ=SECONDLY;BYMONTH=2", "SUMMARY:Tick")
    let good = event("DTSTART:20200101T100000", "RRULE:FREQ=DAILY", "SUMMARY:Walk")
    let bad = [String](repeating: endless, count: 500).joined(separator: "\n")
    let files = [bad, good].map {
      CalendarFile(parsing: "BEGIN:VCALENDAR\n\($0)\nEND:VCALENDAR".utf8)
    }
    let agenda = Agenda(of: files, from: day, through: day.adding(days: 60), in: "UTC")
    #expect(agenda.cuts == ["Tick", nil])
    #expect(agenda.occurrences.count { $0.summary == "Walk" } == 61)
  }
}
