/// When a widget is asked for new data again: a function of what came of its updates.
public nonisolated struct RefreshSchedule: Hashable, Sendable {
  /// The least time between two scheduled updates of a card on the screen.
  public var floor: Duration = .seconds(15)
  /// The time between updates of a widget that does not wish for one.
  public var standardInterval: Duration = .seconds(15 * 60)
  /// The longest time between updates.
  public var longestInterval: Duration = .seconds(24 * 3600)

  /// Creates the defaults of RELIABILITY.md.
  public init() {}

  /// The time between updates that a wish comes to.
  public func interval(wish: Duration?) -> Duration {
    guard let wish else { return standardInterval }
    return min(longestInterval, max(floor, wish))
  }

  /// How long after an update the next one is due.
  ///
  /// - Parameters:
  ///   - wish: What the widget asked for in `refreshAfter`.
  ///   - failures: Failed updates on end, the last one included; 0 after one that worked. Retries
  ///     come after the floor, then twice as long each time, at most the interval.
  /// - Returns: The time from the end of that update.
  public func pause(wish: Duration?, failures: Int) -> Duration {
    let interval = interval(wish: wish)
    guard failures > 0 else { return interval }
    return min(interval, floor * (1 << min(failures - 1, 10)))
  }

  /// Whether content of this age is stale: older than twice its interval.
  public func isStale(age: Duration, wish: Duration?) -> Bool {
    age > interval(wish: wish) * 2
  }
}
