import Testing

@testable import CalendarFormats

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

  @Test func `an escape that no calendar has is the character behind it`() throws {
    let event = try event(#"DTSTART:20261120\#nSUMMARY:Call\: plan 10\:30 \x"#)
    #expect(event.summary == "Call: plan 10:30 x")
  }

  @Test func `escapes of a summary are resolved`() throws {
    let event = try event(#"DTSTART:20261120\#nSUMMARY:a\, b\; c\\d\ne"#)
    #expect(event.summary == #"a, b; c\d e"#)
  }

  @Test(arguments: ["SUMMARY:", "SUMMARY;LANGUAGE=en:", "X-NONE:1"])
  func `an entry without a summary has no title`(line: String) throws {
    #expect(try event("DTSTART:20261120\n\(line)").summary == "(no title)")
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
    ("PT1H30M", 0, 5400), ("P1DT2H", 1, 7200), ("P2W", 14, 0), ("+PT15S", 0, 15), ("P0D", 0, 0),
  ])
  func `durations are days and seconds`(text: String, days: Int, seconds: Int) throws {
    guard case .after(let duration) = try event("DTSTART:20261120\nDURATION:\(text)").end else {
      Issue.record("no duration")
      return
    }
    #expect(duration.days == days)
    #expect(duration.seconds == seconds)
  }

  @Test(arguments: ["", "1H", "-PT5M", "PTH", "P99999999W"])
  func `an invalid duration is named, and its entry stays`(text: String) {
    let file = file("BEGIN:VEVENT\nDTSTART:20261120\nDURATION:\(text)\nEND:VEVENT")
    #expect(file.events.map(\.end) == [.unsaid])
    #expect(file.trouble == "line 4: DURATION “\(text)” is no duration")
  }

  @Test(arguments: [
    "", "2026112", "20261320", "20260230", "20261120T25", "20261120T250000", "20261120T106000",
    "20261120T100000X", "00001120", "99999999",
  ])
  func `an invalid date is named, and costs the entry only if it begins then`(text: String) {
    for name in ["DTSTART", "RECURRENCE-ID", "RDATE", "EXDATE", "DTEND"] {
      let file = file("BEGIN:VEVENT\nDTSTART:20261120\n\(name):\(text)\nEND:VEVENT")
      #expect(file.events.isEmpty == ["DTSTART", "RECURRENCE-ID"].contains(name))
      // A list may be empty.
      let isList = ["RDATE", "EXDATE"].contains(name)
      let trouble = text.isEmpty && isList ? nil : "line 4: \(name) “\(text)” is no date"
      #expect(file.trouble == trouble)
    }
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
    guard case .after(let duration) = event.end else {
      Issue.record("no duration")
      return
    }
    #expect(duration.seconds == 3600)
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
      "BEGIN:VEVENT\nDTSTART:20261120\nRRULE:FREQ=MONTHLY;BYEASTER=1;BYDAY=MO\nEND:VEVENT"
    )
    #expect(file.events.first?.rules == [])
    #expect(file.events.count == 1)
    #expect(file.trouble == "line 4: RRULE with BYEASTER=1 is not understood")
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

  @Test func `an entry without an end or a start costs no other one`() {
    let open = "BEGIN:VEVENT\nDTSTART:20261119\nSUMMARY:Open"
    let good = "BEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:Good\nEND:VEVENT"
    let alarm = "BEGIN:VEVENT\nDTSTART:20261121\nSUMMARY:Alarm\nBEGIN:VALARM\nEND:VEVENT"
    let first = file([good, open, good, alarm, good].joined(separator: "\n"))
    #expect(first.events.map(\.summary) == ["Good", "Good", "Alarm", "Good"])
    #expect(first.trouble == "line 6: an entry has no END:VEVENT")
    let second = file("BEGIN:VEVENT\nSUMMARY:None\nEND:VEVENT\nEND:VEVENT\n" + good)
    #expect(second.events.map(\.summary) == ["Good"])
    #expect(second.trouble == "line 2: an entry has no DTSTART")
  }

  @Test func `the line ends of old Macs are read`() {
    let file = file("BEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:Good\n day\nEND:VEVENT", end: "\r")
    #expect(file.events.map(\.summary) == ["Goodday"])
  }

  @Test func `a byte order mark, zeros and bare line feeds do not matter`() {
    let text =
      "\u{FEFF}begin:vcalendar\nbegin:vevent\ndtstart:2026\01120\nEND:VEVENT\nEND:VCALENDAR"
    #expect(CalendarFile(parsing: text.utf8).events.count == 1)
  }

  @Test func `a line that is too long is an error, except a summary`() {
    let dates = [String](repeating: "20261121", count: 10_000).joined(separator: ",")
    let file = file("BEGIN:VEVENT\nDTSTART:20261120\nEXDATE:\(dates)\nEND:VEVENT")
    #expect(file.trouble == "line 4: EXDATE is longer than 64 KiB")
    let long = String(repeating: "x", count: 100_000)
    #expect(self.file("BEGIN:VEVENT\nDTSTART:20261120\nSUMMARY:\(long)\nEND:VEVENT").trouble == nil)
  }

  @Test func `a file with too many entries says so`() {
    let entry = "BEGIN:VEVENT\nDTSTART:20261120\nEND:VEVENT\n"
    let file = file(String(repeating: entry, count: CalendarFile.eventLimit + 1))
    #expect(file.events.count == CalendarFile.eventLimit)
    #expect(file.trouble == "more than 20000 entries: the rest is left out")
  }

  @Test func `deeply nested components are no problem`() {
    let depth = 200_000
    let text =
      "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:VEVENT\n", count: depth)
      + "DTSTART:20261120\nSUMMARY:Deep\n" + String(repeating: "END:VEVENT\n", count: depth)
    let file = CalendarFile(parsing: text.utf8)
    #expect(file.events.map(\.summary) == ["Deep"])
  }
}
