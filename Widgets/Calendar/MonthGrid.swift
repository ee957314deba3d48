import CalendarFormats
import WidgetKitCore

/// The days of a month in weeks.
struct MonthGrid: Hashable, Sendable {
  /// The weekdays in the order of the columns.
  let weekdays: [Weekday]
  /// Four to six weeks of seven days; nil stands for a day of the month before, and the last week goes on into the next.
  let weeks: [[CivilDate?]]

  /// Creates the grid of the month of `date`.
  init(of date: CivilDate, firstWeekday: Weekday) {
    weekdays = (0..<7).map { Weekday.allCases[(firstWeekday.index + $0) % 7] }
    let first = date.firstOfMonth
    let lead = first.weekday.offset(inWeekFrom: firstWeekday)
    let cells =
      [CivilDate?](repeating: nil, count: lead)
      + (0..<date.daysInMonth).map { first.adding(days: $0) }
    let next = first.adding(days: date.daysInMonth)
    weeks = stride(from: 0, to: cells.count, by: 7).map { start in
      let week = Array(cells[start..<min(start + 7, cells.count)])
      return week + (0..<7 - week.count).map { next.adding(days: $0) }
    }
  }
}

extension Weekday {
  /// The first day of the week in the region of a locale such as `en_US`.
  ///
  /// Source: Unicode CLDR, supplemental/weekData, firstDay. Without a region, Monday.
  static func first(inLocale locale: String) -> Weekday {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let region = name.split { $0 == "_" || $0 == "-" }.dropFirst().last.map(String.init) ?? ""
    if sundayRegions.contains(region) { return .sunday }
    if saturdayRegions.contains(region) { return .saturday }
    return .monday
  }

  private static let sundayRegions: Set<String> = [
    "AG", "AS", "BD", "BR", "BS", "BT", "BW", "BZ", "CA", "CO", "DM", "DO", "ET", "GT", "GU",
    "HK", "HN", "ID", "IL", "IN", "JM", "JP", "KE", "KH", "KR", "LA", "MH", "MM", "MO", "MT",
    "MX", "MZ", "NI", "NP", "PA", "PE", "PH", "PK", "PR", "PT", "PY", "SA", "SG", "SV", "TH",
    "TT", "TW", "UM", "US", "VE", "VI", "WS", "YE", "ZA", "ZW",
  ]

  private static let saturdayRegions: Set<String> = [
    "AF", "BH", "DJ", "DZ", "EG", "IQ", "IR", "JO", "KW", "LY", "OM", "QA", "SD", "SY",
  ]
}
