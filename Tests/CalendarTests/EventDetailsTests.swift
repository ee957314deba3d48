import FoundationEssentials
import Testing
import WidgetKitCore

@testable import Calendar
@testable import CalendarFormats

/// Place, description and meeting of entries, and reminders of them.
@MainActor struct EventDetailsTests {
  /// Tuesday, 24 November 2026, 9:00 in Greenwich.
  private static let now = Date(timeIntervalSince1970: 1_795_510_800)

  private func entries(_ lines: String, day: String = "20261124T091000Z") throws -> [Occurrence] {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      SUMMARY:Standup
      DTSTART:\(day)
      DTEND:20261124T093000Z
      \(lines)
      END:VEVENT
      END:VCALENDAR
      """
    let day = try #require(CivilDate(2026, 11, 24))
    let file = CalendarFile(parsing: Array(text.utf8))
    #expect(file.trouble == nil)
    return Agenda(of: [file], from: day, through: day.adding(days: 5), in: "UTC").occurrences
  }

  @Test func `place and description are read, without escapes and tags`() throws {
    let entry = try #require(
      try entries(
        "LOCATION:Room 1\\, second floor\nDESCRIPTION:<b>Bring</b> cake\\n\\nand  tea; 1 < 2"
      ).first
    )
    #expect(entry.details.place == "Room 1, second floor")
    let notes = entry.details.notes
    #expect(notes.hasPrefix("Bring cake and tea; 1") || notes.hasPrefix("<b>"), "\(notes)")
    #expect(entry.details.meeting == nil)
  }

  @Test(
    arguments: [
      ("LOCATION:https://zoom.us/j/1234?pwd=a", "https://zoom.us/j/1234?pwd=a"),
      ("DESCRIPTION:Join <https://eu01web.zoom.us/j/5>\\, please", "https://eu01web.zoom.us/j/5"),
      ("DESCRIPTION:<a href=\"https://meet.google.com/abc\">x</a>", "https://meet.google.com/abc"),
      ("URL:https://teams.live.com/meet/19%3a", "https://teams.live.com/meet/19%3a"),
      ("CONFERENCE;VALUE=URI:https://video.example.org/room", "https://video.example.org/room"),
      ("X-GOOGLE-CONFERENCE:https://meet.google.com/x", "https://meet.google.com/x"),
      ("X-MICROSOFT-SKYPETEAMSMEETINGURL:https://a.example/t", "https://a.example/t"),
      ("LOCATION:https://teams.microsoft.com/meet/2", "https://teams.microsoft.com/meet/2"),
      ("LOCATION:https://app.slack.com/huddle/T1/C2", "https://app.slack.com/huddle/T1/C2"),
      ("DESCRIPTION:https://v.ringcentral.com/join/9", "https://v.ringcentral.com/join/9"),
      ("DESCRIPTION:https://facetime.apple.com/join#v=1", "https://facetime.apple.com/join#v=1"),
      ("LOCATION:https://jitsi.example.org/Standup", "https://jitsi.example.org/Standup"),
      ("LOCATION:https://bbb.uni.example/b/ida-4", "https://bbb.uni.example/b/ida-4"),
      ("LOCATION:https://meet.example.org", nil),
      ("LOCATION:https://meet.example/room", nil),
      ("LOCATION:https://example.org/meet/room", nil),
      ("URL:https://slack.com/help", nil),
      ("URL:https://example.com/zoom.us/j/1", nil),
      ("URL:https://zoom.us.evil.example/j/1", nil),
      ("URL:https://zoom.us@evil.example/j/1", nil),
      ("URL:https://evilzoom.us/j/1", nil),
      ("URL:http://zoom.us/j/1", nil),
      ("URL:https://zoom.us", nil),
      ("CONFERENCE:javascript:alert(1)", nil),
      ("CONFERENCE:tel:+1-555", nil),
    ] as [(String, String?)]
  )
  func `a meeting is joined at an address of a server of meetings alone`(
    line: String,
    meeting: String?
  ) throws {
    #expect(try entries(line).first?.details.meeting == meeting)
  }

  @Test func `a description that is longer than any line costs no entry`() throws {
    let long = String(repeating: "word ", count: 40_000)
    let entry = try #require(try entries("DESCRIPTION:\(long)").first)
    #expect(entry.details.notes.count == 400 || entry.details.notes.isEmpty)
  }

  @Test func `an entry is announced once before it begins, also after a restart`() throws {
    let entries = try entries("LOCATION:Room 1\nCONFERENCE:https://video.example.org/room")
    var reminders = EventReminders(minutes: nil, data: nil)
    #expect(reminders.due(entries, at: Self.now.addingTimeInterval(-1)).isEmpty)
    let notices = reminders.due(entries, at: Self.now)
    #expect(notices.map(\.title) == ["Standup in 10 min"])
    #expect(notices.first?.body == "Room 1")
    #expect(notices.first?.actions?.map(\.url) == ["https://video.example.org/room"])
    #expect(reminders.due(entries, at: Self.now.addingTimeInterval(60)).isEmpty)
    var again = EventReminders(minutes: 10, data: reminders.data)
    #expect(again.due(entries, at: Self.now).isEmpty)
  }

  @Test(arguments: [0, -5, .nan, -.infinity] as [Double])
  func `without minutes nobody is told`(minutes: Double) throws {
    var reminders = EventReminders(minutes: minutes, data: Data("no list".utf8))
    #expect(reminders.due(try entries(""), at: Self.now).isEmpty)
  }

  @Test func `what began, whole days and what is far are not told of`() throws {
    var reminders = EventReminders(minutes: .infinity, data: nil)
    #expect(reminders.due(try entries(""), at: Self.now.addingTimeInterval(601)).isEmpty)
    #expect(reminders.due(try entries("", day: "20261124"), at: Self.now).isEmpty)
  }

  @Test func `in a long list what comes several times a day is there once`() throws {
    let day = try #require(CivilDate(2026, 11, 24))
    let start = Self.now
    let entries = (0..<3).map { hour in
      Occurrence(
        summary: hour == 1 ? "Other" : "Water",
        firstDay: day,
        lastDay: day,
        start: start.addingTimeInterval(Double(hour) * 3600),
        end: start.addingTimeInterval(Double(hour) * 3600 + 60)
      )
    }
    let groups = AgendaRows.Day(date: day, entries: entries).grouped
    #expect(groups.map(\.entry.summary) == ["Water", "Other"] && groups.map(\.times) == [2, 1])
    let rows = AgendaRows(entries: entries, today: day, now: start, zone: "UTC", lastDay: day)
    #expect(rows.comingOnce.map(\.summary) == ["Water", "Other"])
  }

  @Test func `a few calendars have colours, and a folder of single entries has none`() {
    #expect(CalendarColors(names: ["a.ics"]) == nil)
    #expect(CalendarColors(names: (0..<200).map { "\($0).ics" }) == nil)
    let colors = CalendarColors(names: ["work.ics", "home.ics", "server"])
    #expect(colors?.name(0) == "work" && colors?.name(2) == "server" && colors?.name(9) == "")
    #expect(colors?[0] != colors?[1])
  }
}
