public import FoundationEssentials

/// A date and time in a time zone.
///
/// FoundationEssentials only has GMT; this reads the tz database of the system.
public struct LocalTime: Hashable, Sendable {
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

  /// Creates the local time of a date; nil if there is no such zone, or if the year has more than 32
  /// bits.
  ///
  /// - Parameters:
  ///   - date: The time; the present one by default.
  ///   - zone: A tz database name such as `Asia/Tokyo`; nil is the zone of the process.
  public init?(_ date: Date = .now, in zone: String? = nil) {
    guard let table = Self.table(of: zone), let seconds = Self.seconds(of: date) else {
      return nil
    }
    let time = table.time(at: seconds)
    self.init(
      year: time.date.year,
      month: time.date.month,
      day: time.date.day,
      hour: time.hour,
      minute: time.minute,
      second: time.second
    )
  }

  /// The date of this local time in `zone`; nil if there is no such zone.
  ///
  /// Parts out of their range are normalized, as in mktime(3): day 0 is the last day of the previous
  /// month. If an hour occurs twice, the first one is used; an hour that daylight saving time skips
  /// stands for the one after it.
  public func date(in zone: String? = nil) -> Date? {
    guard let table = Self.table(of: zone) else { return nil }
    return Date(timeIntervalSince1970: Double(table.moment(ofLocalSeconds: localSeconds)))
  }

  /// The offset of `zone` from UTC in seconds; nil if there is no such zone.
  public static func secondsFromGMT(in zone: String?, at date: Date = .now) -> Int? {
    guard let table = table(of: zone), let seconds = seconds(of: date) else { return nil }
    return table.offset(at: seconds)
  }

  /// The hour and the minute: `08:05`.
  package var clock: String {
    [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The time of an earlier moment: `14:30`, `Fri 14:30` on another day than `now`, and `3 Nov 14:30` on one that is six
  /// days or more before; `earlier` for a date that has no local time.
  package static func moment(_ date: Date, now: Date) -> String {
    guard let time = LocalTime(date), let today = LocalTime(now) else { return "earlier" }
    if today.isSameDay(as: time) { return time.clock }
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let isOld = now.timeIntervalSince(date) > 6 * 86_400
    let day = isOld ? "\(time.day) \(months[time.month - 1])" : weekdays[time.weekday]
    return "\(day) \(time.clock)"
  }

  /// Whether both are on the same day.
  package func isSameDay(as other: LocalTime) -> Bool {
    (year, month, day) == (other.year, other.month, other.day)
  }

  /// The day of the week, from 0 for Sunday to 6 for Saturday.
  package var weekday: Int {
    CivilTime(secondsSince1970: localSeconds).date.weekday
  }

  /// Seconds from 1970 to this time on the same clock.
  private var localSeconds: Int {
    // The parts have 32 bits in the C library too; with more of them, the sum could overflow.
    let months = Self.limited(month) - 1
    let year = Self.limited(year) + (months >= 0 ? months : months - 11) / 12
    let first = CivilDate(year: year, month: (months % 12 + 12) % 12 + 1, day: 1)
    let days = first.daysSince1970 + Self.limited(day) - 1
    return ((days * 24 + Self.limited(hour)) * 60 + Self.limited(minute)) * 60
      + Self.limited(second)
  }

  private static func limited(_ part: Int) -> Int { Int(Int32(clamping: part)) }

  private static func table(of zone: String?) -> ZoneTable? {
    guard let zone else { return ZoneDatabase.system.local }
    return ZoneDatabase.system.zone(named: zone)
  }

  /// Whole seconds since 1970; nil outside the years with 32 bits.
  private static func seconds(of date: Date) -> Int? {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    return abs(seconds) < 67_767_976_233_532_800 ? Int(seconds) : nil
  }
}

extension LocalTime {
  /// Whether there is a zone with a name, which may be a path or a rule where `TZ` in an environment is that.
  package static func isZone(_ name: String, of environment: [String: String]) -> Bool {
    ZoneDatabase(environment: { environment[$0] }).zone(named: name) != nil
  }
}
