import WidgetKitCore

/// The result of an update.
nonisolated struct UpdateOutcome: Hashable, Sendable {
  var result: UpdateResult
  var error: String?
  var refreshAfter: Duration?
  /// Content for later times, with newData.
  var timeline: Timeline?
  /// The reason for the update.
  var reason = UpdateReason.schedule
}
