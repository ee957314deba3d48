import Testing
import WidgetKitCore

@testable import CalendarFormats

struct RecurrenceRuleTests {
  private func day(_ date: (Int, Int, Int)) throws -> CivilDate {
    try #require(CivilDate(date.0, date.1, date.2))
  }

  private func dates(
    _ rule: String,
    from start: (Int, Int, Int),
    through last: (Int, Int, Int),
    since first: (Int, Int, Int)? = nil
  ) throws -> [String] {
    var budget = RecurrenceBudget(units: RecurrenceBudget.ofFile)
    let begin = try EventTime(date: day(start))
    let range = try day(first ?? start)...day(last)
    let starts = try RecurrenceRule(rule).starts(from: begin, in: range, budget: &budget)
    #expect(!starts.isCut)
    return starts.times.map { "\($0.date.month)/\($0.date.day)" }
  }

  @Test func `every third day`() throws {
    #expect(
      try dates("FREQ=DAILY;INTERVAL=3", from: (2026, 11, 28), through: (2026, 12, 6))
        == ["11/28", "12/1", "12/4"]
    )
  }

  @Test func `every second week on two days, from the start date on`() throws {
    #expect(
      try dates(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,MO",
        from: (2026, 11, 19),
        through: (2026, 12, 31)
      ) == ["11/19", "11/30", "12/3", "12/14", "12/17", "12/28", "12/31"]
    )
  }

  /// The example of RFC 5545 §3.3.10.
  @Test func `the first day of the week matters every second week`() throws {
    let rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST="
    #expect(
      try dates(rule + "MO", from: (1997, 8, 5), through: (1997, 12, 31))
        == ["8/5", "8/10", "8/19", "8/24"]
    )
    #expect(
      try dates(rule + "SU", from: (1997, 8, 5), through: (1997, 12, 31))
        == ["8/5", "8/17", "8/19", "8/31"]
    )
  }

  @Test(arguments: [
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", (2026, 1, 5), ["6/28", "7/12", "7/26", "8/9"]),
    ("FREQ=WEEKLY;INTERVAL=4;BYDAY=SU", (2020, 1, 2), ["7/12", "8/9"]),
    (
      "FREQ=WEEKLY;INTERVAL=2;WKST=SA;BYDAY=FR,WE", (2026, 5, 22),
      ["6/17", "6/19", "7/1", "7/3", "7/15", "7/17", "7/29", "7/31", "8/12", "8/14"]
    ),
    ("FREQ=DAILY;INTERVAL=20", (2026, 1, 1), ["6/30", "7/20", "8/9"]),
  ])
  func `the step is counted from the start, also long after it`(
    rule: String,
    start: (Int, Int, Int),
    expected: [String]
  ) throws {
    #expect(try dates(rule, from: start, through: (2026, 8, 14), since: (2026, 6, 15)) == expected)
    // As if all dates since the start were looked at, also to be counted.
    let all = try dates(rule, from: start, through: (2026, 8, 14))
    #expect(all.suffix(expected.count) == expected[...])
    let counted = try dates("\(rule);COUNT=\(all.count)", from: start, through: (2027, 8, 14))
    #expect(counted == all)
  }

  @Test func `weeks of the year have the weekday of the start`() throws {
    #expect(
      try dates("FREQ=YEARLY;BYWEEKNO=27", from: (2026, 6, 29), through: (2028, 12, 31))
        == ["6/29", "7/5", "7/3"]
    )
  }

  @Test func `a count ends a rule, also when it began long ago`() throws {
    #expect(
      try dates("FREQ=WEEKLY;COUNT=3", from: (2026, 11, 20), through: (2027, 1, 1))
        == ["11/20", "11/27", "12/4"]
    )
    #expect(
      try dates(
        "FREQ=WEEKLY;COUNT=3",
        from: (2026, 11, 20),
        through: (2027, 1, 1),
        since: (2026, 11, 25)
      ) == ["11/27", "12/4"]
    )
  }

  @Test func `a month without the day is skipped`() throws {
    #expect(
      try dates("FREQ=MONTHLY", from: (2026, 10, 31), through: (2027, 3, 31))
        == ["10/31", "12/31", "1/31", "3/31"]
    )
  }

  @Test func `the last Friday and the first Monday of a month`() throws {
    #expect(
      try dates("FREQ=MONTHLY;BYDAY=1MO,-1FR", from: (2026, 11, 1), through: (2026, 12, 31))
        == ["11/2", "11/27", "12/7", "12/25"]
    )
    #expect(
      try dates("FREQ=MONTHLY;BYMONTHDAY=-1", from: (2027, 1, 5), through: (2027, 3, 1))
        == ["1/31", "2/28"]
    )
  }

  @Test func `months, positions, days and weeks of the year`() throws {
    #expect(
      try dates(
        "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
        from: (2020, 11, 26),
        through: (2027, 12, 31),
        since: (2026, 1, 1)
      ) == ["11/26", "11/25"]
    )
    #expect(
      try dates(
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        from: (2026, 10, 1),
        through: (2026, 12, 31)
      ) == ["10/30", "11/30", "12/31"]
    )
    #expect(
      try dates("FREQ=YEARLY;BYYEARDAY=1,-1", from: (2026, 1, 1), through: (2027, 1, 2))
        == ["1/1", "12/31", "1/1"]
    )
    #expect(
      try dates("FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", from: (2026, 1, 1), through: (2031, 12, 31))
        == ["12/28", "12/29"]
    )
    #expect(
      try dates("FREQ=DAILY;BYMONTH=12;BYDAY=SU", from: (2026, 11, 1), through: (2026, 12, 14))
        == ["12/6", "12/13"]
    )
  }

  @Test func `days of each month of a year need no months`() throws {
    #expect(
      try dates("FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR", from: (2026, 1, 1), through: (2026, 12, 31))
        == ["2/13", "3/13", "11/13"]
    )
    #expect(
      try dates("FREQ=YEARLY;BYMONTHDAY=16", from: (2026, 4, 8), through: (2026, 6, 30))
        == ["4/16", "5/16", "6/16"]
    )
  }

  @Test func `the 29th of February comes every four years`() throws {
    #expect(
      try dates("FREQ=YEARLY", from: (2024, 2, 29), through: (2033, 1, 1))
        == ["2/29", "2/29", "2/29"]
    )
  }

  @Test func `positions are counted in weeks and days, too`() throws {
    // 15 June 2026 is a Monday.
    let weekly = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3"
    #expect(
      try dates(weekly, from: (2026, 6, 16), through: (2026, 6, 25))
        == ["6/17", "6/22", "6/24"]
    )
    #expect(
      try dates(weekly, from: (1990, 1, 2), through: (2026, 6, 25), since: (2026, 6, 16))
        == ["6/17", "6/22", "6/24"]
    )
    #expect(
      try dates(weekly + ";COUNT=2", from: (2026, 6, 16), through: (2026, 7, 25))
        == ["6/17", "6/22"]
    )
    #expect(
      try dates(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;BYSETPOS=-1",
        from: (2026, 6, 16),
        through: (2026, 7, 5),
        since: (2026, 6, 20)
      ) == ["7/1"]
    )
    #expect(
      try dates("FREQ=DAILY;BYSETPOS=1", from: (2026, 6, 16), through: (2026, 6, 18))
        == ["6/16", "6/17", "6/18"]
    )
  }

  @Test func `positions are counted among the times of a day`() throws {
    var budget = RecurrenceBudget(units: RecurrenceBudget.ofFile)
    for (rule, hours) in [
      ("FREQ=DAILY;BYHOUR=9,12,15;BYSETPOS=-1", [15, 15]),
      ("FREQ=DAILY;BYHOUR=9,12,15;BYSETPOS=1,2", [12, 9, 12]),
      ("FREQ=MONTHLY;BYDAY=MO,TU;BYHOUR=9,12;BYSETPOS=-2", [9]),
    ] {
      let starts = try RecurrenceRule(rule).starts(
        from: EventTime(date: day((2026, 6, 29)), second: 10 * 3600),
        in: day((2026, 6, 29))...day((2026, 6, 30)),
        budget: &budget
      )
      #expect(starts.times.map { ($0.second ?? 0) / 3600 } == hours, "\(rule)")
    }
  }

  @Test func `what says nothing is left out of a rule`() throws {
    for rule in [
      "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0", "RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT",
      "freq=daily;; COUNT=0;", "FREQ=DAILY;COUNT=3;UNTIL=20270101", "RRULE:FREQ=DAILY",
      "FREQ=DAILY;UNTIL=;BYDAY=;X-FOO=1", "FREQ=DAILY;UNTIL=2026-06-30",
      "FREQ=DAILY;UNTIL=20260630T1000Z", "FREQ=DAILY;UNTIL=20260629T240000",
      "FREQ=WEEKLY;BYDAY=1SU,2MO,-1TU",
    ] {
      #expect(
        try dates(rule, from: (2026, 6, 28), through: (2026, 6, 30)) == ["6/28", "6/29", "6/30"]
      )
    }
  }

  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=MO,MO;COUNT=3", ["6/15", "6/22", "6/29"]),
    ("FREQ=WEEKLY;BYDAY=MO,1MO,TU,MO;COUNT=3", ["6/15", "6/16", "6/22"]),
    ("FREQ=MONTHLY;BYMONTHDAY=15,15,+15;COUNT=2", ["6/15", "7/15"]),
    ("FREQ=MONTHLY;BYDAY=3MO,+3MO;COUNT=2", ["6/15", "7/20"]),
    ("FREQ=YEARLY;BYMONTH=7,6,7;COUNT=3", ["6/15", "7/15", "6/15"]),
  ])
  func `a value that a list has twice counts once`(rule: String, days: [String]) throws {
    #expect(try dates(rule, from: (2026, 6, 15), through: (2028, 1, 1)) == days)
  }

  @Test func `a day that a month does not have is skipped, or another one`() throws {
    let months = (from: (2026, 1, 31), through: (2026, 5, 1))
    for (skip, days) in [
      ("OMIT", ["1/31", "3/31"]), ("BACKWARD", ["1/31", "2/28", "3/31", "4/30"]),
      ("FORWARD", ["1/31", "3/1", "3/31", "5/1"]),
    ] {
      let rule = "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=\(skip)"
      #expect(try dates(rule, from: months.from, through: months.through) == days, "\(skip)")
    }
    // The first day of each Chinese year.
    let chinese = "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"
    #expect(
      try dates(chinese, from: (2026, 2, 17), through: (2028, 12, 31)) == ["2/17", "2/7", "1/26"]
    )
  }

  @Test func `an old rule is as quick as a new one`() throws {
    for frequency in ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] {
      var budget = RecurrenceBudget(units: 200)
      let starts = try RecurrenceRule("FREQ=\(frequency)").starts(
        from: EventTime(date: day((1970, 11, 26))),
        in: day((2026, 11, 20))...day((2026, 11, 27)),
        budget: &budget
      )
      #expect(starts.times.contains { $0.date.day == 26 })
      #expect(!starts.isCut)
    }
  }

  @Test func `a rule of seconds ends at the limit, and says so`() throws {
    var budget = RecurrenceBudget(units: RecurrenceBudget.ofAll)
    let start = try EventTime(date: day((1990, 1, 1)), second: 0)
    let range = try day((2026, 11, 20))...day((2027, 1, 20))
    for rule in [
      "FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=HOURLY;BYMINUTE=0,1,2,3",
      "FREQ=SECONDLY;COUNT=9999999",
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;BYHOUR=25", "FREQ=DAILY;COUNT=999999",
    ] {
      guard let rule = try? RecurrenceRule(rule) else { continue }
      let before = budget.units
      let starts = rule.starts(from: start, in: range, budget: &budget)
      #expect(starts.isCut || rule.text == "FREQ=DAILY;COUNT=999999", "\(rule.text)")
      #expect(starts.times.count <= RecurrenceBudget.dates)
      #expect(before - budget.units <= 3 * RecurrenceBudget.ofRule, "\(rule.text)")
    }
    budget.units = 0
    #expect(try RecurrenceRule("FREQ=DAILY").starts(from: start, in: range, budget: &budget).isCut)
  }

  @Test func `hours since long ago keep their pace`() throws {
    var budget = RecurrenceBudget(units: RecurrenceBudget.ofAll)
    let start = try EventTime(date: day((2020, 1, 1)), second: 3600)
    let range = try day((2026, 11, 20))...day((2026, 11, 20))
    let starts = try RecurrenceRule("FREQ=HOURLY;INTERVAL=7").starts(
      from: start,
      in: range,
      budget: &budget
    )
    // 2515 days have 60,360 hours, the first one of which is 1; 60,360 - 1 is 7 × 8622 + 5.
    #expect(starts.times.map { ($0.second ?? -1) / 3600 } == [2, 9, 16, 23])
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
    "FREQ=YEARLY;BYSETPOS=300;BYDAY=MO", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  ])
  func `a rule without any date has none`(rule: String) throws {
    #expect(try dates(rule, from: (2026, 1, 1), through: (2030, 1, 1)) == [])
  }

  @Test(arguments: [
    "", "INTERVAL=2", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;COUNT=-1",
    "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;UNTIL=x", "FREQ", "FREQ=",
    "FREQ=DAILY;INTERVAL=99999999999999999999", "FREQ=DAILY;BYMONTH=14", "FREQ=DAILY;FREQ=WEEKLY",
    "FREQ=DAILY;RSCALE=NONE", "FREQ=DAILY;X=1", "FREQ=HOURLY;INTERVAL=2;BYHOUR=3",
    "FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=-1", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=0",
    "FREQ=YEARLY;BYSECOND=" + (0...60).map { "\($0)" }.joined(separator: ","),
    "FREQ=YEARLY;BYSETPOS=" + (-366...366).map { "\($0)" }.joined(separator: ","),
  ])
  func `other rules are refused`(text: String) {
    #expect(throws: RecurrenceRule.Refusal.self) { try RecurrenceRule(text) }
  }
}
