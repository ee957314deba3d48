import CIcal
import WidgetKitCore

/// The start or end of an event in a calendar file (RFC 5545 §3.3.4 and §3.3.5).
struct EventTime: Hashable, Sendable {
  /// The day, in the zone of the event.
  var date: CivilDate
  /// Seconds since midnight; nil for a whole day.
  var second: Int?
  /// `UTC` or the name of a zone; nil for local time.
  var zone: String?
  /// The zone as the file defines it.
  var definition: ZoneDefinition?

  /// Creates a time.
  init(date: CivilDate, second: Int? = nil, zone: String? = nil) {
    self.date = date
    self.second = second
    self.zone = zone
  }

  /// Creates the time that libical has read; nil for one that does not exist.
  init?(_ time: icaltimetype, zone: String?) {
    guard unsafe icaltime_is_null_time(time) == 0,
      let date = unsafe CivilDate(Int(time.year), Int(time.month), Int(time.day))
    else { return nil }
    self.date = date
    guard unsafe time.is_date == 0 else { return }
    let parts = unsafe (hour: Int(time.hour), minute: Int(time.minute), second: Int(time.second))
    guard (0..<24).contains(parts.hour), (0..<60).contains(parts.minute),
      (0...60).contains(parts.second)
    else { return nil }
    second = parts.hour * 3600 + parts.minute * 60 + parts.second
    self.zone = unsafe icaltime_is_utc(time) != 0 ? "UTC" : zone
  }

  /// Seconds from 1970 on the clocks of the zone.
  var localSeconds: Int { date.daysSince1970 * 86_400 + (second ?? 0) }

  /// What the clocks of the zone show; midnight for a whole day.
  var local: LocalTime {
    let second = second ?? 0
    return LocalTime(
      year: date.year,
      month: date.month,
      day: date.day,
      hour: second / 3600,
      minute: second / 60 % 60,
      second: second % 60
    )
  }

  /// The day of the time, as a whole.
  var day: EventTime { EventTime(date: date) }

  /// The same time with its zone; `isUnknown` if there is no such zone, so that it is a local time.
  func resolved(by names: inout ZoneNames) -> (time: EventTime, isUnknown: Bool) {
    guard let zone, zone != "UTC" else { return (self, false) }
    var time = self
    switch names.zone(named: zone) {
    case .defined(let definition):
      time.definition = definition
      return (time, false)
    case .named(let name):
      time.zone = name
      return (time, false)
    case nil:
      time.zone = nil
      return (time, true)
    }
  }

  /// The time that is some seconds later on the clocks of the zone.
  func adding(localSeconds: Int) -> EventTime {
    let seconds = self.localSeconds.addingReportingOverflow(localSeconds).partialValue
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    var time = self
    time.date = CivilDate(daysSince1970: days)
    if second != nil { time.second = seconds - days * 86_400 }
    return time
  }
}

/// A length of time such as `P1DT2H30M` or `P2W` (RFC 5545 §3.3.6).
struct EventDuration: Hashable, Sendable {
  /// Some thousand years, more than any calendar shows.
  private static let dayLimit = 1_000_000

  /// Whole days on the clock, some of which have 23 or 25 hours.
  var days: Int
  /// Seconds in addition.
  var seconds: Int

  /// Creates the duration that libical has read; nil if it is negative or endless.
  init?(_ duration: icaldurationtype) {
    guard duration.is_neg == 0, icaldurationtype_is_bad_duration(duration) == 0 else { return nil }
    days = Int(duration.weeks) * 7 + Int(duration.days)
    seconds = Int(duration.hours) * 3600 + Int(duration.minutes) * 60 + Int(duration.seconds)
    guard days <= Self.dayLimit, seconds <= Self.dayLimit * 86_400 else { return nil }
  }

  /// The number of days that an entry without a time lasts.
  var wholeDays: Int { days + seconds / 86_400 }
}
