import FoundationEssentials
import WidgetKitCore

/// Computes when events take place.
struct EventClock {
  /// The local time zone, a tz database name.
  let zone: String
  /// What may still be computed.
  var budget = RecurrenceBudget(units: RecurrenceBudget.ofFile)

  /// As many exceptions are looked at whatever else the file costs.
  private static let fewExceptions = 8

  private var tables: ZoneTables

  /// Creates a clock; `last` is the last day for which the zones of files are computed.
  init(zone: String, last: CivilDate) {
    self.zone = zone
    tables = ZoneTables(through: last)
  }

  /// Returns the occurrences of an event from `first` to `last`, in no order, and whether there are
  /// more.
  mutating func occurrences(
    of event: Event,
    from first: CivilDate,
    through last: CivilDate
  ) -> (occurrences: [Occurrence], isCut: Bool) {
    let (starts, isCut) = starts(of: event, from: first, through: last)
    var occurrences: [Occurrence] = []
    for start in starts {
      guard let occurrence = occurrence(of: event, at: start), occurrence.firstDay <= last,
        occurrence.lastDay >= first
      else { continue }
      occurrences.append(occurrence)
    }
    return (occurrences, isCut)
  }

  // MARK: - Recurrence

  private mutating func starts(
    of event: Event,
    from first: CivilDate,
    through last: CivilDate
  ) -> (starts: [Event.Addition], isCut: Bool) {
    let shift = event.section.map { abs($0.shift) / 86_400 + 1 } ?? 0
    guard event.isSeries else {
      return remaining([Event.Addition(start: event.start)], of: event, isCut: false)
    }
    var starts = event.additions
    var isCut = false
    if event.rules.isEmpty { starts.append(Event.Addition(start: event.start)) }
    // In the zone of the event the date can be another one, and a long event began before.
    let range = first.adding(days: -2 - days(of: event) - shift)...last.adding(days: 2 + shift)
    for rule in event.rules {
      let dates = rule.starts(from: event.start, in: range, budget: &budget)
      isCut = isCut || dates.isCut
      for time in dates.times where isAllowed(time, until: rule.until) {
        starts.append(Event.Addition(start: time))
      }
    }
    var excluded: Set<Int> = []
    for rule in event.exclusions {
      let dates = rule.starts(from: event.start, in: range, budget: &budget)
      isCut = isCut || dates.isCut
      for time in dates.times where isAllowed(time, until: rule.until) {
        excluded.insert(time.localSeconds)
      }
    }
    if !excluded.isEmpty { starts.removeAll { excluded.contains($0.start.localSeconds) } }
    if let section = event.section { starts.removeAll { !section.contains($0.start) } }
    return remaining(starts, of: event, isCut: isCut)
  }

  /// The starts that are no exceptions, as the section of the event has them.
  private mutating func remaining(
    _ starts: [Event.Addition],
    of event: Event,
    isCut: Bool
  ) -> (starts: [Event.Addition], isCut: Bool) {
    guard !starts.isEmpty else { return ([], isCut) }
    // Each exception costs a look at its zone.
    let count = event.exceptions.count
    guard budget.units > 0 || count <= Self.fewExceptions else { return ([], true) }
    budget.spend(count)
    return (moved(withoutExceptions(starts, of: event), of: event), isCut)
  }

  /// The starts in the section of the event as it says.
  private func moved(_ starts: [Event.Addition], of event: Event) -> [Event.Addition] {
    guard let section = event.section, let start = section.start else { return starts }
    return starts.map { addition in
      let time = addition.start
      var moved = start
      moved.date = time.date
      if moved.second != nil { moved.second = time.second ?? 0 }
      return Event.Addition(start: moved.adding(localSeconds: section.shift))
    }
  }

  /// Removes exceptions, and what is there twice.
  private mutating func withoutExceptions(
    _ starts: [Event.Addition],
    of event: Event
  ) -> [Event.Addition] {
    // An exception can be in another zone than the event, or a day without a time.
    var days = Set(event.exceptions.lazy.filter { $0.second == nil }.map(\.date))
    var moments: Set<Date> = []
    let isWholeDays = event.start.second == nil
    for var exception in event.exceptions where exception.second != nil {
      // Without a zone it is on the clock of the series.
      if exception.zone == nil, exception.definition == nil {
        (exception.zone, exception.definition) = (event.start.zone, event.start.definition)
      }
      guard let moment = date(of: exception) else { continue }
      moments.insert(moment)
      // Of a series of whole days it is the day: as it is written, or where that is midnight.
      guard isWholeDays else { continue }
      let isUTC = exception.zone == "UTC" && exception.second != 0
      days.insert(isUTC ? Agenda.day(of: moment, in: zone) ?? exception.date : exception.date)
    }
    var seen: Set<EventTime> = []
    var result: [Event.Addition] = []
    for start in starts where !days.contains(start.start.date) {
      guard seen.insert(start.start).inserted else { continue }
      if !moments.isEmpty, let moment = date(of: start.start), moments.contains(moment) { continue }
      result.append(start)
    }
    return result
  }

  /// Whether a time is not after the last one; a whole day includes all its times.
  private mutating func isAllowed(_ time: EventTime, until: EventTime?) -> Bool {
    guard let until else { return true }
    guard until.second != nil, time.second != nil else { return time.date <= until.date }
    var limit = until
    if limit.zone == nil {
      limit.zone = time.zone
      limit.definition = time.definition
    }
    guard let moment = date(of: time), let end = date(of: limit) else { return true }
    return moment <= end
  }

  // MARK: - One occurrence

  private mutating func occurrence(of event: Event, at addition: Event.Addition) -> Occurrence? {
    let time = addition.start
    guard time.second != nil else {
      let length = max(1, wholeDays(of: event, addition))
      return Occurrence(
        summary: event.summary,
        firstDay: time.date,
        lastDay: time.date.adding(days: length - 1),
        details: event.details
      )
    }
    guard let start = date(of: time), let firstDay = Agenda.day(of: start, in: zone) else {
      return nil
    }
    let end = max(start, self.end(of: event, addition, from: start))
    // An event that ends at midnight is not on the next day.
    let lastDay = Agenda.day(of: max(start, end.addingTimeInterval(-1)), in: zone) ?? firstDay
    return Occurrence(
      summary: event.summary,
      firstDay: firstDay,
      lastDay: lastDay,
      start: start,
      end: end,
      details: event.details
    )
  }

  private func wholeDays(of event: Event, _ addition: Event.Addition) -> Int {
    let first = addition.end == nil ? event.spanStart : addition.start
    return switch addition.end ?? event.end {
    case .unsaid: 1
    case .at(let end): end.date.daysSince1970 - first.date.daysSince1970
    case .after(let duration): duration.wholeDays
    }
  }

  private mutating func end(
    of event: Event,
    _ addition: Event.Addition,
    from start: Date
  ) -> Date {
    switch addition.end ?? event.end {
    case .unsaid: return start
    case .after(let duration):
      var time = addition.start
      time.date = time.date.adding(days: duration.days)
      return (date(of: time) ?? start).addingTimeInterval(Double(duration.seconds))
    case .at(let end):
      let first = addition.end == nil ? event.spanStart : addition.start
      guard let first = date(of: first), let end = date(of: end) else { return start }
      return start.addingTimeInterval(end.timeIntervalSince(first))
    }
  }

  /// The most days that an occurrence of a series lasts.
  private func days(of event: Event) -> Int {
    switch event.end {
    case .unsaid: 1
    case .at(let end): max(0, end.date.daysSince1970 - event.spanStart.date.daysSince1970) + 1
    case .after(let duration): duration.wholeDays + 1
    }
  }

  // MARK: - Zones

  /// The date of a time; an unknown time zone counts as local time.
  private mutating func date(of time: EventTime) -> Date? {
    if let definition = time.definition {
      let moment = tables.table(of: definition).moment(ofLocalSeconds: time.localSeconds)
      return Date(timeIntervalSince1970: Double(moment))
    }
    return time.zone.flatMap { time.local.date(in: $0) } ?? time.local.date(in: zone)
  }
}
