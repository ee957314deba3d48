import FoundationEssentials
import WidgetKitCore

/// The day of the header, such as `Friday 20 November`, in local time.
nonisolated enum DayWording {
  private static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The text for the day of `date`.
  static func words(for date: Date) -> SafeText {
    guard let time = LocalTime(date) else { return "" }
    return "\(days[time.weekday]) \(time.day) \(months[time.month - 1])"
  }

  /// When the next day begins.
  static func nextChange(after date: Date) -> Date? {
    guard let time = LocalTime(date) else { return nil }
    // Where clocks go back across midnight, the first beginning of the next day can be in the past.
    return [1, 2].lazy
      .compactMap { LocalTime(year: time.year, month: time.month, day: time.day + $0).date() }
      .first { $0 > date }
  }
}
