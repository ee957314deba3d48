/// An entry of a calendar file, which may recur.
struct Event: Hashable, Sendable {
  /// The summary.
  var summary: String
  /// When it first begins.
  var start: EventTime
  /// When it ends: at a time, after a duration, or by the default of RFC 5545 §3.6.1.
  var end = End.unsaid
  /// How it recurs.
  var rules: [RecurrenceRule] = []
  /// More occurrences.
  var additions: [Addition] = []
  /// The exceptions from the rules and additions.
  var exceptions: Set<EventTime> = []
  /// The identifier of the series.
  var identifier: String?
  /// The occurrence of the series that this entry replaces.
  var replaces: EventTime?
  /// Whether it does not take place.
  var isCancelled = false

  /// The end of an event.
  enum End: Hashable, Sendable {
    /// One day if it begins on a whole day, else no duration.
    case unsaid
    /// At a time, exclusive.
    case at(EventTime)
    /// After a duration.
    case after(EventDuration)
  }

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
