import FoundationEssentials
import Glibc
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
    guard let day = localDay(of: date), days.indices.contains(day.weekday),
      months.indices.contains(day.month)
    else { return "" }
    return "\(days[day.weekday]) \(day.dayOfMonth) \(months[day.month])"
  }

  /// When the next day begins, with the present offset of the time zone.
  static func nextChange(after date: Date) -> Date? {
    localDay(of: date).map { date.addingTimeInterval(Double(86_400 - $0.secondsPassed)) }
  }

  private struct LocalDay {
    var weekday: Int
    var dayOfMonth: Int
    var month: Int
    var secondsPassed: Int
  }

  /// Local time from the C library, as FoundationEssentials only has GMT.
  private static func localDay(of date: Date) -> LocalDay? {
    guard let whole = Int(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    var seconds = time_t(whole)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
    return unsafe LocalDay(
      weekday: Int(parts.tm_wday),
      dayOfMonth: Int(parts.tm_mday),
      month: Int(parts.tm_mon),
      secondsPassed: Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec)
    )
  }
}
