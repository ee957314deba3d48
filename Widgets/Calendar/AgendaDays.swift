import CalendarFormats
import WidgetKitCore

extension AgendaRows {
  /// A day with its entries, of which some are on other days, too.
  struct Day: Hashable {
    /// The day.
    var date: CivilDate
    /// What is on it, in order.
    var entries: [Occurrence]

    /// The entries, of which one that comes several times is there once, with how often it does.
    var grouped: [(entry: Occurrence, times: Int)] {
      var groups: [(entry: Occurrence, times: Int)] = []
      var places: [String: Int] = [:]
      for entry in entries {
        let key = AgendaRows.name(of: entry)
        if entry.start != nil, entry.firstDay == date, let place = places[key] {
          groups[place].times += 1
        } else {
          if entry.start != nil, entry.firstDay == date { places[key] = groups.count }
          groups.append((entry, 1))
        }
      }
      return groups
    }
  }

  /// What tells an entry and its repetitions from others.
  static func name(of entry: Occurrence) -> String { "\(entry.calendar) \(entry.summary)" }

  /// The first of some days for each entry.
  static func firstDays(_ days: [Day]) -> [String: CivilDate] {
    var first: [String: CivilDate] = [:]
    for day in days.reversed() {
      for entry in day.entries { first[name(of: entry)] = day.date }
    }
    return first
  }

  /// The entries by each of their days from the present one on, at most `limit`, and how many there are.
  func days(limit: Int) -> (days: [Day], count: Int) {
    var lists: [Int: DayList] = [:]
    var count = 0
    for entry in entries {
      let first = max(entry.firstDay, today).daysSince1970
      let last = min(max(entry.lastDay, entry.firstDay), lastDay).daysSince1970
      guard first <= last else { continue }
      count += last - first + 1
      for day in first...last { lists[day, default: DayList()].add(entry, on: day, limit: limit) }
    }
    var days: [Day] = []
    var rest = limit
    for day in lists.keys.sorted() where rest > 0 {
      let entries = (lists[day]?.all ?? []).prefix(rest)
      rest -= entries.count
      days.append(Day(date: CivilDate(daysSince1970: day), entries: Array(entries)))
    }
    return (days, count)
  }

  /// The entries of a day in the order in which they are shown.
  private struct DayList {
    private var wholeDays: [Occurrence] = []
    private var going: [Occurrence] = []
    private var beginning: [Occurrence] = []

    var all: [Occurrence] { wholeDays + going + beginning }

    mutating func add(_ entry: Occurrence, on day: Int, limit: Int) {
      if entry.start == nil {
        if wholeDays.count < limit { wholeDays.append(entry) }
      } else if entry.firstDay.daysSince1970 < day {
        if going.count < limit { going.append(entry) }
      } else if beginning.count < limit {
        beginning.append(entry)
      }
    }
  }
}
