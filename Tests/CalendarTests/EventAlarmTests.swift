import FoundationEssentials
import Testing
import WidgetKitCore

@testable import Calendar
@testable import CalendarFormats

/// Reminders that entries have themselves (`VALARM`), as notices.
@MainActor struct EventAlarmTests {
  /// 24 November 2026, 9:00 in Greenwich.
  private static let nine = Date(timeIntervalSince1970: 1_795_510_800)

  private func alarm(_ trigger: String, _ more: String = "ACTION:DISPLAY") -> String {
    "BEGIN:VALARM\n\(more)\nTRIGGER\(trigger)\nDESCRIPTION:x\nEND:VALARM"
  }

  /// An entry from 10:00 to 11:00.
  private func entries(
    _ lines: String,
    start: String = "DTSTART:20261124T100000Z\nDTEND:20261124T110000Z",
    in zone: String = "UTC"
  ) throws -> [Occurrence] {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Review\n\(start)\n\(lines)\n"
      + "END:VEVENT\nEND:VCALENDAR\n"
    let file = CalendarFile(parsing: Array(text.utf8))
    #expect(file.trouble == nil && file.events.count == 1)
    let day = try #require(CivilDate(2026, 11, 24))
    return Agenda(of: [file], from: day, through: day.adding(days: 30), in: zone).occurrences
  }

  private func told(
    _ entries: [Occurrence],
    after minutes: Double,
    in zone: String = "UTC",
    _ reminders: inout EventReminders
  ) -> [String] {
    reminders.due(entries, at: Self.nine.addingTimeInterval(minutes * 60), in: zone).map(\.title)
  }

  private func first(_ entries: [Occurrence], in zone: String = "UTC") -> (
    minute: Int, words: String
  )? {
    var reminders = EventReminders(minutes: 10, data: nil)
    for minute in -2 * 1440...3 * 1440 {
      if let words = told(entries, after: Double(minute), in: zone, &reminders).first {
        return (minute, words)
      }
    }
    return nil
  }

  @Test(
    arguments: [
      (":-PT15M", 45, "Review in 15 min"), (":-PT1H", 0, "Review in 60 min"),
      (":-P1D", 60 - 1440, "Review in 24 h"), (":-P1DT2H30M", 60 - 1440 - 150, "Review in 27 h"),
      (":PT0S", 60, "Review now"), (";RELATED=START:-PT90S", 59, "Review in 1 min"),
      (";RELATED=END:-PT75M", 45, "Review in 15 min"), (":PT5M", 65, "Review has begun"),
      (";VALUE=DATE-TIME:20261124T093000Z", 30, "Review in 30 min"),
      (";VALUE=DURATION:-PT15M", 45, "Review in 15 min"), (":-pt15m", 45, "Review in 15 min"),
    ]
  )
  func `an entry with a reminder is announced at its time`(
    trigger: String,
    minute: Int,
    words: String
  ) throws {
    let found = try #require(first(try entries(alarm(trigger))))
    #expect(found.minute == minute && found.words == words)
  }

  @Test(arguments: [
    "", ":", ":P", ":PT", ":-15M", ":-PT15", ":-PT9999999999M", ":-P999999D", ":tomorrow",
    ";VALUE=DATE-TIME:20261124", ";VALUE=DATE-TIME:20261324T093000Z", ":-PT15M5", ":--PT5M",
  ])
  func `a reminder that cannot be read leaves the usual one`(trigger: String) throws {
    let line = trigger.isEmpty ? "" : "TRIGGER\(trigger)"
    let entries = try entries("BEGIN:VALARM\nACTION:DISPLAY\n\(line)\nEND:VALARM")
    #expect(first(entries)?.minute == 50)
  }

  @Test func `a mail is none, and an entry can ask not to be announced`() throws {
    #expect(try first(entries(alarm(":-PT30M", "ACTION:EMAIL")))?.minute == 50)
    #expect(try first(entries(alarm(":-PT30M", "ACTION:AUDIO")))?.minute == 30)
    #expect(
      try first(entries(alarm(";VALUE=DATE-TIME:19760401T005545Z", "ACTION:NONE"))) == nil
    )
    var silent = EventReminders(minutes: 0, data: nil)
    #expect(try told(entries(alarm(":-PT30M")), after: 40, &silent).isEmpty)
  }

  @Test func `each reminder is told of once, also over restarts, and those of one moment together`()
    throws
  {
    let entries = try entries(alarm(":-PT30M") + "\n" + alarm(":-PT15M") + "\n" + alarm(":-PT20M"))
    var reminders = EventReminders(minutes: 10, data: nil)
    #expect(told(entries, after: 31, &reminders) == ["Review in 29 min"])
    #expect(told(entries, after: 32, &reminders).isEmpty)
    reminders = EventReminders(minutes: 10, data: reminders.data)
    #expect(told(entries, after: 33, &reminders).isEmpty)
    // The program was away: both that are due are one notice.
    #expect(told(entries, after: 46, &reminders) == ["Review in 14 min"])
    reminders = EventReminders(minutes: 10, data: reminders.data)
    #expect(told(entries, after: 50, &reminders).isEmpty)
  }

  @Test func `what is past is not told of`() throws {
    let entries = try entries(alarm(":-PT30M") + "\n" + alarm(":PT0S"))
    var reminders = EventReminders(minutes: 10, data: nil)
    #expect(told(entries, after: 66, &reminders).isEmpty)
    #expect(told(entries, after: 5000, &reminders).isEmpty)
  }

  @Test func `a whole day is announced by the clocks of the user, as long as it lasts`() throws {
    let zone = "America/New_York"
    let day = "DTSTART;VALUE=DATE:20261125"
    let entries = try entries(alarm(":-PT15H"), start: day, in: zone)
    // 9:00 on the day before is 14:00 in Greenwich.
    var found = try #require(first(entries, in: zone))
    #expect(found.minute == 300 && found.words == "Review tomorrow")
    let morning = try self.entries(alarm(":PT9H"), start: day, in: zone)
    found = try #require(first(morning, in: zone))
    #expect(found.minute == 300 + 1440 && found.words == "Review today")
    var reminders = EventReminders(minutes: 10, data: nil)
    #expect(told(morning, after: 300 + 1440 + 600, in: zone, &reminders) == ["Review today"])
    reminders = EventReminders(minutes: 10, data: nil)
    #expect(told(morning, after: 300 + 3 * 1440, in: zone, &reminders).isEmpty)
    #expect(first(try self.entries("", start: day), in: zone) == nil)
  }

  @Test func `each occurrence of a series has its reminder`() throws {
    let series = try entries(alarm(":-PT15M") + "\nRRULE:FREQ=DAILY;COUNT=3")
    #expect(series.count == 3)
    var reminders = EventReminders(minutes: 10, data: nil)
    let minutes = (0..<4 * 1440).filter { !told(series, after: Double($0), &reminders).isEmpty }
    #expect(minutes == [45, 45 + 1440, 45 + 2880])
  }

  @Test func `hundreds of reminders cost no other, and what was told is forgotten in the end`()
    throws
  {
    let many = (0..<500).map { _ in alarm(":-PT15M") }.joined(separator: "\n")
    #expect(try entries(many).first?.details.alarms?.count == 8)
    var reminders = EventReminders(minutes: 10, data: Data("[\"1000 Old\", \"no time\"]".utf8))
    #expect(try told(entries(""), after: 55, &reminders).count == 1)
    #expect(reminders.told.count == 1)
  }

  @Test func `an alarm without an end costs its entry nothing`() throws {
    let open = try entries("BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT30M")
    #expect(open.first?.details.alarms == nil && open.first?.summary == "Review")
  }
}
