public import WidgetKitCore

/// A day of the week, with its name in a calendar file (RFC 5545 §3.3.10).
public enum Weekday: String, CaseIterable, Sendable {
  case monday = "MO"
  case tuesday = "TU"
  case wednesday = "WE"
  case thursday = "TH"
  case friday = "FR"
  case saturday = "SA"
  case sunday = "SU"

  /// The place in a week that begins on Monday, 0 to 6.
  public var index: Int {
    Self.allCases.firstIndex(of: self) ?? 0
  }

  /// The name: `Monday`.
  public var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }

  /// The name in two letters: `Mo`.
  public var shortName: String {
    rawValue.prefix(1) + rawValue.dropFirst().lowercased()
  }

  /// How many days it comes after the first day of its week.
  public func offset(inWeekFrom first: Weekday) -> Int {
    (index - first.index + 7) % 7
  }
}

extension CivilDate {
  /// The first day of its week.
  func firstOfWeek(from weekStart: Weekday) -> CivilDate {
    adding(days: -weekday.offset(inWeekFrom: weekStart))
  }

  /// The number of weeks from that of another date to its own.
  func weeks(since other: CivilDate, from weekStart: Weekday) -> Int {
    let first = other.firstOfWeek(from: weekStart)
    return (firstOfWeek(from: weekStart).daysSince1970 - first.daysSince1970) / 7
  }

  /// The day of the week.
  public var weekday: Weekday {
    // 1 January 1970 was a Thursday.
    let index = (daysSince1970 + 3) % 7
    return Weekday.allCases[index < 0 ? index + 7 : index]
  }
}
