import CIcal
import WidgetKitCore

/// How many dates may still be computed, so that no file can occupy the widget.
///
/// A unit is one date that libical looks at, which takes some microseconds.
struct RecurrenceBudget: Hashable, Sendable {
  /// Units for one rule.
  static let ofRule = 50_000
  /// Units for all rules of a file.
  static let ofFile = 100_000
  /// Units for all files.
  static let ofAll = 500_000
  /// How many dates of one rule are used.
  static let dates = 1000

  /// Units that are left.
  var units: Int

  /// Takes units, down to zero.
  mutating func spend(_ count: Int) { units = max(0, units - count) }
}

extension RecurrenceRule {
  /// The dates of a rule.
  struct Starts: Hashable, Sendable {
    /// Those that were computed, in order.
    var times: [EventTime] = []
    /// Whether there are more.
    var isCut = false
  }

  /// Returns when an event begins that first begins at `start`, on the days of a range.
  ///
  /// `until` is applied to the day, with a margin, as it is a time; the caller knows the zones.
  func starts(
    from start: EventTime,
    in days: ClosedRange<CivilDate>,
    budget: inout RecurrenceBudget
  ) -> Starts {
    // Two days are more than the difference of any two zones.
    let last = min(days.upperBound, until?.date.adding(days: 2) ?? days.upperBound)
    guard last >= start.date, last >= days.lowerBound else { return Starts() }
    guard budget.units > 0 else { return Starts(isCut: true) }
    let limit = min(budget.units, RecurrenceBudget.ofRule)
    let days = max(days.lowerBound, start.date)...last
    let request = Request(text: text(from: start), start: start, days: days)
    let choice = choice
    let (starts, cost) = PropertyReader.withLibrary {
      choice?.starts(from: start, in: days, limit: limit) ?? request.perform(limit: limit)
    }
    budget.spend(cost)
    return starts
  }
}

/// One question about the dates of a rule.
private struct Request: Sendable {
  /// What a rule without any date costs: libical looks for one up to the year 20,000.
  private static let fruitlessCost = 25_000

  let text: String
  let start: EventTime
  let days: ClosedRange<CivilDate>

  /// Computes the dates, and what they cost.
  func perform(limit: Int) -> (RecurrenceRule.Starts, cost: Int) {
    var rule = unsafe icalrecurrencetype_from_string(text)
    let weeks = unsafe WeekStep(&rule, from: start.date)
    let pace = unsafe Pace(&rule)
    // libical counts and follows other calendars only from the start.
    let isCounted = unsafe rule.count > 0 || rule.rscale != nil || weeks?.count != nil
    let lower = days.lowerBound.daysSince1970 * 86_400
    var from = start.localSeconds
    if !isCounted, lower > from {
      // libical can begin later by itself only with rules of days and more. Without some of the first periods, as long as
      // all are equally long, it is the same series.
      let periods = max(0, (lower - from) / pace.seconds - 1)
      from = pace.isOfEqualPeriods ? from + periods * pace.seconds : lower
    }
    let end = days.upperBound.daysSince1970 * 86_400 + 86_399
    let reach = from + max(1, limit / pace.weight) * pace.seconds
    unsafe rule.until = time(atLocalSeconds: min(end, reach))

    let first = pace.isOfEqualPeriods ? from : start.localSeconds
    guard let iterator = unsafe icalrecur_iterator_new(rule, time(atLocalSeconds: first)) else {
      return (RecurrenceRule.Starts(), Self.fruitlessCost)
    }
    defer { unsafe icalrecur_iterator_free(iterator) }
    if from > first, unsafe icalrecur_iterator_set_start(iterator, time(atLocalSeconds: from)) == 0
    {
      return (RecurrenceRule.Starts(), Self.fruitlessCost)
    }
    var starts = RecurrenceRule.Starts(isCut: reach < end)
    var (count, counted) = (0, 0)
    while let next = unsafe EventTime(icalrecur_iterator_next(iterator), zone: nil) {
      count += 1
      if starts.times.count == RecurrenceBudget.dates || count > limit {
        starts.isCut = true
        break
      }
      if let weeks {
        guard weeks.contains(next.date) else { continue }
        counted += 1
        if let limit = weeks.count, counted > limit { break }
      }
      if next.date > days.upperBound { break }
      if next.date < days.lowerBound { continue }
      var time = start
      time.date = next.date
      if start.second != nil { time.second = next.second ?? 0 }
      starts.times.append(time)
    }
    let span = max(0, min(end, reach) - from)
    return (starts, count + (span / pace.seconds + 1) * pace.weight)
  }

  private func time(atLocalSeconds seconds: Int) -> icaltimetype {
    unsafe LibraryTime.make(localSeconds: seconds, isDay: start.second == nil)
  }
}

/// Every second, third or other week of a rule.
///
/// libical 3.0.16 begins them in the wrong week if the first day that holds is not the first one of the rule, so it has the
/// rule for all weeks.
private struct WeekStep {
  /// The dates that hold; nil for all.
  let count: Int?
  private let interval: Int
  private let weekStart: Weekday
  private let start: CivilDate

  /// Takes the step, and the number of dates that is counted with it, out of a rule; nil if it has none.
  init?(_ rule: inout icalrecurrencetype, from start: CivilDate) {
    guard unsafe rule.freq == ICAL_WEEKLY_RECURRENCE && rule.interval > 1 else { return nil }
    interval = unsafe Int(rule.interval)
    count = unsafe rule.count > 0 ? Int(rule.count) : nil
    // From 1 for Sunday.
    let day = unsafe Int(rule.week_start.rawValue)
    weekStart = Weekday.allCases[(day + 5) % 7]
    self.start = start
    unsafe rule.interval = 1
    unsafe rule.count = 0
  }

  /// Whether a date is in one of the weeks.
  func contains(_ date: CivilDate) -> Bool {
    date.weeks(since: start, from: weekStart) % interval == 0
  }
}

/// Times for libical, without a zone.
enum LibraryTime {
  /// Returns the time that is some seconds after 1970 on the same clock.
  static func make(localSeconds seconds: Int, isDay: Bool) -> icaltimetype {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let date = CivilDate(daysSince1970: days)
    var time = unsafe icaltime_null_time()
    unsafe time.year = Int32(clamping: date.year)
    unsafe time.month = Int32(date.month)
    unsafe time.day = Int32(date.day)
    if isDay {
      unsafe time.is_date = 1
    } else {
      let second = seconds - days * 86_400
      unsafe time.hour = Int32(second / 3600)
      unsafe time.minute = Int32(second / 60 % 60)
      unsafe time.second = Int32(second % 60)
    }
    return unsafe time
  }
}

/// How quickly libical proceeds through time with a rule.
struct Pace {
  /// The seconds of one period.
  var seconds: Int
  /// What libical looks at in each period, whether or not it is a date of the rule.
  var weight: Int
  /// Whether all periods are equally long, as they are up to weeks.
  var isOfEqualPeriods: Bool

  init(_ rule: inout icalrecurrencetype) {
    let times = unsafe Int(ci_times(&rule))
    let weekdays = unsafe Int(ci_weekdays(&rule))
    let unit: Int
    (unit, weight, isOfEqualPeriods) =
      switch unsafe rule.freq {
      case ICAL_SECONDLY_RECURRENCE: (1, times, true)
      case ICAL_MINUTELY_RECURRENCE: (60, times, true)
      case ICAL_HOURLY_RECURRENCE: (3600, times, true)
      case ICAL_DAILY_RECURRENCE: (86_400, times, true)
      case ICAL_WEEKLY_RECURRENCE: (7 * 86_400, times * weekdays, true)
      case ICAL_MONTHLY_RECURRENCE: (28 * 86_400, 5, false)
      default: (365 * 86_400, 20, false)
      }
    seconds = unit * max(1, unsafe Int(rule.interval))
  }
}
