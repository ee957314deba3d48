import FoundationEssentials
import WidgetKitCore

/// A time of the last day as a person writes it.
nonisolated enum PastTime {
  private static let day: TimeInterval = 24 * 60 * 60

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: `14:30`, which is the end of that minute, today or else yesterday; or how long ago it was, at most a
  ///     day: `90s`, `2h`.
  ///   - now: The present time.
  /// - Returns: The time, which is not after `now`; nil if it is not a time of the last day.
  static func date(_ text: String, now: Date) -> Date? {
    if let seconds = ScriptName.seconds(text) {
      return seconds <= day ? now.addingTimeInterval(-seconds) : nil
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, let hour = number(parts[0], below: 24),
      let minute = number(parts[1], below: 60), let today = LocalTime(now)
    else { return nil }
    func end(daysAgo: Int) -> Date? {
      LocalTime(
        year: today.year,
        month: today.month,
        day: today.day - daysAgo,
        hour: hour,
        minute: minute,
        second: 59
      ).date()
    }
    guard let date = end(daysAgo: 0) else { return nil }
    // The present minute is not over yet.
    guard date >= now.addingTimeInterval(60) else { return min(date, now) }
    return end(daysAgo: 1)
  }

  private static func number(_ text: Substring, below limit: Int) -> Int? {
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(text), number < limit
    else { return nil }
    return number
  }
}
