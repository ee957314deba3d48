import FoundationEssentials
import WidgetKitCore

/// One occurrence of an event, in local time.
struct Occurrence: Hashable {
  /// The summary.
  var summary: String
  /// The first day.
  var firstDay: CivilDate
  /// The last day.
  var lastDay: CivilDate
  /// When it begins; nil for a whole day.
  var start: Date?
  /// When it ends; nil for a whole day.
  var end: Date?
}

/// Computes the occurrences of events in local time.
@MainActor
struct Agenda {
  /// The local time zone, a tz database name.
  let zone: String

  /// The occurrences from `first` to `last`, in order; whole days come first.
  func occurrences(
    of events: [Event],
    from first: CivilDate,
    through last: CivilDate
  ) -> [Occurrence] {
    events.flatMap { event in
      starts(of: event, through: last).compactMap { occurrence(of: event, at: $0) }
    }
    .filter { $0.firstDay <= last && $0.lastDay >= first }
    .sorted { one, other in
      if one.firstDay != other.firstDay { return one.firstDay < other.firstDay }
      if one.start != other.start {
        return (one.start ?? .distantPast) < (other.start ?? .distantPast)
      }
      return one.summary < other.summary
    }
  }

  /// The local day of a date.
  func day(of date: Date) -> CivilDate? {
    LocalTime(date, in: zone).flatMap {
      CivilDate(year: $0.year, month: $0.month, day: $0.day)
    }
  }

  private func starts(of event: Event, through last: CivilDate) -> [EventTime] {
    guard let rule = event.rule else { return [event.start] }
    // In the zone of the event, the same date may be a day later.
    let dates = rule.dates(from: event.start.date, through: last.adding(days: 1))
    // An exception can be in another zone than the event, or a day without a time.
    let days = Set(event.exceptions.lazy.filter { $0.second == nil }.map(\.date))
    let moments = Set(event.exceptions.lazy.filter { $0.second != nil }.compactMap(date(of:)))
    return dates.map { EventTime(date: $0, second: event.start.second, zone: event.start.zone) }
      .filter { time in
        if let until = rule.until, !isAllowed(time, until: until) { return false }
        if days.contains(time.date) { return false }
        return moments.isEmpty || !(date(of: time).map(moments.contains) ?? false)
      }
  }

  /// Whether a time is not after the last one; a whole day includes all its times.
  private func isAllowed(_ time: EventTime, until: EventTime) -> Bool {
    guard until.second != nil, time.second != nil else { return time.date <= until.date }
    guard let moment = date(of: time), let end = date(of: until) else { return true }
    return moment <= end
  }

  private func occurrence(of event: Event, at time: EventTime) -> Occurrence? {
    guard time.second != nil else {
      let length = max(1, wholeDays(of: event))
      return Occurrence(
        summary: event.summary,
        firstDay: time.date,
        lastDay: time.date.adding(days: length - 1)
      )
    }
    guard let start = date(of: time), let firstDay = day(of: start) else { return nil }
    let end = start.addingTimeInterval(seconds(of: event))
    // An event that ends at midnight is not on the next day.
    let lastDay = day(of: max(start, end.addingTimeInterval(-1))) ?? firstDay
    return Occurrence(
      summary: event.summary,
      firstDay: firstDay,
      lastDay: lastDay,
      start: start,
      end: end
    )
  }

  private func wholeDays(of event: Event) -> Int {
    switch event.end {
    case .unsaid: 1
    case .at(let end): end.date.daysSince1970 - event.start.date.daysSince1970
    case .after(let duration): duration.seconds / 86_400
    }
  }

  private func seconds(of event: Event) -> Double {
    switch event.end {
    case .unsaid: return 0
    case .after(let duration): return Double(duration.seconds)
    case .at(let end):
      guard let start = date(of: event.start), let end = date(of: end) else { return 0 }
      return max(0, end.timeIntervalSince(start))
    }
  }

  /// The date of a time; an unknown time zone counts as local time.
  private func date(of time: EventTime) -> Date? {
    let second = time.second ?? 0
    let local = LocalTime(
      year: time.date.year,
      month: time.date.month,
      day: time.date.day,
      hour: second / 3600,
      minute: second / 60 % 60,
      second: second % 60
    )
    return time.zone.flatMap { local.date(in: $0) } ?? local.date(in: zone)
  }
}
