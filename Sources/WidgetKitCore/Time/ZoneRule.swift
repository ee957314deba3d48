/// The clocks of a zone in every year: its standard offset and, if any, its daylight saving time.
///
/// This is the value of the environment variable `TZ` and the last line of a TZif file, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, Base Definitions 8.3; RFC 9636 §3.3).
struct ZoneRule: Hashable, Sendable {
  /// A day of each year.
  enum Day: Hashable, Sendable {
    /// 1 to 365; the 29th of February has no number.
    case numberedWithoutLeapDay(Int)
    /// 0 to 365; the 29th of February has a number in leap years.
    case numbered(Int)
    /// A weekday (0 is Sunday) of a month (1 to 12); week 5 is the last one.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// A moment of each year.
  struct Change: Hashable, Sendable {
    /// The day.
    var day: Day
    /// Seconds after the midnight that begins the day, in the time before the change.
    ///
    /// -167 to 167 hours, so the moment can be in another year.
    var seconds: Int
  }

  /// The part of the year with another offset.
  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC; it can be less than in standard time, as in Dublin.
    var offset: Int
    /// When it begins.
    var begin: Change
    /// When it ends.
    var end: Change
  }

  /// Seconds east of UTC in standard time.
  var standardOffset: Int
  /// The daylight saving time; nil if the offset is always the same.
  var daylight: Daylight?

  /// Returns the seconds east of UTC at a moment.
  func offset(at seconds: Int) -> Int {
    guard daylight != nil else { return standardOffset }
    var result = standardOffset
    var newest = Int.min
    // Changes can be a week into the next year, so the year before the last one is the first year
    // all of whose changes are in the past.
    let year = year(of: seconds)
    for change in changes(inYears: year - 2...year + 1)
    where change.moment <= seconds && change.moment >= newest {
      newest = change.moment
      result = change.offset
    }
    return result
  }

  /// Returns the changes around a moment: at least those of a month before and after it.
  func changes(around seconds: Int) -> [Int] {
    guard daylight != nil else { return [] }
    let year = year(of: seconds)
    return changes(inYears: year - 1...year + 1).map(\.moment)
  }

  private func year(of seconds: Int) -> Int {
    CivilTime(secondsSince1970: seconds + standardOffset).date.year
  }

  /// The changes of some years and the offsets after them.
  ///
  /// At the same moment the later one decides: a daylight saving time without an end is written with
  /// an end at the moment of its next beginning.
  private func changes(inYears years: ClosedRange<Int>) -> [(moment: Int, offset: Int)] {
    guard let daylight else { return [] }
    return years.flatMap { year in
      [
        (daylight.begin.localSeconds(inYear: year) - standardOffset, daylight.offset),
        (daylight.end.localSeconds(inYear: year) - daylight.offset, standardOffset),
      ]
    }
  }
}

extension ZoneRule.Change {
  /// Seconds from 1970 to the change, both in the time before the change.
  fileprivate func localSeconds(inYear year: Int) -> Int {
    day.daysSince1970(inYear: year) * 86_400 + seconds
  }
}

extension ZoneRule.Day {
  fileprivate func daysSince1970(inYear year: Int) -> Int {
    switch self {
    case .numbered(let number):
      return CivilDate(year: year, month: 1, day: 1).daysSince1970 + number
    case .numberedWithoutLeapDay(let number):
      // 60 is the 1st of March.
      let leapDays = number >= 60 && CivilDate.days(inMonth: 2, of: year) == 29 ? 1 : 0
      return CivilDate(year: year, month: 1, day: 1).daysSince1970 + number - 1 + leapDays
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1)
      let day = (weekday - first.weekday + 7) % 7 + (week - 1) * 7
      let isInMonth = day < CivilDate.days(inMonth: month, of: year)
      return first.daysSince1970 + (isInMonth ? day : day - 7)
    }
  }
}
