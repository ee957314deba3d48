/// An entry of a calendar file, which may recur.
public struct Event: Hashable, Sendable {
  /// The summary.
  var summary: String
  /// Where it is, and what about.
  var details = EventDetails()
  /// When it first begins.
  var start: EventTime
  /// When it ends: at a time, after a duration, or by the default of RFC 5545 §3.6.1.
  var end = End.unsaid
  /// How it recurs.
  var rules: [RecurrenceRule] = []
  /// The rules by which occurrences are left out, of RFC 2445.
  var exclusions: [RecurrenceRule] = []
  /// More occurrences.
  var additions: [Addition] = []
  /// The exceptions from the rules and additions.
  var exceptions: Set<EventTime> = []
  /// The identifier of the series.
  var identifier: String?
  /// The occurrence of the series that this entry replaces.
  var replaces: EventTime?
  /// Whether it also replaces all later occurrences (RFC 5545 §3.2.13).
  var replacesLater = false
  /// Whether it does not take place.
  var isCancelled = false
  /// Which version of the entry it is.
  var revision = Revision()
  /// The occurrences of a series that have this summary and length; nil for all.
  var section: Section?

  /// The end of an event.
  enum End: Hashable, Sendable {
    /// One day if it begins on a whole day, else no duration.
    case unsaid
    /// At a time, exclusive.
    case at(EventTime)
    /// After a duration.
    case after(EventDuration)
  }

  /// A version of an entry: of two, the one with the larger number holds, and then the later one
  /// (RFC 5545 §3.8.7.4).
  struct Revision: Hashable, Comparable, Sendable {
    /// `SEQUENCE`.
    var number = 0
    /// `LAST-MODIFIED`, in the order of texts; empty if that is not known.
    var modified = ""
    /// `DTSTAMP`, which some programs set to the time of the export.
    var stamp = ""

    static func < (one: Revision, other: Revision) -> Bool {
      if one.number != other.number { return one.number < other.number }
      for (time, otherTime) in [(one.modified, other.modified), (one.stamp, other.stamp)]
      where !time.isEmpty && !otherTime.isEmpty && time != otherTime {
        return time < otherTime
      }
      return false
    }
  }

  /// The part of a series that an entry with `RANGE=THISANDFUTURE` divides.
  struct Section: Hashable, Sendable {
    /// The first occurrence, in seconds on the clocks of the series; nil for the first of all.
    var first: Int?
    /// Where the next section begins.
    var end: Int?
    /// How much later its occurrences begin, in seconds on the clocks.
    var shift = 0
    /// The start of its first occurrence, which has the zone of the others; nil for that of the series.
    var start: EventTime?

    /// Whether an occurrence is in it.
    func contains(_ time: EventTime) -> Bool {
      if let first, time.localSeconds < first { return false }
      return end.map { time.localSeconds < $0 } ?? true
    }
  }

  /// The start that belongs to `end`.
  var spanStart: EventTime { section?.start ?? start }

  /// An occurrence outside the rules.
  struct Addition: Hashable, Sendable {
    /// When it begins.
    var start: EventTime
    /// When it ends; nil like all others.
    var end: End?
  }

  /// Whether it can have several occurrences.
  var isSeries: Bool { !rules.isEmpty || !additions.isEmpty }
}
