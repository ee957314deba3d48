import Testing

@testable import WidgetKitCore

struct ZoneRuleTests {
  private func rule(_ text: String) throws -> ZoneRule {
    try #require(ZoneRule(parsing: text.utf8))
  }

  /// Seconds since 1970 of a time in UTC.
  private func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int
  {
    CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400 + hour * 3600 + minute * 60
  }

  @Test(arguments: [
    ("UTC0", 0), ("CET-1", 3600), ("EST5", -18_000), ("<+0545>-5:45", 20_700),
    ("LMT-0:17:30", 1050), ("ABC+24:59:59", -89_999), ("<-00>-00", 0),
  ])
  func `an offset is west of UTC and becomes seconds to the east`(text: String, offset: Int) throws
  {
    #expect(try rule(text) == ZoneRule(standardOffset: offset))
  }

  @Test func `daylight saving time begins and ends to the second`() throws {
    let rule = try rule("CET-1CEST,M3.5.0,M10.5.0/3")
    let begin = utc(2026, 3, 29, 1)
    let end = utc(2026, 10, 25, 1)
    #expect([begin - 1, begin, end - 1, end].map(rule.offset) == [3600, 7200, 7200, 3600])
  }

  @Test func `in the south it spans the new year`() throws {
    let rule = try rule("AEST-10AEDT,M10.1.0,M4.1.0/3")
    #expect(rule.offset(at: utc(2026, 12, 31, 23)) == 39_600)
    #expect(rule.offset(at: utc(2026, 7, 1)) == 36_000)
  }

  @Test func `it can be behind standard time`() throws {
    let rule = try rule("IST-1GMT0,M10.5.0,M3.5.0/1")
    #expect(rule.offset(at: utc(2026, 1, 1)) == 0)
    #expect(rule.offset(at: utc(2026, 7, 1)) == 3600)
  }

  @Test func `times before a day and days after it are counted`() throws {
    let nuuk = try rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
    let begin = utc(2026, 3, 29, 1)
    #expect([begin - 1, begin].map(nuuk.offset) == [-7200, -3600])
    let gaza = try rule("EET-2EEST,M3.4.4/50,M10.4.4/50")
    let saturday = utc(2026, 3, 28, 0)
    #expect([saturday - 1, saturday].map(gaza.offset) == [7200, 10_800])
    let week = try rule("AAA0BBB,J1/-167,J10/167")
    #expect([utc(2025, 12, 25, 0, 59), utc(2025, 12, 25, 1)].map(week.offset) == [0, 3600])
    #expect([utc(2026, 1, 16, 21, 59), utc(2026, 1, 16, 22)].map(week.offset) == [3600, 0])
  }

  @Test func `numbered days count the 29th of February, or not`() throws {
    let julian = try rule("AAA0BBB,J60/0,J365/0")
    let numbered = try rule("AAA0BBB,59/0,364/0")
    for year in [2026, 2028] {
      let march = utc(year, 3, 1)
      #expect([march - 1, march].map(julian.offset) == [0, 3600])
    }
    #expect(numbered.offset(at: utc(2026, 3, 1)) == 3600)
    #expect([utc(2028, 2, 29) - 1, utc(2028, 2, 29)].map(numbered.offset) == [0, 3600])
  }

  @Test func `daylight saving time can last for ever`() throws {
    let rule = try rule("EST5EDT,0/0,J365/25")
    for year in 2026...2029 {
      let newYear = utc(year, 1, 1, 5)
      #expect([newYear - 1, newYear, newYear + 1].map(rule.offset) == [-14_400, -14_400, -14_400])
    }
  }

  @Test func `without dates those of the United States are used`() throws {
    #expect(try rule("AAA5BBB") == rule("AAA5BBB,M3.2.0,M11.1.0"))
    #expect(try rule("AAA5BBB3").daylight?.offset == -10_800)
  }

  @Test(arguments: [
    "", "A", "AB1", "CET", "1", "<CET-1", "<>1", "CET-", "CET-25", "CET-1:60", "CET-1:0:60",
    "CET-1C",
    "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M0.5.0,M10.5.0",
    "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,J0,J5", "CET-1CEST,J366,J5", "CET-1CEST,366,5", "CET-1CEST,M3.5.0/168,M10.5.0",
    "CET-1CEST,M3.5.0,M10.5.0/-168", "CET-1CEST,M3.5.0/,M10.5.0", "CET-1 ",
    "CET-9999999999999999999",
    "CET--1", "CET-1CEST,M3.5.0,M10.5.0\n", "\0\0\0\u{FF}",
  ])
  func `anything else is refused`(text: String) {
    #expect(ZoneRule(parsing: text.utf8) == nil)
  }
}
