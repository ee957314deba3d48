/// What came of an update, with what else the host should know of it.
///
/// Where ``UpdateResult`` says enough, `widgetPerformUpdate` returns that.
/// ```swift
/// return .newData(refreshAfter: .seconds(600))
/// ```
public struct UpdateOutcome: Hashable, Sendable {
  /// New data, none, or failed.
  public var result: UpdateResult
  /// What is wrong, in words for the card's heading.
  public var error: String?
  /// When the widget would like to be asked again, counted from now.
  public var refreshAfter: Duration?
  /// Pictures for moments to come, with new data.
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

  /// What is shown must change.
  public static let newData = UpdateOutcome(.newData)

  /// Nothing that is shown changes.
  public static let noData = UpdateOutcome(.noData)

  /// What is shown must change, and the widget would like to be asked again after a while.
  public static func newData(refreshAfter: Duration) -> UpdateOutcome {
    UpdateOutcome(.newData, refreshAfter: refreshAfter)
  }

  /// Nothing that is shown changes, and the widget would like to be asked again after a while.
  public static func noData(refreshAfter: Duration) -> UpdateOutcome {
    UpdateOutcome(.noData, refreshAfter: refreshAfter)
  }

  /// It did not work; `error` says what is wrong, in words for the card's heading.
  public static func failed(_ error: String) -> UpdateOutcome {
    UpdateOutcome(.failed, error: error)
  }
}
