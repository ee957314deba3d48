/// A day of the Gregorian calendar, without a time or a zone.
///
/// The calendar is also used for days before it was introduced, and the year before 1 is the year 0.
/// ```swift
/// let leapDay = CivilDate(2028, 2, 29)  // nil for a day that does not exist
/// ```
/// The arithmetic is Howard Hinnant's, "chrono-Compatible Low-Level Date Algorithms".
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The year.
  public internal(set) var year: Int
  /// The month, 1 to 12.
  public internal(set) var month: Int
  /// The day of the month, 1 to 31.
  public internal(set) var day: Int

  /// The days before and after 1 January 1970 in the years whose numbers have 32 bits.
  private static let dayLimit = 785_000_000_000

  /// Creates a day from its year (1 to 9999), month and day of the month; returns nil if there is no
  /// such day.
  public init?(_ year: Int, _ month: Int, _ day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Creates a day that is known to exist.
  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates a day from the number of days since 1 January 1970; days beyond the years with 32 bits
  /// count as the last of them.
  public init(daysSince1970 days: Int) {
    let shifted = min(max(days, -Self.dayLimit), Self.dayLimit) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // The year begins in March here, so that the leap day is its last.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1 January 1970 to this day.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// 0 for Sunday to 6 for Saturday.
  var weekday: Int {
    let days = (daysSince1970 + 4) % 7
    return days < 0 ? days + 7 : days
  }

  /// Returns the day that is a number of days later.
  public func adding(days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970.addingSaturated(days))
  }

  /// The first day of the month.
  public var firstOfMonth: CivilDate { CivilDate(year: year, month: month, day: 1) }

  /// How many days the month has.
  public var daysInMonth: Int { Self.days(inMonth: month, of: year) }

  /// Whether the first day is before the second one.
  public static func < (first: CivilDate, second: CivilDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  /// How many days a month has.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A date and time without a zone.
struct CivilTime: Hashable, Sendable {
  var date: CivilDate
  var hour: Int
  var minute: Int
  var second: Int

  init(secondsSince1970 seconds: Int) {
    var days = seconds / 86_400
    var rest = seconds % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    date = CivilDate(daysSince1970: days)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = rest % 60
  }
}
