import FoundationEssentials
import WidgetKitCore

/// The entries of a file of which several are versions of one, or replace occurrences of a series.
struct EventVersions {
  /// What takes place of each entry, by its place in the list.
  private(set) var valid: [(place: Int, events: [Event])] = []

  /// How many series with one identifier are divided; those of broken programs share one.
  private static let dividedLimit = 8

  private var tables: ZoneTables

  /// An occurrence of a series.
  private enum Moment: Hashable {
    case day(CivilDate)
    /// Seconds since 1970.
    case universal(Int)
    /// Seconds on the user's clock.
    case local(Int)
  }

  init(_ events: [Event]) {
    let last = events.compactMap(\.replaces?.date).max()
    tables = ZoneTables(through: last ?? CivilDate(daysSince1970: 0))
    var groups: [String: [Int]] = [:]
    for (index, event) in events.enumerated() {
      // An entry without an identifier stands for itself.
      groups[event.identifier ?? "\0\(index)", default: []].append(index)
    }
    var kept: [Int: [Event]] = [:]
    for indices in groups.values {
      guard indices.count > 1 || events[indices[0]].replaces != nil else {
        kept[indices[0]] = [events[indices[0]]]
        continue
      }
      settle(indices.map { ($0, events[$0]) }, into: &kept)
    }
    valid = kept.sorted { $0.key < $1.key }.map { place, events in
      (place, events.filter { !$0.isCancelled })
    }
  }

  /// Finds what holds of the entries with one identifier.
  private mutating func settle(
    _ entries: [(index: Int, event: Event)],
    into kept: inout [Int: [Event]]
  ) {
    let whole = entries.filter { $0.event.replaces == nil }
    let masters = Self.newest(whole)
    var replacements: [Moment: (index: Int, event: Event)] = [:]
    for entry in entries {
      guard let time = entry.event.replaces else { continue }
      let moment = moment(of: time)
      if let other = replacements[moment], entry.event.revision < other.event.revision { continue }
      // The series says how the others recur.
      var event = entry.event
      if !event.replacesLater {
        event.rules = []
        event.exclusions = []
        event.additions = []
      }
      replacements[moment] = (entry.index, event)
    }
    let isCancelled = !masters.isEmpty && masters.allSatisfy { $0.event.isCancelled }
    if isCancelled {
      let last = masters.map(\.event.revision).max() ?? Event.Revision()
      replacements = replacements.filter { last < $0.value.event.revision }
    }
    let times = Set(replacements.values.compactMap(\.event.replaces))
    let later = replacements.values.filter(\.event.replacesLater)
    for master in masters {
      var event = master.event
      // Most series share the set.
      if event.exceptions.isEmpty {
        event.exceptions = times
      } else {
        event.exceptions.formUnion(times)
      }
      let isDivided = !later.isEmpty && masters.count <= Self.dividedLimit
      kept[master.index] = isDivided ? sections(of: event, later.map(\.event)) : [event]
    }
    let series = masters.first { $0.event.isSeries && !$0.event.isCancelled }?.event
    for (index, event) in replacements.values {
      var event = event
      // A series of its own begins with it; else it is the first of the later ones.
      if let series, event.replacesLater, event.rules == series.rules || event.rules.isEmpty {
        event.rules = []
        event.exclusions = []
        event.additions = []
      }
      kept[index, default: []].append(event)
    }
  }

  /// The entries of the newest version.
  ///
  /// Those of broken programs share an identifier and a version; each of
  /// them is shown, once.
  private static func newest(
    _ entries: [(index: Int, event: Event)]
  ) -> [(index: Int, event: Event)] {
    let number = entries.map(\.event.revision.number).max() ?? 0
    var newest = entries.filter { $0.event.revision.number == number }
    for time in [\Event.Revision.modified, \.stamp]
    where newest.allSatisfy({ !$0.event.revision[keyPath: time].isEmpty }) {
      let last = newest.map { $0.event.revision[keyPath: time] }.max()
      newest.removeAll { $0.event.revision[keyPath: time] != last }
    }
    let cancelled = Set(newest.lazy.filter(\.event.isCancelled).map(\.event.start))
    newest.removeAll { !$0.event.isCancelled && cancelled.contains($0.event.start) }
    var seen: Set<Event> = []
    return newest.filter { entry in
      // The same entry in two files.
      var event = entry.event
      event.revision = Event.Revision()
      event.details = EventDetails()
      return seen.insert(event).inserted
    }
  }

  // MARK: - Later occurrences

  /// Divides a series where an entry replaces an occurrence and all later ones.
  private mutating func sections(of series: Event, _ later: [Event]) -> [Event] {
    guard series.isSeries else { return [series] }
    var cuts: [(first: Int, time: EventTime, event: Event)] = []
    for event in later {
      guard let time = event.replaces else { continue }
      cuts.append((localSeconds(of: time, in: series), time, event))
    }
    cuts.sort { $0.first < $1.first }
    var before = series
    before.section = Event.Section(end: cuts.first?.first)
    var result = [before]
    for (place, cut) in cuts.enumerated() {
      let isSeries = !cut.event.rules.isEmpty && cut.event.rules != series.rules
      // The entry itself is its first occurrence, or a series of its own.
      if cut.event.isCancelled || isSeries { continue }
      var section = series
      section.summary = cut.event.summary
      section.details = cut.event.details
      section.end = cut.event.end
      section.section = Event.Section(
        first: cut.first,
        end: place + 1 < cuts.count ? cuts[place + 1].first : nil,
        shift: shift(cut.time, at: cut.first, to: cut.event.start, in: series),
        start: cut.event.start
      )
      result.append(section)
    }
    return result
  }

  /// How much later the occurrences of a section are than `time` says, on the clocks.
  private func shift(_ time: EventTime, at first: Int, to start: EventTime, in series: Event) -> Int
  {
    guard start.second != nil else {
      return start.localSeconds - CivilDate.midnight(first)
    }
    // The day alone stands for the occurrence of that day.
    let from = time.second == nil ? first + (series.start.second ?? 0) : first
    return start.localSeconds - from
  }

  /// The seconds on the clocks of a series at the time of one of its occurrences.
  private mutating func localSeconds(of time: EventTime, in series: Event) -> Int {
    let start = series.start
    guard time.second != nil, start.second != nil else { return time.localSeconds }
    guard time.zone != start.zone || time.definition != start.definition,
      case .universal(let moment) = moment(of: time)
    else { return time.localSeconds }
    if let definition = start.definition {
      return moment + tables.table(of: definition).offset(at: moment)
    }
    guard let zone = start.zone else { return time.localSeconds }
    let offset = LocalTime.secondsFromGMT(
      in: zone,
      at: Date(timeIntervalSince1970: Double(moment))
    )
    return moment + (offset ?? 0)
  }

  // MARK: - Moments

  private mutating func moment(of time: EventTime) -> Moment {
    guard time.second != nil else { return .day(time.date) }
    if let definition = time.definition {
      return .universal(tables.table(of: definition).moment(ofLocalSeconds: time.localSeconds))
    }
    guard let zone = time.zone else { return .local(time.localSeconds) }
    guard let date = time.local.date(in: zone) else { return .local(time.localSeconds) }
    return .universal(Int(date.timeIntervalSince1970))
  }
}

extension CivilDate {
  /// The seconds from 1970 to the last midnight, on the same clock.
  fileprivate static func midnight(_ seconds: Int) -> Int {
    (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 * 86_400
  }
}
