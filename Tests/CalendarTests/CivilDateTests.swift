import Testing

@testable import Calendar

struct CivilDateTests {
  @Test func `converting days to dates and back works over four hundred years`() throws {
    var date = try #require(CivilDate(year: 1899, month: 12, day: 31))
    var weekday = Weekday.sunday.index
    for _ in 0..<146_097 {
      let next = date.adding(days: 1)
      weekday = (weekday + 1) % 7
      let isRight =
        next > date && next.daysSince1970 == date.daysSince1970 + 1
        && next.weekday.index == weekday
        && CivilDate(year: next.year, month: next.month, day: next.day) == next
      // One expectation a day would take longer than all the rest.
      if !isRight { Issue.record("after \(date) comes \(next)") }
      date = next
    }
    #expect(date == CivilDate(year: 2299, month: 12, day: 31))
  }

  @Test(arguments: [(2026, 2, 29), (2100, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31)])
  func `dates that do not exist are refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }
}

struct MonthGridTests {
  @Test func `November 2026 begins on a Sunday`() throws {
    let date = try #require(CivilDate(year: 2026, month: 11, day: 20))
    let fromMonday = MonthGrid(of: date, firstWeekday: .monday)
    #expect(fromMonday.weeks.count == 6)
    #expect(fromMonday.weeks[0].map { $0?.day } == [nil, nil, nil, nil, nil, nil, 1])
    #expect(fromMonday.weeks[5].map { $0?.day } == [30, nil, nil, nil, nil, nil, nil])
    let fromSunday = MonthGrid(of: date, firstWeekday: .sunday)
    #expect(fromSunday.weeks.count == 5)
    #expect(fromSunday.weekdays.first == .sunday)
    #expect(fromSunday.weeks[0].first??.day == 1)
  }

  @Test func `February 2027 is four whole weeks`() throws {
    let date = try #require(CivilDate(year: 2027, month: 2, day: 3))
    #expect(MonthGrid(of: date, firstWeekday: .monday).weeks.count == 4)
  }

  @Test(arguments: [
    ("en_US.UTF-8", Weekday.sunday), ("en_GB", .monday), ("ar_EG@x", .saturday), ("C", .monday),
    ("", .monday), ("zh-Hant-TW", .sunday), ("da", .monday),
  ])
  func `the first day of the week depends on the region`(locale: String, weekday: Weekday) {
    #expect(Weekday.first(inLocale: locale) == weekday)
  }
}
