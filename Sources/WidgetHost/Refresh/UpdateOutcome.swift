import WidgetKitCore

/// The result of an update.
nonisolated struct UpdateOutcome: Hashable, Sendable {
  var result: UpdateResult
  var error: String?
  var refreshAfter: Duration?
  /// Pictures for later, with newData.
  var timeline: Timeline?
  /// Why it was made.
  var reason = UpdateReason.schedule
}
