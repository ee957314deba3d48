/// The result of an update, with further information for the host.
///
/// `widgetPerformUpdate` can also return only an ``UpdateResult``.
/// ```swift
/// return .newData(refreshAfter: .seconds(600))
/// ```
public struct UpdateOutcome: Hashable, Sendable {
  /// The result: new data, no data or failed.
  public var result: UpdateResult
  /// The error, shown in the heading of the card.
  public var error: String?
  /// The requested time until the next update.
  public var refreshAfter: Duration?
  /// Future content, with `newData`.
  public var timeline: Timeline?

  /// Creates an outcome.
  public init(
    _ result: UpdateResult,
    error: String? = nil,
    refreshAfter: Duration? = nil,
    timeline: Timeline? = nil
  ) {
    self.result = result
    self.error = error
    self.refreshAfter = refreshAfter
    self.timeline = timeline
  }

  /// The content has changed.
  public static let newData = UpdateOutcome(.newData)

  /// The content has not changed.
  public static let noData = UpdateOutcome(.noData)

  /// The content has changed; the next update is requested after an interval.
  public static func newData(refreshAfter: Duration) -> UpdateOutcome {
    UpdateOutcome(.newData, refreshAfter: refreshAfter)
  }

  /// The content has not changed; the next update is requested after an interval.
  public static func noData(refreshAfter: Duration) -> UpdateOutcome {
    UpdateOutcome(.noData, refreshAfter: refreshAfter)
  }

  /// The update failed; `error` is shown in the heading of the card.
  public static func failed(_ error: String) -> UpdateOutcome {
    UpdateOutcome(.failed, error: error)
  }
}
