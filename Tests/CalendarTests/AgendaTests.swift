import FoundationEssentials
import Testing

@testable import Calendar

@MainActor
struct AgendaTests {
  private let agenda = Agenda(zone: "Europe/Copenhagen")

  private func entries(_ events: String, from day: Int, through last: Int) throws -> [String] {
    let file = CalendarFile(parsing: "BEGIN:VCALENDAR\n\(events)\nEND:VCALENDAR".utf8)
    let first = try #require(CivilDate(year: 2026, month: 11, day: day))
    let end = try #require(CivilDate(year: 2026, month: 11, day: last))
    return agenda.occurrences(of: file.events, from: first, through: end).map { entry in
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
    let event = event("DTSTART;TZID=W. Europe Standard Time:20261120T003000", "SUMMARY:Night")
    #expect(try entries(event, from: 20, through: 20) == ["20 Night"])
  }
}
