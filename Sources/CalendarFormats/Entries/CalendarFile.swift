import WidgetKitCore

/// The entries of a calendar file, and its first error.
public struct CalendarFile: Hashable, Sendable {
  /// More than any person enters; the rest of a file is left out.
  static let eventLimit = 20_000

  /// The lines that are read.
  private static let names = Set([
    "BEGIN", "END", "METHOD", "SUMMARY", "UID", "STATUS", "DTSTART", "DTEND", "DURATION", "RRULE",
    "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED", "TZID",
    "TZOFFSETFROM", "TZOFFSETTO",
  ]).union(EventDetails.names).union(EventDraft.wholeDayNames).union(EventAlarm.names)

  /// The entries that could be read.
  public private(set) var events: [Event] = []
  /// The same with what does not take place, which may replace entries of other files.
  private(set) var versions: [Event] = []
  /// The first error, as text for the card.
  public private(set) var trouble: String?

  /// Reads a file of RFC 5545; an entry with an error is omitted.
  public init(parsing file: some Sequence<UInt8>) {
    let list = CalendarComponent.list(of: ContentLine.lines(of: file, named: Self.names))
    if !list.isCalendar { note("no calendar (BEGIN:VCALENDAR is missing)") }
    var zones = ZoneNames(list.components.filter { $0.kind == .zone })
    let entries = list.components.filter { $0.kind == .event }
    var events: [Event] = []
    for entry in entries.prefix(Self.eventLimit) {
      let draft = EventDraft(entry, zones: zones)
      if let trouble = draft.trouble { note(trouble) }
      if var event = draft.event {
        event.isCancelled = event.isCancelled || list.isCancellation
        events.append(event)
      }
      zones = draft.zones
    }
    if entries.count > Self.eventLimit {
      note("more than \(Self.eventLimit) entries: the rest is left out")
    }
    if let line = list.openEntry { note("line \(line): an entry has no END:VEVENT") }
    if list.isTruncated { note("ends in the middle of an entry") }
    versions = events
    self.events = EventVersions(events).valid.flatMap(\.events)
  }

  private mutating func note(_ words: String) {
    trouble = trouble ?? words
  }
}
