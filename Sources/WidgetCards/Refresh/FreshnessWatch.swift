import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What a card shows about the age of its content.
nonisolated struct Freshness: Hashable {
  /// An update has been in progress for longer than a moment.
  var isUpdating = false
  /// A due update has not come, or has failed.
  var hasMissedUpdate = false
  /// The last update has failed.
  var hasFailedUpdate = false
  /// Every update so far has failed, so that what is shown was never good content.
  var hasNoGoodUpdate = false
  /// The content is older than twice its interval.
  var isStale = false
  /// The content has an interval, and is not older than twice that.
  var isWithinInterval = false
}

/// Observes the age of a card's content: an update in progress, a missed one, stale content.
nonisolated struct FreshnessWatch {
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

  /// When ``check(_:_:at:)`` is to be called again; nil if nothing is missed or in progress, because the next
  /// scheduled update checks again.
  private(set) var due: ContinuousClock.Instant?

  /// Whether the page is interactive, so that later changes are observed.
  private let isFollowed: Bool
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
  /// By how much the next check may be early or late.
  private static let shift: Duration = .milliseconds(5)
  /// The longest wait, in seconds, so that no date overflows.
  private static let longestWait = 1e7

  init(isFollowed: Bool) {
    self.isFollowed = isFollowed
  }

  /// Sets whether a row of the card is on the screen.
  mutating func setVisible(_ isVisible: Bool, at now: ContinuousClock.Instant) {
    visibleSince = isVisible ? now : nil
    if isVisible { excuse(at: now) }
  }

  /// Does not call old content stale for a while, because an update is expected.
  mutating func excuse(at now: ContinuousClock.Instant) {
    guard isFollowed else { return }
    excusedUntil = now + Self.excuse
  }

  /// Sets whether an update is in progress, here or in another host; returns whether that is new, so that the age is
  /// to be checked.
  mutating func setUpdating(_ isUnderWay: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard isUnderWay != (updateStart != nil) else { return false }
    updateStart = isUnderWay ? now : nil
    return true
  }

  /// Called when an update has ended; the next one may be in progress already and has its own start.
  mutating func updateEnded() {
    updateStart = nil
    excusedUntil = nil
  }

  /// Checks the age of the content; returns whether ``freshness`` is another one.
  mutating func check(_ facts: Facts, _ policy: RefreshPolicy, at moment: Moment) -> Bool {
    let missed = timeToMissedUpdate(facts, at: moment)
    let stale = timeToStaleness(facts, policy, at: moment)
    let updating = updateStart.map { Self.quietUpdate - $0.duration(to: moment.now) }
    let found = Freshness(
      isUpdating: Self.hasCome(updating),
      hasMissedUpdate: Self.hasCome(missed),
      hasFailedUpdate: facts.contentDate != nil && facts.history.takesUpdates != false
        && facts.history.failures > 0,
      hasNoGoodUpdate: facts.history.failures > 0 && facts.history.lastGood == nil,
      isStale: Self.hasCome(stale),
      isWithinInterval: isWithinInterval(facts, policy, at: moment)
    )
    let rests = facts.awaitsTimer ? [updating] : [updating, missed, stale]
    wait(rests.compactMap { $0 }.filter { $0 > .zero }.min(), at: moment.now)
    defer { freshness = found }
    return found != freshness
  }

  /// Checks no more by itself.
  mutating func stop() {
    due = nil
  }

  private static func hasCome(_ rest: Duration?) -> Bool { rest.map { $0 <= .zero } ?? false }

  private mutating func wait(_ rest: Duration?, at now: ContinuousClock.Instant) {
    guard visibleSince != nil, isFollowed, let rest else { return stop() }
    let next = now + max(rest, .milliseconds(1))
    // Content that is pushed many times a second does not set the timer each time.
    if let due, due > now {
      let shift = max(due.duration(to: next), next.duration(to: due))
      if shift < Self.shift { return }
    }
    due = next
  }

  /// Returns the time until an update of the shown content is missed; zero or less if one has been.
  private func timeToMissedUpdate(_ facts: Facts, at moment: Moment) -> Duration? {
    guard facts.contentDate != nil, facts.history.takesUpdates != false else { return nil }
    guard facts.history.failures == 0 else { return .zero }
    // Content that was never updated, or at an unknown time, has an update in progress or a problem.
    let now = moment.date
    guard let last = facts.history.lastUpdate, last <= now, let due = facts.nextUpdate else {
      return nil
    }
    let rest = Self.seconds(until: due, from: now) + Self.latePatience
    guard facts.isKeptCurrent, let visibleSince else { return rest }
    // Content that is kept current gets the time for the update that is made when it appears.
    return max(rest, Self.latePatience - visibleSince.duration(to: moment.now))
  }

  /// Returns the time until the content is stale, counted from when it was last confirmed.
  private func timeToStaleness(
    _ facts: Facts,
    _ policy: RefreshPolicy,
    at moment: Moment
  ) -> Duration? {
    guard let age = age(facts, at: moment) else { return nil }
    let excuse = excusedUntil.map { moment.now.duration(to: $0) } ?? .zero
    if isStale(age, facts, policy) { return excuse }
    let staleAge = policy.staleAge(wish: Self.wish(facts), isVisible: visibleSince != nil)
    return max(staleAge - age, excuse, .milliseconds(1))
  }

  private func isWithinInterval(
    _ facts: Facts,
    _ policy: RefreshPolicy,
    at moment: Moment
  ) -> Bool {
    age(facts, at: moment).map { !isStale($0, facts, policy) } ?? false
  }

  /// How old content is that has an interval; nil for other content.
  private func age(_ facts: Facts, at moment: Moment) -> Duration? {
    let dates = [facts.contentDate, facts.history.lastGood].compactMap(\.self)
    guard facts.contentDate != nil, let date = dates.max(), facts.history.takesUpdates != false,
      // A timeline sets the time of the widget's next update itself.
      facts.history.failures > 0 || !facts.waitsForTimeline
    else { return nil }
    return max(.zero, Self.seconds(until: moment.date, from: date))
  }

  private func isStale(_ age: Duration, _ facts: Facts, _ policy: RefreshPolicy) -> Bool {
    policy.isStale(age: age, wish: Self.wish(facts), isVisible: visibleSince != nil)
  }

  private static func wish(_ facts: Facts) -> Duration? {
    facts.history.wish.map { Duration.saturated(seconds: $0) }
  }

  private static func seconds(until date: Date, from now: Date) -> Duration {
    .seconds(min(max(date.timeIntervalSince(now), -longestWait), longestWait))
  }
}
