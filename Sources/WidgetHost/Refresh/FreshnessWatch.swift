import FoundationEssentials
import WidgetKitCore

/// What a card shows about the age of its content.
struct Freshness: Hashable {
  /// An update has been in progress for longer than a moment.
  var isUpdating = false
  /// A due update has not come, or has failed.
  var hasMissedUpdate = false
  /// The last update has failed.
  var hasFailedUpdate = false
  /// The content is older than twice its interval.
  var isStale = false
}

/// The card that owns a ``FreshnessWatch``.
protocol FreshnessOwner: AnyObject {
  /// The current values on which the age of the content depends.
  var freshnessFacts: FreshnessWatch.Facts { get }
  /// The seconds between updates that the user has chosen, which can be shorter than widgets may
  /// request; or nil.
  var chosenInterval: Double? { get }
  /// Called when the state of the age has changed.
  func freshnessDidChange(_ freshness: Freshness)
}

/// Observes the age of a card's content: an update in progress, a missed one, stale content.
final class FreshnessWatch {
  /// The values on which the age of the content depends.
  struct Facts {
    /// When the content was made, or nil if there is none.
    var contentDate: Date?
    /// Whether the host keeps the content up to date.
    var isKeptCurrent: Bool
    /// The results of the updates, with the effective interval.
    var history: RefreshHistory
    /// When the next update is due.
    var nextUpdate: Date?
    /// Whether a scheduled update comes before one can have been missed.
    var awaitsTimer: Bool
    /// Whether a timeline sets a later time for the next update.
    var waitsForTimeline: Bool
  }

  private(set) var freshness = Freshness()

  private unowned let owner: any FreshnessOwner
  private let clock: any HostClock
  private let current: CurrentRefreshPolicy
  private var policy: RefreshPolicy { current.value.allowing(owner.chosenInterval) }
  /// Whether the page is interactive, so that later changes are observed.
  private let isFollowed: Bool
  private var timer: (any HostTimer)?
  private var timerMoment: ContinuousClock.Instant?
  /// Until when old content does not count as stale, because an update is expected.
  private var excusedUntil: ContinuousClock.Instant?
  /// When the update in progress was requested, or nil if there is none.
  private var updateStart: ContinuousClock.Instant?
  /// Since when a row of the card has been on the screen, or nil if none is.
  private var visibleSince: ContinuousClock.Instant?

  /// How long an update may take before the card shows it.
  private static let quietUpdate: Duration = .seconds(1)
  /// How long after its due time an update counts as missed.
  ///
  /// Because an age is drawn within one second, old content looks fresh for 3 s at most.
  private static let latePatience: Duration = .seconds(2)
  /// How long content may be old without being called stale if an update is expected.
  private static let excuse: Duration = .seconds(35)
  /// The longest wait, in seconds, so that no date overflows.
  private static let longestWait = 1e7

  init(
    owner: any FreshnessOwner,
    clock: any HostClock,
    policy: CurrentRefreshPolicy,
    isFollowed: Bool
  ) {
    self.owner = owner
    self.clock = clock
    current = policy
    self.isFollowed = isFollowed
  }

  /// Whether a timer is set for the next check.
  var isWaiting: Bool { timer != nil }

  /// Sets whether a row of the card is on the screen.
  func setVisible(_ isVisible: Bool) {
    visibleSince = isVisible ? clock.now : nil
    if isVisible { excuse() }
  }

  /// Does not call old content stale for a while, because an update is expected.
  func excuse() {
    guard isFollowed else { return }
    excusedUntil = clock.now + Self.excuse
  }

  /// Sets whether an update is in progress, here or in another host.
  func setUpdating(_ isUnderWay: Bool) {
    guard isUnderWay != (updateStart != nil) else { return }
    updateStart = isUnderWay ? clock.now : nil
    check()
  }

  /// Called when an update has ended; the next one may be in progress already and has its own start.
  func updateEnded() {
    updateStart = nil
    excusedUntil = nil
  }

  /// Checks the age of the content, and sets a timer for the next check.
  ///
  /// If nothing is missed or in progress, no timer is set, because the next scheduled update checks
  /// again.
  func check() {
    let facts = owner.freshnessFacts
    let missed = timeToMissedUpdate(facts)
    let stale = timeToStaleness(facts)
    let updating = updateStart.map { Self.quietUpdate - $0.duration(to: clock.now) }
    let found = Freshness(
      isUpdating: Self.hasCome(updating),
      hasMissedUpdate: Self.hasCome(missed),
      hasFailedUpdate: facts.contentDate != nil && facts.history.takesUpdates != false
        && facts.history.failures > 0,
      isStale: Self.hasCome(stale)
    )
    if found != freshness {
      freshness = found
      owner.freshnessDidChange(found)
    }
    let rests = facts.awaitsTimer ? [updating] : [updating, missed, stale]
    wait(rests.compactMap { $0 }.filter { $0 > .zero }.min())
  }

  /// Stops checking.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  private static func hasCome(_ rest: Duration?) -> Bool { rest.map { $0 <= .zero } ?? false }

  private func wait(_ rest: Duration?) {
    guard visibleSince != nil, isFollowed, let rest else { return stop() }
    let moment = clock.now + rest
    // Content that is pushed many times a second does not set the timer each time.
    let shift = timerMoment.map { $0.duration(to: moment) } ?? .seconds(1)
    if timer != nil, shift > .milliseconds(-5), shift < .milliseconds(5) { return }
    timer?.cancel()
    timerMoment = moment
    timer = clock.schedule(after: max(rest, .milliseconds(1))) { [weak self] in
      self?.timer = nil
      self?.check()
    }
  }

  /// Returns the time until an update of the shown content is missed; zero or less if one has been.
  private func timeToMissedUpdate(_ facts: Facts) -> Duration? {
    guard facts.contentDate != nil, facts.history.takesUpdates != false else { return nil }
    guard facts.history.failures == 0 else { return .zero }
    // Content that was never updated, or at an unknown time, has an update in progress or a problem.
    let now = clock.date
    guard let last = facts.history.lastUpdate, last <= now, let due = facts.nextUpdate else {
      return nil
    }
    let rest = Self.seconds(until: due, from: now) + Self.latePatience
    guard facts.isKeptCurrent, let visibleSince else { return rest }
    // Content that is kept current gets the time for the update that is made when it appears.
    return max(rest, Self.latePatience - visibleSince.duration(to: clock.now))
  }

  /// Returns the time until the content is stale, counted from when it was last confirmed.
  private func timeToStaleness(_ facts: Facts) -> Duration? {
    let dates = [facts.contentDate, facts.history.lastGood].compactMap(\.self)
    guard facts.contentDate != nil, let date = dates.max(), facts.history.takesUpdates != false,
      // A timeline sets the time of the widget's next update itself.
      facts.history.failures > 0 || !facts.waitsForTimeline
    else { return nil }
    let isVisible = visibleSince != nil
    let wish = facts.history.wish.map { Duration.saturated(seconds: $0) }
    let age = max(.zero, Self.seconds(until: clock.date, from: date))
    let excuse = excusedUntil.map { clock.now.duration(to: $0) } ?? .zero
    if policy.isStale(age: age, wish: wish, isVisible: isVisible) { return excuse }
    let staleAge = policy.staleAge(wish: wish, isVisible: isVisible)
    return max(staleAge - age, excuse, .milliseconds(1))
  }

  private static func seconds(until date: Date, from now: Date) -> Duration {
    .seconds(min(max(date.timeIntervalSince(now), -longestWait), longestWait))
  }
}
