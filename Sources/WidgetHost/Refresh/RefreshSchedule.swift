public import FoundationEssentials
import WidgetKitCore

/// When a widget is asked for new data again: a function of policy, history and time.
public nonisolated struct RefreshSchedule: Hashable, Sendable {
  /// The least time between two scheduled updates of a card on the screen.
  public var floor: Duration = .seconds(15)
  /// The least time between two scheduled updates of a card that is not.
  public var hiddenFloor: Duration = .seconds(5 * 60)
  /// The time between updates of a widget that does not wish for one.
  public var standardInterval: Duration = .seconds(15 * 60)
  /// The longest time between updates.
  public var longestInterval: Duration = .seconds(24 * 3600)
  /// The most scheduled updates in 24 hours while the card is not on the screen, spread over them;
  /// 0 for none.
  public var hiddenBudget = 70
  /// Whether floors, budget and spreading do not count: for who writes a widget.
  public var isDeveloper = false

  /// Creates the defaults.
  public init() {}

  /// The time between updates that a wish comes to.
  public func interval(wish: Duration?, isVisible: Bool = true) -> Duration {
    let least = isDeveloper ? .seconds(1) : isVisible ? floor : max(floor, hiddenFloor)
    guard let wish else { return max(least, standardInterval) }
    return min(longestInterval, max(least, wish))
  }

  /// How long after an update the next one is due.
  ///
  /// - Parameters:
  ///   - wish: What the widget asked for in `refreshAfter`.
  ///   - failures: Failed updates on end, the last one included; 0 after one that worked. Retries
  ///     come after the floor, then twice as long each time, at most the interval.
  ///   - isVisible: Whether the card is on the screen.
  /// - Returns: The time from the end of that update.
  public func pause(wish: Duration?, failures: Int, isVisible: Bool = true) -> Duration {
    let interval = interval(wish: wish, isVisible: isVisible)
    guard failures > 0 else { return interval }
    let least = isVisible ? floor : max(floor, hiddenFloor)
    return min(interval, least * (1 << min(failures - 1, 10)))
  }

  /// When the next scheduled update is due.
  ///
  /// What is not on the screen is spread: up to a tenth of its pause later, a minute at most, always
  /// by the same part for one widget; and then rounded up to a multiple of five seconds, so that
  /// those that come close share a wake-up. Timers of what is on the screen have the clock's leeway.
  ///
  /// - Parameters:
  ///   - history: What came of its updates.
  ///   - identifier: The widget; it decides by how much it is spread.
  ///   - isVisible: Whether its card is on the screen.
  ///   - now: The present moment; a history from the future, after the clock was set back, counts
  ///     as none.
  /// - Returns: The date, which may be past; nil where nothing will be due.
  public func nextUpdate(
    _ history: RefreshHistory,
    of identifier: String,
    isVisible: Bool,
    now: Date
  ) -> Date? {
    guard history.takesUpdates != false else { return nil }
    let isBudgeted = !isVisible && !isDeveloper
    let budget = HiddenBudget(updatesPerDay: hiddenBudget)
    if isBudgeted, budget == nil { return nil }
    guard let last = history.lastUpdate, last <= now.addingTimeInterval(1) else { return now }
    var pause = pause(
      wish: history.wish.map { .saturated(seconds: $0) },
      failures: history.failures,
      isVisible: isVisible
    )
    var due = last.addingTimeInterval(pause.seconds)
    if history.failures == 0, let reload = history.reload {
      guard case .at(let date) = reload else { return nil }
      // One that was over when it came says nothing of the next.
      if date > last {
        pause = interval(wish: .zero, isVisible: isVisible)
        due = max(date, last.addingTimeInterval(pause.seconds))
      }
    }
    if isBudgeted {
      due.addTimeInterval(min(60, pause.seconds / 10) * Self.part(of: identifier))
      if let earliest = budget?.earliest(history.budgetSpentUntil, now: now) {
        due = max(due, earliest)
      }
      let seconds = (due.timeIntervalSinceReferenceDate / 5).rounded(.up) * 5
      due = Date(timeIntervalSinceReferenceDate: seconds)
    }
    return due
  }

  /// Whether content is stale: what is shown was last right longer ago than twice its interval.
  public func isStale(age: Duration, wish: Duration?, isVisible: Bool = true) -> Bool {
    age > interval(wish: wish, isVisible: isVisible) * 2
  }

  /// A number from 0 to 1 that is always the same for one widget.
  static func part(of identifier: String) -> Double {
    let hash = StableHash.value(of: identifier)
    return Double((hash ^ (hash >> 32)) & 0xFFFF) / 65_535
  }
}
