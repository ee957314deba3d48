import CIcal
import WidgetKitCore

/// A choice among the dates of each period, `BYSETPOS`, where libical cannot make it: in weeks and days, and
/// among several times of a day.
struct PositionChoice: Hashable, Sendable {
  /// What the positions are counted in.
  private enum Period: String {
    case day = "FREQ=DAILY"
    case week = "FREQ=WEEKLY"
    case month = "FREQ=MONTHLY"
    case year = "FREQ=YEARLY"

    var longestDays: Int {
      switch self {
      case .day: 1
      case .week: 7
      case .month: 31
      case .year: 366
      }
    }
  }

  private let period: Period
  private let positions: [Int]
  private let weekStart: Weekday
  private let count: Int?
  private let interval: Int
  /// The other parts of the rule.
  private let parts: [String]

  /// Reads the parts of a rule; nil for one of hours, minutes or seconds.
  init?(_ parts: [String], _ positions: String) {
    func value(_ name: String) -> String? {
      parts.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    guard let period = parts.lazy.compactMap(Period.init(rawValue:)).first else { return nil }
    self.period = period
    self.positions = positions.dropFirst("BYSETPOS=".count).split(separator: ",").compactMap {
      Int($0)
    }
    weekStart = value("WKST").flatMap(Weekday.init(rawValue:)) ?? .monday
    count = value("COUNT").flatMap { Int($0) }
    interval = max(1, value("INTERVAL").flatMap { Int($0) } ?? 1)
    // libical begins every second week in the wrong one; see `WeekStep`.
    self.parts = parts.filter {
      !$0.hasPrefix("COUNT=") && !(period == .week && $0.hasPrefix("INTERVAL="))
    }
    if self.positions.isEmpty || self.positions.contains(0) { return nil }
  }

  /// Returns the dates on some days, and what they cost.
  func starts(
    from start: EventTime,
    in days: ClosedRange<CivilDate>,
    limit: Int
  ) -> (RecurrenceRule.Starts, cost: Int) {
    var rule = unsafe icalrecurrencetype_from_string(text(from: start))
    let end = days.upperBound.adding(days: period.longestDays)
    unsafe rule.until = LibraryTime.make(
      localSeconds: end.daysSince1970 * 86_400 + 86_399,
      isDay: start.second == nil
    )
    let first = firstDay(from: start.date, for: days.lowerBound)
    let time = unsafe LibraryTime.make(
      localSeconds: first.daysSince1970 * 86_400,
      isDay: start.second == nil
    )
    guard let iterator = unsafe icalrecur_iterator_new(rule, time) else {
      return (RecurrenceRule.Starts(), limit)
    }
    defer { unsafe icalrecur_iterator_free(iterator) }
    var selection = Selection(choice: self, start: start, days: days)
    var looked = 0
    while !selection.isComplete,
      let next = unsafe EventTime(icalrecur_iterator_next(iterator), zone: nil)
    {
      looked += 1
      guard looked <= limit else {
        selection.starts.isCut = true
        break
      }
      selection.add(next)
    }
    selection.endPeriod()
    let pace = unsafe Pace(&rule)
    let span = max(0, end.daysSince1970 - first.daysSince1970) * 86_400
    return (selection.starts, looked + (span / pace.seconds + 1) * pace.weight)
  }

  /// The rule with all that it takes from its start, as it begins with the period.
  private func text(from start: EventTime) -> String {
    func has(_ names: String...) -> Bool {
      names.contains { name in parts.contains { $0.hasPrefix(name + "=") } }
    }
    var parts = parts
    if let second = start.second {
      if !has("BYHOUR") { parts.append("BYHOUR=\(second / 3600)") }
      if !has("BYMINUTE") { parts.append("BYMINUTE=\(second / 60 % 60)") }
      if !has("BYSECOND") { parts.append("BYSECOND=\(second % 60)") }
    } else {
      parts.removeAll { part in
        ["BYHOUR=", "BYMINUTE=", "BYSECOND="].contains { part.hasPrefix($0) }
      }
    }
    let weekday = "BYDAY=\(start.date.weekday.rawValue)"
    let day = "BYMONTHDAY=\(start.date.day)"
    switch period {
    case .day: break
    case .week: if !has("BYDAY") { parts.append(weekday) }
    case .month: if !has("BYDAY", "BYMONTHDAY") { parts.append(day) }
    case .year:
      if has("BYDAY", "BYMONTHDAY", "BYYEARDAY") { break }
      if has("BYWEEKNO") {
        parts.append(weekday)
      } else {
        if !has("BYMONTH") { parts.append("BYMONTH=\(start.date.month)") }
        parts.append(day)
      }
    }
    return parts.joined(separator: ";")
  }

  /// The first day of the period with which to begin.
  private func firstDay(from start: CivilDate, for lower: CivilDate) -> CivilDate {
    let first = firstDay(ofPeriodWith: start)
    guard count == nil, period == .day || period == .week else { return first }
    let step = interval * period.longestDays
    let steps = (lower.daysSince1970 - first.daysSince1970) / step - 1
    return first.adding(days: max(0, steps) * step)
  }

  /// Whether the dates of a period hold, which begins on a day.
  private func includes(_ first: CivilDate, from start: CivilDate) -> Bool {
    guard period == .week else { return true }
    return first.weeks(since: start, from: weekStart) % interval == 0
  }

  private func firstDay(ofPeriodWith day: CivilDate) -> CivilDate {
    switch period {
    case .day: day
    case .week: day.firstOfWeek(from: weekStart)
    case .month: day.firstOfMonth
    case .year: CivilDate(day.year, 1, 1) ?? day.firstOfMonth
    }
  }

  /// The dates that are chosen.
  private struct Selection {
    let choice: PositionChoice
    let start: EventTime
    let days: ClosedRange<CivilDate>
    var starts = RecurrenceRule.Starts()
    private(set) var isComplete = false
    private var period: CivilDate?
    private var dates: [EventTime] = []
    private var counted = 0

    init(choice: PositionChoice, start: EventTime, days: ClosedRange<CivilDate>) {
      self.choice = choice
      self.start = start
      self.days = days
    }

    mutating func add(_ next: EventTime) {
      let period = choice.firstDay(ofPeriodWith: next.date)
      if period != self.period { endPeriod() }
      self.period = period
      if period > days.upperBound { isComplete = true }
      dates.append(next)
    }

    mutating func endPeriod() {
      defer { dates = [] }
      guard let period, choice.includes(period, from: start.date) else { return }
      let indices = Set(choice.positions.map { $0 > 0 ? $0 - 1 : dates.count + $0 })
      for index in indices.sorted() where dates.indices.contains(index) {
        var time = start
        time.date = dates[index].date
        if start.second != nil { time.second = dates[index].second ?? 0 }
        guard !isComplete, time.localSeconds >= start.localSeconds else { continue }
        counted += 1
        if let count = choice.count, counted > count {
          isComplete = true
          break
        }
        guard days.contains(time.date) else { continue }
        guard starts.times.count < RecurrenceBudget.dates else {
          starts.isCut = true
          isComplete = true
          break
        }
        starts.times.append(time)
      }
    }
  }
}
