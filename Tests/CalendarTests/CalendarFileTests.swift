import Testing

@testable import Calendar

struct CalendarFileTests {
  private func file(_ lines: String, end: String = "\r\n") -> CalendarFile {
    let text = "BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n"
    return CalendarFile(parsing: text.split(separator: "\n").joined(separator: end).utf8)
  }

  private func event(_ lines: String) throws -> Event {
    let file = file("BEGIN:VEVENT\n\(lines)\nEND:VEVENT")
    #expect(file.trouble == nil)
    return try #require(file.events.first)
  }

  @Test func `folded lines are joined, also inside a character`() throws {
    #expect(
      try event("DTSTART:20261120\nSUMMARY:Multi\n coloured\n\t  suspenders").summary
        == "Multicoloured  suspenders"
    )
    let bytes =
      Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:na".utf8)
      + [0xC3, 0x0D, 0x0A, 0x20, 0xAF] + Array("ve\nEND:VEVENT\nEND:VCALENDAR".utf8)
    #expect(CalendarFile(parsing: bytes).events.first?.summary == "naïve")
  }

  @Test func `escapes of a summary are resolved`() throws {
    let event = try event(#"DTSTART:20261120\#nSUMMARY:a\, b\; c\\d\ne"#)
    #expect(event.summary == #"a, b; c\d e"#)
  }

  @Test func `times have their zone`() throws {
    let local = try event("DTSTART;TZID=\"Europe/Paris\";X=\"a:b;c\":20261120T143000")
    #expect(local.start.zone == "Europe/Paris")
    #expect(local.start.second == 14 * 3600 + 30 * 60)
    #expect(try event("DTSTART:20261120T143000Z").start.zone == "UTC")
    #expect(try event("DTSTART:20261120T143000").start.zone == nil)
    #expect(try event("DTSTART;VALUE=DATE:20261120").start.second == nil)
  }

  @Test(arguments: [
    ("PT1H30M", 5400), ("P1DT2H", 93_600), ("P2W", 1_209_600), ("+PT15S", 15), ("P0D", 0),
  ])
  func `durations are seconds`(text: String, seconds: Int) {
    #expect(EventDuration(text)?.seconds == seconds)
  }

  @Test(arguments: ["", "P", "1H", "PT1D", "P1H", "-PT5M", "PT99999999999999999999H", "PTH"])
  func `an invalid duration is refused`(text: String) {
    #expect(EventDuration(text) == nil)
  }

  @Test(arguments: ["2026112", "20261320", "20261120T25", "20261120T250000", "20261120T100000X"])
  func `an invalid date is refused`(text: String) {
    #expect(EventTime(text, zone: nil) == nil)
  }

  @Test func `an alarm inside an entry does not change the entry`() throws {
    let event = try event(
      """
      DTSTART:20261120T100000
      DURATION:PT1H
      SUMMARY:Right
      BEGIN:VALARM
      DURATION:PT5M
      SUMMARY:Wrong
      END:VALARM
      """
    )
    #expect(event.summary == "Right")
    #expect(event.end == EventDuration("PT1H").map { .after($0) })
  }

  @Test func `an error is reported with its line, and the other entries are read`() {
    let file = file(
      """
      BEGIN:VEVENT
      DTSTART:tomorrow
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261120
      SUMMARY:Good
      END:VEVENT
      """
    )
    #expect(file.events.map(\.summary) == ["Good"])
    #expect(file.trouble == "line 3: DTSTART “tomorrow” is no date")
  }

  @Test func `an entry with an unknown rule keeps its first occurrence`() {
    let file = file(
      "BEGIN:VEVENT\nDTSTART:20261120\nRRULE:FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO\nEND:VEVENT"
    )
    #expect(file.events.first?.rule == nil)
    #expect(file.events.count == 1)
    #expect(file.trouble == "line 4: RRULE with BYSETPOS=1 is not understood")
  }

  @Test(arguments: ["", "hello", "<html>:</html>", "\0\u{1}:"])
  func `a file that is not a calendar is reported`(text: String) {
    let file = CalendarFile(parsing: text.utf8)
    #expect(file.events.isEmpty)
    #expect(file.trouble == "no calendar (BEGIN:VCALENDAR is missing)")
  }

  @Test func `a truncated file is reported`() {
    let file = CalendarFile(parsing: "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261120".utf8)
    #expect(file.trouble == "ends in the middle of an entry")
  }

  @Test func `a cancelled entry is left out`() {
    let file = file("BEGIN:VEVENT\nDTSTART:20261120\nSTATUS:CANCELLED\nEND:VEVENT")
    #expect(file.events.isEmpty)
    #expect(file.trouble == nil)
  }
}
