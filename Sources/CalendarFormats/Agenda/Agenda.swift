public import FoundationEssentials
public import WidgetKitCore

/// One occurrence of an event, in local time.
public struct Occurrence: Hashable, Sendable {
  /// The summary.
  public var summary: String
  /// The first day.
  public var firstDay: CivilDate
  /// The last day.
  public var lastDay: CivilDate
  /// When it begins; nil for a whole day.
  public var start: Date?
  /// When it ends; nil for a whole day.
  public var end: Date?
  /// Where it is, what about, and where a meeting is joined.
  public var details = EventDetails()
  /// The place of its file among those of the agenda.
  public var calendar = 0
}

/// The occurrences of events on some days, in local time.
public struct Agenda: Hashable, Sendable {
  /// The occurrences, in order; whole days come first.
  public private(set) var occurrences: [Occurrence] = []
  /// For each file, the summary of the first event not all of whose occurrences were computed.
  public private(set) var cuts: [String?] = []

  /// Computes the occurrences from `first` to `last` in a zone of the tz database.
  public init(
    of files: [CalendarFile],
    from first: CivilDate,
    through last: CivilDate,
    in zone: String
  ) {
    var total = RecurrenceBudget(units: RecurrenceBudget.ofAll)
    var clock = EventClock(zone: zone, last: last)
    for (calendar, events) in SharedEntries(files).events.enumerated() {
      let share = min(total.units, RecurrenceBudget.ofFile)
      clock.budget = RecurrenceBudget(units: share)
      var cut: String?
      for event in events {
        let series = clock.occurrences(of: event, from: first, through: last)
        for var occurrence in series.occurrences {
          occurrence.calendar = calendar
          occurrences.append(occurrence)
        }
        if series.isCut { cut = cut ?? event.summary }
      }
      cuts.append(cut)
      total.spend(share - clock.budget.units)
    }
    occurrences.sort { one, other in
      if one.firstDay != other.firstDay { return one.firstDay < other.firstDay }
      if one.start != other.start {
        return (one.start ?? .distantPast) < (other.start ?? .distantPast)
      }
      return one.summary < other.summary
    }
  }

  /// The local day of a date; nil if there is no such zone.
  public static func day(of date: Date, in zone: String) -> CivilDate? {
    LocalTime(date, in: zone).flatMap {
      CivilDate($0.year, $0.month, $0.day)
    }
  }
}
