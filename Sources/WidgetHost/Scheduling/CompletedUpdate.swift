import WidgetKitCore

/// An update that has ended, with what the widget answered.
nonisolated struct CompletedUpdate: Hashable, Sendable {
  var result: UpdateResult
  var error: String?
  var refreshAfter: Duration?
  /// Content for later times, with newData.
  var timeline: Timeline?
  /// The reason for the update.
  var reason = UpdateReason.schedule

  /// Why it has failed; nil if it has not.
  var failure: String? { result == .failed ? error ?? "The update failed" : nil }
}
