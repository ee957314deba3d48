package import FoundationEssentials

/// Times in the form of crontab(5): `*/15 9-17 * * mon-fri`; several lines are joined by `|`.
///
/// The fields are minutes, hours, days of the month, months and days of the week, with lists, ranges, steps
/// and names. As with cron, of two days that are both limited it is enough that one fits.
package struct CronSchedule: Hashable, Sendable {
  /// One line.
  struct Line: Hashable, Sendable {
    var minutes: Set<Int>
    var hours: Set<Int>
    var days: Set<Int>
    var months: Set<Int>
    /// 0 for Sunday to 6 for Saturday.
    var weekdays: Set<Int>
    /// Whether one of the two kinds of days is enough.
    var takesEitherDay: Bool
  }

  let lines: [Line]

  /// Why a text is not a schedule, to follow the text.
  package struct Fault: Error, Hashable, Sendable {
    package var words: String
  }

  /// The most bytes and lines of a schedule.
  private static let byteLimit = 1_000
  private static let lineLimit = 16

  /// Reads a schedule.
  ///
  /// - Throws: ``Fault`` for a text that is none, and for a line whose day never comes, such as 30 February.
  package init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.byteLimit else {
      throw Fault(words: "at most \(Self.byteLimit) bytes")
    }
    let texts = text.split(separator: "|").filter { !$0.allSatisfy(\.isWhitespace) }
    guard !texts.isEmpty else { throw Fault(words: "five fields such as */15 9-17 * * mon-fri") }
    guard texts.count <= Self.lineLimit else {
      throw Fault(words: "at most \(Self.lineLimit) lines")
    }
    var lines: [Line] = []
    for text in texts { lines.append(try Line(text)) }
    self.lines = lines
  }

  // MARK: - The next time

  /// The days in which a line that can fit has fitted: 29 February is a Sunday at least once in 40 years.
  private static let searchedDays = 366 * 41

  /// The first moment after a date at which the clocks of this process show a minute of the schedule; nil if
  /// there is none in the years that dates can have.
  package func next(after date: Date) -> Date? {
    next(after: date, in: ZoneDatabase.system.local)
  }

  /// The first moment after a date at which the clocks of a zone show a minute of the schedule.
  ///
  /// A minute that is skipped when clocks are set forward counts as the same time after the gap, and one that
  /// clocks show twice comes twice.
  func next(after date: Date, in zone: ZoneTable) -> Date? {
    guard let now = Int(exactly: date.timeIntervalSince1970.rounded(.down)),
      (0...Self.lastMoment).contains(now)
    else { return nil }
    // The day before can go on when clocks are set back at midnight.
    let today = CivilTime(secondsSince1970: now + zone.displacement(at: now)).date
    for offset in -1...Self.searchedDays {
      let day = today.adding(days: offset)
      let found = lines.lazy.compactMap { $0.next(on: day, after: now, in: zone) }.min()
      if let found { return Date(timeIntervalSince1970: Double(found)) }
    }
    return nil
  }

  /// Far enough before the last year of the program's dates.
  private static let lastMoment = 250_000_000_000
}

extension CronSchedule.Line {
  /// The first moment of a day that is later than `now`; nil if the line has none on this day.
  fileprivate func next(on day: CivilDate, after now: Int, in zone: ZoneTable) -> Int? {
    guard includes(day) else { return nil }
    let midnight = day.daysSince1970 * 86_400
    let guess = midnight - zone.displacement(at: midnight)
    let margin = 4 * 3600
    let before = zone.displacement(at: guess - margin)
    let isPlain = before == zone.displacement(at: guess + 86_400 + margin)
    var first: Int?
    for hour in hours.sorted() {
      for minute in minutes.sorted() {
        let local = midnight + hour * 3600 + minute * 60
        if isPlain {
          // They are in order.
          if local - before > now { return local - before }
          continue
        }
        // The time before the change, which may be shown once more after it.
        let after = local - zone.displacement(at: guess + 86_400 + margin)
        let moments = [zone.moment(ofLocalSeconds: local), after]
        for moment in moments where moment > now && moment < first ?? .max {
          guard moment == moments[0] || moment + zone.displacement(at: moment) == local else {
            continue
          }
          first = moment
        }
      }
    }
    return first
  }

  private func includes(_ day: CivilDate) -> Bool {
    guard months.contains(day.month) else { return false }
    let isDay = days.contains(day.day)
    let isWeekday = weekdays.contains(day.weekday)
    return takesEitherDay ? isDay || isWeekday : isDay && isWeekday
  }
}
