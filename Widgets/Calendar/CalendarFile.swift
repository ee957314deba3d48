import WidgetKitCore

/// The entries of a calendar file, and its first error.
struct CalendarFile: Hashable, Sendable {
  /// More than any person enters; the rest of a file is left out.
  static let eventLimit = 20_000

  /// The lines that are read.
  private static let names: Set<String> = [
    "BEGIN", "END", "SUMMARY", "UID", "STATUS", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE",
    "EXDATE", "RECURRENCE-ID", "TZID", "TZOFFSETFROM", "TZOFFSETTO",
  ]

  /// The entries that could be read.
  var events: [Event] = []
  /// The first error, as text for the card.
  var trouble: String?

  /// Reads a file of RFC 5545; an entry with an error is omitted.
  init(parsing file: some Sequence<UInt8>) {
    let list = CalendarComponent.list(of: ContentLine.lines(of: file, named: Self.names))
    guard list.isCalendar else {
      trouble = "no calendar (BEGIN:VCALENDAR is missing)"
      return
    }
    let zones = Self.zones(list.components.filter { $0.kind == .zone })
    let entries = list.components.filter { $0.kind == .event }
    for entry in entries.prefix(Self.eventLimit) {
      let draft = EventDraft(entry, zones: zones)
      if let trouble = draft.trouble { note(trouble) }
      if let event = draft.event { events.append(event) }
    }
    if entries.count > Self.eventLimit {
      note("more than \(Self.eventLimit) entries: the rest is left out")
    }
    if list.isTruncated { note("ends in the middle of an entry") }
    settleReplacements()
    events.removeAll(where: \.isCancelled)
  }

  private mutating func note(_ words: String) {
    trouble = trouble ?? words
  }

  /// An entry for one occurrence of a series replaces that occurrence, or cancels it.
  private mutating func settleReplacements() {
    var replaced: [String?: Set<EventTime>] = [:]
    for event in events {
      if let time = event.replaces { replaced[event.identifier, default: []].insert(time) }
    }
    for index in events.indices where events[index].isSeries && events[index].replaces == nil {
      if let times = replaced[events[index].identifier] {
        events[index].exceptions.formUnion(times)
      }
    }
  }

  /// The zones that the tz database does not have; those that it has are more up to date there.
  private static func zones(_ components: [CalendarComponent]) -> [String: ZoneDefinition] {
    var zones: [String: ZoneDefinition] = [:]
    for component in components {
      guard let name = component.lines.first(where: { $0.name == "TZID" })?.value,
        LocalTime.secondsFromGMT(in: name) == nil
      else { continue }
      zones[name] = ZoneDefinition(component)
    }
    return zones
  }
}

/// An entry while its lines are read.
private struct EventDraft {
  /// The first error.
  private(set) var trouble: String?

  private let zones: [String: ZoneDefinition]
  private var summary = ""
  private var start: EventTime?
  private var end = Event.End.unsaid
  private var rules: [RecurrenceRule] = []
  private var additions: [Event.Addition] = []
  private var exceptions: Set<EventTime> = []
  private var identifier: String?
  private var replaces: EventTime?
  private var isCancelled = false
  private var isBroken = false

  init(_ component: CalendarComponent, zones: [String: ZoneDefinition]) {
    self.zones = zones
    for line in component.lines { take(line) }
  }

  /// The entry; nil if it is incomplete.
  var event: Event? {
    guard let start, !isBroken else { return nil }
    return Event(
      summary: summary.isEmpty ? "(no title)" : summary,
      start: start,
      end: end,
      rules: rules,
      additions: additions,
      exceptions: exceptions,
      identifier: identifier,
      replaces: replaces,
      isCancelled: isCancelled
    )
  }

  private mutating func take(_ line: ContentLine) {
    if line.isCut, line.name != "SUMMARY" {
      refuse("line \(line.number): \(line.name) is longer than 64 KiB")
      return
    }
    switch line.name {
    case "SUMMARY": summary = PropertyReader.text(line) ?? ""
    case "UID": identifier = line.value
    case "STATUS": isCancelled = line.value.uppercased() == "CANCELLED"
    case "DTSTART": start = times(line).first
    case "DTEND": if let time = times(line).first { end = .at(time) }
    case "RECURRENCE-ID": replaces = times(line).first
    case "EXDATE": exceptions.formUnion(times(line))
    case "RDATE":
      if let periods = PropertyReader.periods(line) {
        additions += periods.map { period in
          var period = period
          period.start = period.start.defined(by: zones)
          if case .at(let end) = period.end { period.end = .at(end.defined(by: zones)) }
          return period
        }
      } else {
        refuse("line \(line.number): RDATE “\(line.value.prefix(20))” is no date")
      }
    case "DURATION":
      if let duration = PropertyReader.duration(line) {
        end = .after(duration)
      } else {
        refuse("line \(line.number): DURATION “\(line.value.prefix(20))” is no duration")
      }
    case "RRULE":
      do throws(RecurrenceRule.Refusal) {
        rules.append(try RecurrenceRule(line.value))
      } catch {
        // The first occurrence is correct nevertheless, so the entry is kept.
        trouble = trouble ?? "line \(line.number): RRULE with \(error.part) is not understood"
      }
    default: break
    }
  }

  private mutating func times(_ line: ContentLine) -> [EventTime] {
    guard let times = PropertyReader.times(line) else {
      refuse("line \(line.number): \(line.name) “\(line.value.prefix(20))” is no date")
      return []
    }
    return times.map { $0.defined(by: zones) }
  }

  private mutating func refuse(_ words: String) {
    isBroken = true
    trouble = trouble ?? words
  }
}
