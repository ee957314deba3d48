/// An entry of a calendar file, which may come again.
struct Event: Hashable, Sendable {
  /// What it is about.
  var summary: String
  /// When it begins, the first time.
  var start: EventTime
  /// When it ends: at a time, after a while, or as RFC 5545 §3.6.1 says where nothing is said.
  var end = End.unsaid
  /// How it comes again.
  var rule: RecurrenceRule?
  /// When it does not take place although the rule says so.
  var exceptions: Set<EventTime> = []
  /// What all parts of a series have in common.
  var identifier: String?
  /// Which time of its series this one stands for.
  var replaces: EventTime?

  /// The end of an event.
  enum End: Hashable, Sendable {
    /// A whole day where it begins on one, else no time at all.
    case unsaid
    /// At a time, which is not part of it.
    case at(EventTime)
    /// After a while.
    case after(EventDuration)
  }
}
