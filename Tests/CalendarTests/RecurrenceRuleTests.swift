import Testing

@testable import Calendar

struct RecurrenceRuleTests {
  private func dates(
    _ rule: String,
    from start: (Int, Int, Int),
    through last: (Int, Int, Int)
  ) throws -> [String] {
    let first = try #require(CivilDate(year: start.0, month: start.1, day: start.2))
    let end = try #require(CivilDate(year: last.0, month: last.1, day: last.2))
    return try RecurrenceRule(rule).dates(from: first, through: end).map {
      "\($0.month)/\($0.day)"
    }
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

  @Test func `a count ends a rule`() throws {
    #expect(
      try dates("FREQ=WEEKLY;COUNT=3", from: (2026, 11, 20), through: (2027, 1, 1))
        == ["11/20", "11/27", "12/4"]
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

  @Test func `the 29th of February comes every four years`() throws {
    #expect(
      try dates("FREQ=YEARLY", from: (2024, 2, 29), through: (2033, 1, 1))
        == ["2/29", "2/29", "2/29"]
    )
  }

  @Test func `an old rule is fast and correct`() throws {
    #expect(
      try dates("FREQ=DAILY", from: (1970, 1, 1), through: (2026, 11, 20)).last == "11/20"
    )
  }

  @Test(arguments: [
    "", "FREQ=HOURLY", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=x",
    "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=2MO", "FREQ=YEARLY;BYMONTH=3", "FREQ=DAILY;UNTIL=x",
    "FREQ", "FREQ=DAILY;INTERVAL=99999999999999999999",
  ])
  func `other rules are refused`(text: String) {
    #expect(throws: RecurrenceRule.Refusal.self) { try RecurrenceRule(text) }
  }
}
