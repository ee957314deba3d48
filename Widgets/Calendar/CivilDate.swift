/// A day of the Gregorian calendar, of no zone.
struct CivilDate: Hashable, Comparable, Sendable {
  /// The year.
  var year: Int
  /// The month, 1 to 12.
  var month: Int
  /// The day of the month, from 1.
  var day: Int

  /// Creates a day that exists; nil for one that does not.
  init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// 1 January 1970.
  static let epoch = CivilDate(daysSince1970: 0)

  /// Creates a day from the number of days since 1 January 1970.
  ///
  /// Source: Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”, civil_from_days.
  init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1 January 1970.
  ///
  /// Source: the same, days_from_civil.
  var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week.
  var weekday: Weekday {
    // 1 January 1970 was a Thursday.
    let index = (daysSince1970 + 3) % 7
    return Weekday.allCases[index < 0 ? index + 7 : index]
  }

  /// The day a number of days later.
  func adding(days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970 + days)
  }

  /// The first day of the month that is a number of months later.
  func firstOfMonth(adding months: Int = 0) -> CivilDate {
    let index = year * 12 + month - 1 + months
    var first = self
    first.year = index / 12
    first.month = index % 12 + 1
    first.day = 1
    return first
  }

  /// Days in the month.
  var monthLength: Int { Self.length(ofMonth: month, year: year) }

  static func < (first: CivilDate, second: CivilDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

/// A day of the week, with its name in a calendar file (RFC 5545 §3.3.10).
enum Weekday: String, CaseIterable, Sendable {
  case monday = "MO"
  case tuesday = "TU"
  case wednesday = "WE"
  case thursday = "TH"
  case friday = "FR"
  case saturday = "SA"
  case sunday = "SU"

  /// The place in a week that begins on Monday, 0 to 6.
  var index: Int {
    Self.allCases.firstIndex(of: self) ?? 0
  }

  /// The name in two letters: `Mo`.
  var shortName: String {
    rawValue.prefix(1) + rawValue.dropFirst().lowercased()
  }

  /// How many days it comes after the first day of its week.
  func offset(inWeekFrom first: Weekday) -> Int {
    (index - first.index + 7) % 7
  }
}
