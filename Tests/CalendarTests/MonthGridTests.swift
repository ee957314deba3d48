import Testing
import WidgetKitCore

@testable import Calendar
@testable import CalendarFormats

struct MonthGridTests {
  @Test func `weekdays follow each other over four hundred years`() throws {
    var date = try #require(CivilDate(1899, 12, 31))
    var weekday = Weekday.sunday
    for _ in 0..<146_097 {
      date = date.adding(days: 1)
      let index = (weekday.index + 1) % 7
      // One expectation a day would take longer than all the rest.
      if date.weekday.index != index { Issue.record("\(date) is no \(date.weekday)") }
      weekday = date.weekday
    }
    #expect(weekday == .sunday)
  }

  @Test func `November 2026 begins on a Sunday, and its last week is whole`() throws {
    let date = try #require(CivilDate(2026, 11, 20))
    let fromMonday = MonthGrid(of: date, firstWeekday: .monday)
    #expect(fromMonday.weeks.count == 6)
    #expect(fromMonday.weeks[0].map { $0?.day } == [nil, nil, nil, nil, nil, nil, 1])
    #expect(fromMonday.weeks[5].map { $0?.day } == [30, 1, 2, 3, 4, 5, 6])
    let fromSunday = MonthGrid(of: date, firstWeekday: .sunday)
    #expect(fromSunday.weeks.count == 5)
    #expect(fromSunday.weekdays.first == .sunday)
    #expect(fromSunday.weeks[0].first??.day == 1)
  }

  @Test func `February 2027 is four whole weeks`() throws {
    let date = try #require(CivilDate(2027, 2, 3))
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
