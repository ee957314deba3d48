package import WidgetKitCore

/// An update that has ended, with what the widget answered.
package struct CompletedUpdate: Hashable, Sendable {
  package var result: UpdateResult
  package var error: String?
  package var refreshAfter: Duration?
  /// Content for later times, with newData.
  package var timeline: Timeline?
  /// The reason for the update.
  package var reason = UpdateReason.schedule

  /// Creates it with its values.
  package init(
    result: UpdateResult,
    error: String? = nil,
    refreshAfter: Duration? = nil,
    timeline: Timeline? = nil,
    reason: UpdateReason = UpdateReason.schedule
  ) {
    self.result = result
    self.error = error
    self.refreshAfter = refreshAfter
    self.timeline = timeline
    self.reason = reason
  }

  /// Why it has failed; nil if it has not.
  package var failure: String? { result == .failed ? error ?? "The update failed" : nil }
}
