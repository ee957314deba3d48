import WidgetKitCore

/// A time zone as a calendar file defines it (RFC 5545 §3.6.5).
struct ZoneDefinition: Hashable, Sendable {
  /// Its name in the file.
  let name: String
  /// Whether a part of it could not be read.
  let isDamaged: Bool

  /// A few bytes instead of all periods, as every time in a file has its zone.
  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// A part of the year, or of history, with one offset.
  struct Period: Hashable, Sendable {
    /// When it first begins, in the time before it.
    var start: EventTime
    /// Seconds east of UTC before it.
    var offsetBefore: Int
    /// Seconds east of UTC in it.
    var offset: Int
    /// When it begins again.
    var rules: [RecurrenceRule] = []
    /// More beginnings.
    var additions: [Event.Addition] = []
    /// Whether a rule or a date could not be read.
    var isDamaged = false
  }

  /// The parts, in no order.
  var periods: [Period]

  /// Creates a zone that is always so many seconds east of UTC.
  init(name: String, offset: Int) {
    self.name = name
    isDamaged = false
    let start = EventTime(date: CivilDate(daysSince1970: 0), second: 0)
    periods = [Period(start: start, offsetBefore: offset, offset: offset)]
  }

  /// Reads a `VTIMEZONE`; nil without a complete period.
  init?(_ component: CalendarComponent) {
    periods = component.parts.compactMap(Period.init)
    guard !periods.isEmpty else { return nil }
    name = component.lines.first { $0.name == "TZID" }?.value ?? ""
    isDamaged = periods.count < component.parts.count || periods.contains(where: \.isDamaged)
  }

  /// Computes when the offset changes, up to a year after `last`.
  func table(through last: CivilDate, budget: inout RecurrenceBudget) -> Table {
    var changes: [Table.Change] = []
    for period in periods {
      func add(_ start: EventTime) {
        changes.append(
          Table.Change(
            moment: start.localSeconds - period.offsetBefore,
            before: period.offsetBefore,
            after: period.offset
          )
        )
      }
      add(period.start)
      for addition in period.additions { add(addition.start) }
      let end = max(period.start.date, last.adding(days: 366))
      for rule in period.rules {
        let starts = rule.starts(
          from: period.start,
          in: period.start.date...end,
          budget: &budget
        )
        let until = rule.until.map { until in
          until.zone == "UTC" ? until.localSeconds + period.offsetBefore : until.localSeconds
        }
        for time in starts.times where time.localSeconds <= until ?? .max { add(time) }
      }
    }
    return Table(changes: changes.sorted { $0.moment < $1.moment })
  }

  /// The changes of the offset.
  struct Table: Hashable, Sendable {
    /// One change.
    struct Change: Hashable, Sendable {
      /// Seconds since 1970.
      var moment: Int
      /// The offset until then.
      var before: Int
      /// The offset from then on.
      var after: Int
    }

    /// All of them, by time; at least one.
    var changes: [Change]

    /// Returns the seconds since 1970 at which clocks show a time.
    ///
    /// Of a time that occurs twice it is the first; one that is skipped is counted from the offset
    /// before the gap.
    func moment(ofLocalSeconds local: Int) -> Int {
      // No offset is larger than a day.
      let early = local - offset(at: local - 86_400)
      let late = local - offset(at: local + 86_400)
      return [early, late].first { $0 + offset(at: $0) == local } ?? early
    }

    /// Seconds east of UTC at a moment.
    func offset(at moment: Int) -> Int {
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].moment <= moment { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? changes[low - 1].after : changes.first?.before ?? 0
    }
  }
}

extension ZoneDefinition.Period {
  /// Reads `STANDARD` or `DAYLIGHT`; nil if it is incomplete.
  fileprivate init?(_ component: CalendarComponent) {
    var start: EventTime?
    var before: Int?
    var after: Int?
    rules = []
    additions = []
    for line in component.lines {
      switch line.name {
      case "DTSTART": start = PropertyReader.times(line)?.first
      case "TZOFFSETFROM": before = PropertyReader.offset(line)
      case "TZOFFSETTO": after = PropertyReader.offset(line)
      case "RDATE":
        if let dates = PropertyReader.periods(line) { additions += dates } else { isDamaged = true }
      case "RRULE":
        if let rule = try? RecurrenceRule(line.value) {
          rules.append(rule)
        } else {
          isDamaged = true
        }
      default: break
      }
    }
    guard let start, let before, let after else { return nil }
    self.start = start
    offsetBefore = before
    offset = after
  }
}
