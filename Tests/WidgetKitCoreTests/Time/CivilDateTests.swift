import Testing

@testable import WidgetKitCore

@Suite struct CivilDateTests {
  @Test func `converting days to dates and back works over four hundred years`() throws {
    var date = try #require(CivilDate(1899, 12, 31))
    for _ in 0..<146_097 {
      let next = date.adding(days: 1)
      let isRight =
        next > date && next.daysSince1970 == date.daysSince1970 + 1
        && CivilDate(next.year, next.month, next.day) == next
      // One expectation a day would take longer than all the rest.
      if !isRight { Issue.record("after \(date) comes \(next)") }
      date = next
    }
    #expect(date == CivilDate(2299, 12, 31))
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 4, 0),
    (0, 1, 1), (10_000, 1, 1), (Int.max, 1, 1), (Int.min, 1, 1), (2026, Int.max, 1),
    (2026, 1, Int.min),
  ])
  func `dates that do not exist are refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year, month, day) == nil)
  }

  @Test(arguments: [(2026, 11, 30), (2027, 2, 28), (2028, 2, 29), (2000, 2, 29), (2026, 12, 31)])
  func `a month has its days`(year: Int, month: Int, days: Int) throws {
    let date = try #require(CivilDate(year, month, days))
    #expect(date.daysInMonth == days)
    #expect(date.firstOfMonth == CivilDate(year, month, 1))
    #expect(date.adding(days: 1).day == 1)
  }

  @Test func `days beyond all years count as the last one`() {
    let last = CivilDate(daysSince1970: .max)
    #expect(last.adding(days: .max) == last)
    #expect(CivilDate(daysSince1970: .min).adding(days: .min) == CivilDate(daysSince1970: .min))
    #expect(last > CivilDate(daysSince1970: .min))
  }
}
