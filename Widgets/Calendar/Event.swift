/// An entry of a calendar file, which may recur.
struct Event: Hashable, Sendable {
  /// The summary.
  var summary: String
  /// When it first begins.
  var start: EventTime
  /// When it ends: at a time, after a duration, or by the default of RFC 5545 §3.6.1.
  var end = End.unsaid
  /// How it recurs.
  var rule: RecurrenceRule?
  /// The exceptions from the rule.
  var exceptions: Set<EventTime> = []
  /// The identifier of the series.
  var identifier: String?
  /// The occurrence of the series that this entry replaces.
  var replaces: EventTime?

  /// The end of an event.
  enum End: Hashable, Sendable {
    /// One day if it begins on a whole day, else no duration.
    case unsaid
    /// At a time, exclusive.
    case at(EventTime)
    /// After a duration.
    case after(EventDuration)
  }
}
