import Testing
import WidgetKitCore

@testable import CalendarFormats

/// Recurrence rules of vCalendar 1.0.
struct OldRuleTests {
  @Test(arguments: [
    ("D1 #10", "FREQ=DAILY;INTERVAL=1;COUNT=10"),
    ("D2 #0", "FREQ=DAILY;INTERVAL=2"),
    ("D1 19941224T000000Z", "FREQ=DAILY;INTERVAL=1;UNTIL=19941224T000000Z"),
    ("W1", "FREQ=WEEKLY;INTERVAL=1"),
    ("w1 mo tu #0", "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TU"),
    ("W1 TU TH #5", "FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,TH;COUNT=10"),
    ("W2 MO$ TU #2", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=3"),
    ("W2 MO WE FR 20271224", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;UNTIL=20271224"),
    ("MP1 1+ MO", "FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO"),
    ("MP2 1+ SU 1- SU #5", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,-1SU;COUNT=10"),
    ("MP1 1+ 3 MO FR #1", "FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO,3MO,1FR,3FR;COUNT=4"),
    ("MD1 1", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1"),
    ("MD1 2 15 3- LD #0", "FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=2,15,-3,-1"),
    ("YM1", "FREQ=YEARLY;INTERVAL=1"),
    ("YM1 6 7 #5", "FREQ=YEARLY;INTERVAL=1;BYMONTH=6,7;COUNT=10"),
    ("YD1", "FREQ=YEARLY;INTERVAL=1"),
    ("YD3 1 100 200 #4", "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200;COUNT=12"),
    ("D1 0900 1300 #2", "FREQ=DAILY;INTERVAL=1;BYHOUR=9,13;BYMINUTE=0;COUNT=4"),
  ])
  func `a rule has its equal`(old: String, new: String) throws {
    #expect(OldRule.isOld(old))
    #expect(try OldRule(old).text == new)
    _ = try RecurrenceRule(old)
  }

  @Test(arguments: [
    "M5 #12", "D0", "D99999999999", "W1 XX", "W1 MO 1+", "MP1", "MP1 MO", "MP1 1+", "MP1 6+ MO",
    "MD1 32", "MD1 0", "YM1 13", "YD1 367", "D1 0900 1330 #2", "D1 #99999999999999999999", "D1 #-1",
    "D1 #x", "W1 MO 20269999T000000Z", "D1 YM1 6",
  ])
  func `a rule without an equal is refused`(old: String) {
    #expect(OldRule.isOld(old))
    #expect(throws: RecurrenceRule.Refusal.self) { try RecurrenceRule(old) }
  }

  @Test(arguments: ["", "FREQ=DAILY", "DAILY", "X1", "1", "D", "D=1", "é1"])
  func `what is no rule of that form is left to the other one`(text: String) {
    #expect(!OldRule.isOld(text))
  }

  private func shown(_ lines: String) throws -> (entries: [String], trouble: String?) {
    let file = CalendarFile(
      parsing: "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR"
        .utf8
    )
    let first = try #require(CivilDate(2026, 6, 14))
    let agenda = Agenda(of: [file], from: first, through: first.adding(days: 60), in: "UTC")
    return (agenda.occurrences.map { "\($0.firstDay.month)/\($0.firstDay.day)" }, file.trouble)
  }

  @Test func `a series of an old file is shown, and its exceptions are left out`() throws {
    let rule = "DTSTART:20260615T090000\nRRULE:W1 MO WE #3"
    #expect(try shown(rule).entries == ["6/15", "6/17", "6/22", "6/24", "6/29", "7/1"])
    let exceptions = "\nEXDATE:20260617T090000;20260622T090000;20260624T090000"
    #expect(try shown(rule + exceptions).entries == ["6/15", "6/29", "7/1"])
    #expect(try shown("DTSTART:20260601T090000\nRRULE:MP1 1+ MO").entries == ["7/6", "8/3"])
    #expect(try shown("DTSTART:19800620\nRRULE:YM1 #0").entries == ["6/20"])
  }

  @Test func `a rule that is not understood is named, and the first occurrence shows`() throws {
    let (entries, trouble) = try shown("DTSTART:20260615T090000\nRRULE:M15 #20")
    #expect(entries == ["6/15"])
    #expect(trouble == "line 5: RRULE with M15 #20 is not understood")
  }
}
