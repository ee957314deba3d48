/// The entries of a calendar file, and its first error.
struct CalendarFile: Hashable, Sendable {
  /// The entries that could be read.
  var events: [Event] = []
  /// The first error, as text for the card.
  var trouble: String?

  /// Reads a file of RFC 5545; an entry with an error is omitted.
  init(parsing file: some Sequence<UInt8>) {
    let lines = ContentLine.lines(of: file)
    guard lines.contains(where: { $0.name == "BEGIN" && $0.value.uppercased() == "VCALENDAR" })
    else {
      trouble = "no calendar (BEGIN:VCALENDAR is missing)"
      return
    }
    var components: [String] = []
    var draft: EventDraft?
    for line in lines {
      switch line.name {
      case "BEGIN":
        components.append(line.value.uppercased())
        if components.last == "VEVENT" { draft = EventDraft(line: line.number) }
      case "END":
        if components.popLast() == "VEVENT", let ended = draft {
          add(ended)
          draft = nil
        }
      default:
        // An alarm inside an entry has its own duration and summary.
        if components.last == "VEVENT" { draft?.take(line) }
      }
    }
    if draft != nil { note("ends in the middle of an entry") }
    settleReplacements()
  }

  private mutating func add(_ draft: EventDraft) {
    if let trouble = draft.trouble { note(trouble) }
    if let event = draft.event { events.append(event) }
  }

  private mutating func note(_ words: String) {
    trouble = trouble ?? words
  }

  /// An entry for one occurrence of a series replaces that occurrence.
  private mutating func settleReplacements() {
    for replacement in events {
      guard let time = replacement.replaces else { continue }
      for index in events.indices
      where events[index].identifier == replacement.identifier && events[index].rule != nil {
        events[index].exceptions.insert(time)
      }
    }
  }
}

/// An entry while its lines are read.
private struct EventDraft {
  /// Where it begins.
  let line: Int
  /// The first error.
  private(set) var trouble: String?

  private var summary = ""
  private var start: EventTime?
  private var end = Event.End.unsaid
  private var rule: RecurrenceRule?
  private var exceptions: Set<EventTime> = []
  private var identifier: String?
  private var replaces: EventTime?
  private var isCancelled = false
  private var isBroken = false

  init(line: Int) {
    self.line = line
  }

  /// The entry; nil if it is cancelled or incomplete.
  var event: Event? {
    guard let start, !isCancelled, !isBroken else { return nil }
    return Event(
      summary: summary.isEmpty ? "(no title)" : summary,
      start: start,
      end: end,
      rule: rule,
      exceptions: exceptions,
      identifier: identifier,
      replaces: replaces
    )
  }

  mutating func take(_ line: ContentLine) {
    switch line.name {
    case "SUMMARY": summary = line.text
    case "UID": identifier = line.value
    case "STATUS": isCancelled = line.value.uppercased() == "CANCELLED"
    case "DTSTART": start = time(line)
    case "DTEND": if let time = time(line) { end = .at(time) }
    case "RECURRENCE-ID": replaces = time(line)
    case "DURATION":
      if let duration = EventDuration(line.value) {
        end = .after(duration)
      } else {
        refuse("line \(line.number): DURATION “\(line.value)” is no duration")
      }
    case "EXDATE":
      for value in line.value.split(separator: ",") {
        var single = line
        single.value = String(value)
        if let time = time(single) { exceptions.insert(time) }
      }
    case "RRULE":
      do throws(RecurrenceRule.Refusal) {
        rule = try RecurrenceRule(line.value)
      } catch {
        // The first occurrence is correct nevertheless, so the entry is kept.
        trouble = trouble ?? "line \(line.number): RRULE with \(error.part) is not understood"
      }
    default: break
    }
  }

  private mutating func time(_ line: ContentLine) -> EventTime? {
    let time = EventTime(line)
    if time == nil {
      refuse("line \(line.number): \(line.name) “\(line.value.prefix(20))” is no date")
    }
    return time
  }

  private mutating func refuse(_ words: String) {
    isBroken = true
    trouble = trouble ?? words
  }
}
