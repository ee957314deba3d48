/// An entry of a calendar file while its lines are read.
struct EventDraft {
  /// The first error.
  private(set) var trouble: String?
  /// The zones of the file, with those that were looked for.
  private(set) var zones: ZoneNames

  private let firstLine: Int
  /// What fills three lines of a wide card; a message of a widget has a limit.
  private static let summaryBytes = 1000

  private var summary = ""
  private var details = EventDetails()
  private var start: EventTime?
  private var hasStart = false
  private var end = Event.End.unsaid
  private var endLine = 0
  private var rules: [RecurrenceRule] = []
  private var exclusions: [RecurrenceRule] = []
  private var additions: [Event.Addition] = []
  private var exceptions: Set<EventTime> = []
  private var identifier: String?
  private var replaces: EventTime?
  private var replacesLater = false
  private var isCancelled = false
  private var number = 0
  private var stamp = ""
  private var modified = ""
  private var isBroken = false
  private var isWholeDay = false

  /// What programs say of an entry that takes whole days, though its times are those of midnight.
  static let wholeDayNames: Set<String> = [
    "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY",
  ]

  init(_ component: CalendarComponent, zones: ZoneNames) {
    self.zones = zones
    firstLine = component.firstLine
    for line in component.lines { take(line) }
    details.alarms = EventAlarm.all(of: component.parts)
    dropNegativeEnd()
    if isWholeDay { dropMidnights() }
    guard !hasStart, !isBroken else { return }
    if isCancelled, let replaces {
      start = replaces
    } else {
      refuse("line \(firstLine): an entry has no DTSTART")
    }
  }

  /// The entry; nil if it is incomplete.
  var event: Event? {
    guard let start, !isBroken else { return nil }
    var event = Event(summary: summary.trimmed.isEmpty ? "(no title)" : summary, start: start)
    event.details = details
    event.end = end
    event.rules = rules
    event.exclusions = exclusions
    event.additions = additions
    event.exceptions = exceptions
    event.identifier = identifier
    event.replaces = replaces
    event.replacesLater = replacesLater
    event.isCancelled = isCancelled
    event.revision = Event.Revision(number: number, modified: modified, stamp: stamp)
    return event
  }

  private mutating func take(_ line: ContentLine) {
    if EventDetails.names.contains(line.name) {
      details.take(line)
      return
    }
    if line.isCut, line.name != "SUMMARY" {
      refuse("line \(line.number): \(line.name) is longer than 64 KiB")
      return
    }
    switch line.name {
    case "SUMMARY": summary = (PropertyReader.text(line) ?? "").cut(toBytes: Self.summaryBytes)
    case "UID": identifier = line.value.trimmed
    case "STATUS": isCancelled = line.value.trimmed.uppercased() == "CANCELLED"
    case "SEQUENCE": number = min(max(Int(line.value.trimmed) ?? 0, 0), 1_000_000_000)
    case "DTSTAMP": stamp = String(line.value.trimmed.prefix(20))
    case "LAST-MODIFIED": modified = String(line.value.trimmed.prefix(20))
    case "DTSTART":
      hasStart = true
      start = times(line).first
    case "DTEND":
      guard let time = times(line, isNeeded: false).first else { break }
      end = .at(time)
      endLine = line.number
    case "RECURRENCE-ID":
      replaces = times(line).first
      let range = PropertyReader.parameter("RANGE", of: line)
      replacesLater = range == "THISANDFUTURE"
      if let range, !replacesLater {
        note("line \(line.number): RANGE=\(range.prefix(20)) is not understood")
      }
    case "EXDATE": exceptions.formUnion(listed(line.withCommas))
    case "RDATE": takeAdditions(line.withCommas)
    case _ where Self.wholeDayNames.contains(line.name):
      isWholeDay = ["TRUE", "1"].contains(line.value.trimmed.uppercased())
    case "DURATION":
      if let duration = PropertyReader.duration(line) {
        end = .after(duration)
      } else {
        note("line \(line.number): DURATION “\(line.value.prefix(20))” is no duration")
      }
    case "RRULE": if let rule = rule(line) { rules.append(rule) }
    case "EXRULE": if let rule = rule(line) { exclusions.append(rule) }
    default: break
    }
  }

  /// An entry that ends before it begins has no length.
  private mutating func dropNegativeEnd() {
    guard case .at(let time) = end, let start, time.zone == start.zone,
      time.definition == start.definition, (time.second == nil) == (start.second == nil),
      time.localSeconds < start.localSeconds
    else { return }
    end = .unsaid
    note("line \(endLine): DTEND is before DTSTART")
  }

  /// Makes whole days of times at midnight.
  private mutating func dropMidnights() {
    guard start?.second == 0 else { return }
    if case .at(let time) = end {
      guard time.second == 0 else { return }
      end = .at(time.day)
    }
    start = start?.day
    replaces = replaces?.day
    exceptions = Set(exceptions.map(\.day))
    additions = additions.map { addition in
      var addition = addition
      addition.start = addition.start.day
      if case .at(let time) = addition.end { addition.end = .at(time.day) }
      return addition
    }
  }

  /// Reads a rule; without it the other occurrences are correct nevertheless, so the entry is kept.
  private mutating func rule(_ line: ContentLine) -> RecurrenceRule? {
    do throws(RecurrenceRule.Refusal) {
      return try RecurrenceRule(line.value)
    } catch {
      note("line \(line.number): \(line.name) with \(error.part) is not understood")
      return nil
    }
  }

  private mutating func takeAdditions(_ line: ContentLine) {
    var periods = PropertyReader.periods(line)
    if periods == nil {
      // One that cannot be read costs itself alone.
      periods = line.items.flatMap { item in
        let found = PropertyReader.periods(item)
        if found == nil {
          note("line \(line.number): RDATE “\(item.value.prefix(20))” is no date")
        }
        return found ?? []
      }
    }
    for period in periods ?? [] {
      var period = period
      period.start = resolved(period.start, line)
      if case .at(let end) = period.end { period.end = .at(resolved(end, line)) }
      additions.append(period)
    }
  }

  /// Reads dates; without those that are needed there is no entry.
  private mutating func times(_ line: ContentLine, isNeeded: Bool = true) -> [EventTime] {
    guard let times = PropertyReader.times(line) else {
      let words = "line \(line.number): \(line.name) “\(line.value.prefix(20))” is no date"
      if isNeeded { refuse(words) } else { note(words) }
      return []
    }
    return times.map { resolved($0, line) }
  }

  /// Reads a list of dates, of which one that cannot be read costs itself alone.
  private mutating func listed(_ line: ContentLine) -> [EventTime] {
    if let times = PropertyReader.times(line) { return times.map { resolved($0, line) } }
    return line.items.flatMap { times($0, isNeeded: false) }
  }

  private mutating func resolved(_ time: EventTime, _ line: ContentLine) -> EventTime {
    let (found, isUnknown) = time.resolved(by: &zones)
    if isUnknown {
      let name = (time.zone ?? "").filter { $0 != "\"" }
      note(
        "line \(line.number): no time zone is called “\(name.prefix(60))”; its times are shown as local ones"
      )
    } else if let definition = found.definition, definition.isDamaged {
      note("the time zone “\(definition.name.prefix(60))” is not understood completely")
    }
    return found
  }

  private mutating func note(_ words: String) {
    trouble = trouble ?? words
  }

  private mutating func refuse(_ words: String) {
    isBroken = true
    note(words)
  }
}
