public import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Determines when a widget is next asked for new data: a function of policy, history and time.
public struct RefreshPolicy: Hashable, Sendable {
  /// The shortest time between two scheduled updates of a card on the screen.
  public var floor: Duration = .seconds(15)
  /// The shortest time between two scheduled updates of a card off the screen.
  public var hiddenFloor: Duration = .seconds(5 * 60)
  /// The time between updates of a widget that does not request one.
  public var standardInterval: Duration = .seconds(15 * 60)
  /// The longest time between updates.
  public var longestInterval: Duration = .seconds(24 * 3600)
  /// The limit on scheduled updates in 24 hours while the card is off the screen, spread evenly; 0 for
  /// none.
  public var hiddenBudget = 70
  /// Whether the intervals of cards off the screen double on a battery, and when the user is absent.
  public var savesPower = true
  /// Whether they are doubled now.
  package var isSavingPower = false
  /// Whether floors, budget and spreading are ignored, for developers of widgets.
  public var isDeveloper = false

  /// Creates the defaults.
  public init() {}

  /// The policy for a card whose interval the user has chosen, in seconds, which can be shorter than the
  /// floor; nil leaves it as it is.
  package func allowing(_ interval: Double?) -> RefreshPolicy {
    guard let interval else { return self }
    var policy = self
    policy.floor = min(floor, max(.seconds(1), .saturated(seconds: interval)))
    return policy
  }

  /// Returns the time between updates that results from a widget's request; twice of it for a card off
  /// the screen while power is saved.
  public func interval(wish: Duration?, isVisible: Bool = true) -> Duration {
    let least = isDeveloper ? .seconds(1) : isVisible ? floor : max(floor, hiddenFloor)
    let factor = isSavingPower && !isVisible && !isDeveloper ? 2 : 1
    guard let wish else { return max(least, standardInterval) * factor }
    return min(longestInterval, max(least, wish) * factor)
  }

  /// How long after an update the next one is due.
  ///
  /// - Parameters:
  ///   - wish: The interval that the widget requested in `refreshAfter`.
  ///   - failures: The number of consecutive failed updates, including the last one; 0 after a success.
  ///     The first retry comes after the floor; each later pause is twice as long, up to the interval.
  ///   - isVisible: Whether the card is on the screen.
  /// - Returns: The time from the end of that update.
  public func pause(wish: Duration?, failures: Int, isVisible: Bool = true) -> Duration {
    let interval = interval(wish: wish, isVisible: isVisible)
    guard failures > 0 else { return interval }
    let least = isVisible ? floor : max(floor, hiddenFloor)
    return min(interval, least * (1 << min(failures - 1, 10)))
  }

  /// Returns when the next scheduled update is due.
  ///
  /// Updates of cards off the screen are spread: each is delayed by up to a tenth of its pause, at most
  /// a minute, always by the same fraction for one widget. The date is then rounded up to a multiple of
  /// five seconds, so that updates close to each other share a wake-up. Timers of cards on the screen
  /// use the clock's leeway.
  ///
  /// - Parameters:
  ///   - history: The results of the widget's updates.
  ///   - identifier: The widget, which determines its delay.
  ///   - isVisible: Whether its card is on the screen.
  ///   - now: The current time. A history from the future, after the clock was set back, counts as
  ///     none.
  /// - Returns: The date, which may be in the past, or nil if no update will be due.
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
      // A timeline that had already ended when it came says nothing about the next update.
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

  /// Says in a few words why the next scheduled update is due when it is; the parameters are those of
  /// ``nextUpdate(_:of:isVisible:now:)``.
  public func reason(_ history: RefreshHistory, isVisible: Bool, now: Date) -> String {
    guard history.takesUpdates != false else { return "the widget takes no updates" }
    let budget = HiddenBudget(updatesPerDay: hiddenBudget)
    let isBudgeted = !isVisible && !isDeveloper
    if isBudgeted, budget == nil { return "cards off the screen get none" }
    guard let last = history.lastUpdate, last <= now.addingTimeInterval(1) else {
      return "it was never updated"
    }
    if isBudgeted, let earliest = budget?.earliest(history.budgetSpentUntil, now: now),
      earliest > now
    {
      return "its budget off the screen is spent"
    }
    if history.failures > 0 { return "retry after \(history.failures) failed" }
    switch history.reload {
    case .never: return "its timeline asks for none"
    case .at(let date) where date > last: return "its timeline asks for it"
    case .at, nil: break
    }
    let wish = history.wish.map { Duration.saturated(seconds: $0) }
    let interval = interval(wish: wish, isVisible: isVisible)
    let saved = isSavingPower && isBudgeted ? ", doubled to save power" : ""
    guard let wish else { return "every \(Self.words(interval)), the default\(saved)" }
    let asked = wish == interval ? "as it asks" : "it asks for \(Self.words(wish))"
    return "every \(Self.words(interval)), \(asked)\(saved)"
  }

  private static func words(_ time: Duration) -> String {
    let seconds = Int(saturated: time.seconds.rounded())
    return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  /// Whether content is stale: when it was last confirmed longer ago than twice its interval.
  public func isStale(age: Duration, wish: Duration?, isVisible: Bool = true) -> Bool {
    age > staleAge(wish: wish, isVisible: isVisible)
  }

  /// The age at which content becomes stale.
  package func staleAge(wish: Duration?, isVisible: Bool) -> Duration {
    interval(wish: wish, isVisible: isVisible) * 2
  }

  /// Returns a number from 0 to 1 that is always the same for one widget.
  package static func part(of identifier: String) -> Double {
    let hash = StableHash.value(of: identifier)
    return Double((hash ^ (hash >> 32)) & 0xFFFF) / 65_535
  }
}
