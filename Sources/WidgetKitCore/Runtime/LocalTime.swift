public import FoundationEssentials
import Glibc

/// A date and time in a time zone.
///
/// FoundationEssentials only has GMT; this uses the C library and its tz database.
@MainActor
public struct LocalTime: Equatable {
  /// The year.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int
  /// The day of the month, 1 to 31.
  public var day: Int
  /// The hour, 0 to 23.
  public var hour: Int
  /// The minute, 0 to 59.
  public var minute: Int
  /// The second, 0 to 60.
  public var second: Int

  /// Creates a time from its parts.
  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Creates the local time of a date; nil if there is no such zone.
  ///
  /// - Parameters:
  ///   - date: The time; the present one by default.
  ///   - zone: A tz database name such as `Asia/Tokyo`; nil is the zone of the process.
  public init?(_ date: Date = .now, in zone: String? = nil) {
    guard let parts = Self.parts(of: date, in: zone) else { return nil }
    self.init(
      year: Int(parts.tm_year) + 1900,
      month: Int(parts.tm_mon) + 1,
      day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min),
      second: Int(parts.tm_sec)
    )
  }

  /// The date of this local time in `zone`; nil if there is no such zone.
  ///
  /// Parts out of their range are normalized, as in mktime(3): day 0 is the last one of the month
  /// before. An hour that is skipped by daylight saving time is the one after it.
  public func date(in zone: String? = nil) -> Date? {
    Self.within(zone) {
      var parts = tm()
      parts.tm_year = Int32(clamping: year - 1900)
      parts.tm_mon = Int32(clamping: month - 1)
      parts.tm_mday = Int32(clamping: day)
      parts.tm_hour = Int32(clamping: hour)
      parts.tm_min = Int32(clamping: minute)
      parts.tm_sec = Int32(clamping: second)
      parts.tm_isdst = -1
      return Date(timeIntervalSince1970: Double(mktime(&parts)))
    }
  }

  /// The offset of `zone` from UTC in seconds; nil if there is no such zone.
  public static func secondsFromGMT(in zone: String?, at date: Date = .now) -> Int? {
    parts(of: date, in: zone)?.tm_gmtoff
  }

  private static func parts(of date: Date, in zone: String?) -> tm? {
    within(zone) {
      var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
      var parts = tm()
      return localtime_r(&seconds, &parts) == nil ? nil : parts
    }
  }

  /// Runs `work` with the time zone of the C library set to `zone`; the main actor is the lock.
  private static func within<Result>(_ zone: String?, _ work: () -> Result?) -> Result? {
    guard let zone else {
      tzset()
      return work()
    }
    guard exists(zone) else { return nil }
    let old = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", zone, 1)
    tzset()
    defer {
      if let old { setenv("TZ", old, 1) } else { unsetenv("TZ") }
      tzset()
    }
    return work()
  }

  /// The C library silently treats unknown names as UTC.
  private static func exists(_ zone: String) -> Bool {
    if zone == "UTC" || zone == "GMT" { return true }
    guard !zone.isEmpty, !zone.hasPrefix("/"), !zone.contains("..") else { return false }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    return access(folder + "/" + zone, R_OK) == 0
  }
}
