import FoundationEssentials
import WidgetKitCore

/// What a card says of the age of its content.
struct Freshness: Hashable {
  /// An update has been under way for longer than a moment.
  var isUpdating = false
  /// An update that was due has not come, or failed.
  var hasMissedUpdate = false
  /// The content is older than twice its interval.
  var isStale = false
}

/// The card whose content a ``FreshnessWatch`` follows.
protocol FreshnessOwner: AnyObject {
  /// What the age of the content depends on, at this moment.
  var freshnessFacts: FreshnessWatch.Facts { get }
  /// There is something else to say of the age.
  func freshnessDidChange(_ freshness: Freshness)
}

/// Follows how old a card's content is: an update under way, one that was missed, stale content.
///
/// A class because its timer calls it back.
final class FreshnessWatch {
  /// What the age of the content depends on.
  struct Facts {
    /// When the content was made; nil where there is none.
    var contentDate: Date?
    /// Whether the host keeps the content at the present moment.
    var isKeptCurrent: Bool
    /// What came of the updates, with the interval that is in force.
    var history: RefreshHistory
    /// When the next update is due.
    var nextUpdate: Date?
    /// Whether a scheduled update comes before anything can have been missed.
    var awaitsTimer: Bool
    /// Whether a timeline says that its widget is not to be asked yet.
    var waitsForTimeline: Bool
  }

  private(set) var freshness = Freshness()

  private unowned let owner: any FreshnessOwner
  private let clock: any HostClock
  private let schedule: RefreshSchedule
  /// Whether the page stays, so that what comes later is to be noticed.
  private let isFollowed: Bool
  private var timer: (any HostTimer)?
  private var timerMoment: ContinuousClock.Instant?
  /// Until when old content is not called stale, because an update is about to come.
  private var excusedUntil: ContinuousClock.Instant?
  /// When the update that is under way was asked for; nil where none is.
  private var updateStart: ContinuousClock.Instant?
  /// Since when the card has a row on the screen; nil where it has none.
  private var visibleSince: ContinuousClock.Instant?

  /// How long an update may take without the card saying so.
  private static let quietUpdate: Duration = .seconds(1)
  /// How long after its moment an update counts as missed.
  ///
  /// With the second within which an age is drawn, old content looks fresh for 3 s at most.
  private static let latePatience: Duration = .seconds(2)
  /// How long content may be old without being called so, where an update is about to come.
  private static let excuse: Duration = .seconds(35)
  /// The longest that is waited for anything here, so that no date overflows.
  private static let longestWait = 1e7

  init(
    owner: any FreshnessOwner,
    clock: any HostClock,
    schedule: RefreshSchedule,
    isFollowed: Bool
  ) {
    self.owner = owner
    self.clock = clock
    self.schedule = schedule
    self.isFollowed = isFollowed
  }

  /// Whether it waits to look again.
  var isWaiting: Bool { timer != nil }

  /// Says whether the card has a row on the screen.
  func setVisible(_ isVisible: Bool) {
    visibleSince = isVisible ? clock.now : nil
    if isVisible { excuse() }
  }

  /// Does not call old content stale for a while: its update is about to come.
  func excuse() {
    guard isFollowed else { return }
    excusedUntil = clock.now + Self.excuse
  }

  /// Says whether an update is under way, here or in another host.
  func setUpdating(_ isUnderWay: Bool) {
    guard isUnderWay != (updateStart != nil) else { return }
    updateStart = isUnderWay ? clock.now : nil
    check()
  }

  /// An update has ended; the next one may be under way already and has its own time.
  func updateEnded() {
    updateStart = nil
    excusedUntil = nil
  }

  /// Notes how old the content is, and looks again when there will be more to say.
  ///
  /// While nothing is missed and nothing is under way no timer waits: the next scheduled update
  /// looks again anyway.
  func check() {
    let facts = owner.freshnessFacts
    let missed = timeToMissedUpdate(facts)
    let stale = timeToStaleness(facts)
    let updating = updateStart.map { Self.quietUpdate - $0.duration(to: clock.now) }
    let found = Freshness(
      isUpdating: Self.hasCome(updating),
      hasMissedUpdate: Self.hasCome(missed),
      isStale: Self.hasCome(stale)
    )
    if found != freshness {
      freshness = found
      owner.freshnessDidChange(found)
    }
    let rests = facts.awaitsTimer ? [updating] : [updating, missed, stale]
    wait(rests.compactMap { $0 }.filter { $0 > .zero }.min())
  }

  /// Looks at nothing any more.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  private static func hasCome(_ rest: Duration?) -> Bool { rest.map { $0 <= .zero } ?? false }

  private func wait(_ rest: Duration?) {
    guard visibleSince != nil, isFollowed, let rest else { return stop() }
    let moment = clock.now + rest
    // What is pushed many times a second does not set it anew each time.
    let shift = timerMoment.map { $0.duration(to: moment) } ?? .seconds(1)
    if timer != nil, shift > .milliseconds(-5), shift < .milliseconds(5) { return }
    timer?.cancel()
    timerMoment = moment
    timer = clock.schedule(after: max(rest, .milliseconds(1))) { [weak self] in
      self?.timer = nil
      self?.check()
    }
  }

  /// How long until an update of what is shown was missed; zero or less where one was.
  private func timeToMissedUpdate(_ facts: Facts) -> Duration? {
    guard facts.contentDate != nil, facts.history.takesUpdates != false else { return nil }
    guard facts.history.failures == 0 else { return .zero }
    // What was never updated, or when nobody knows, has an update under way or is in trouble.
    let now = clock.date
    guard let last = facts.history.lastUpdate, last <= now, let due = facts.nextUpdate else {
      return nil
    }
    let rest = Self.seconds(until: due, from: now) + Self.latePatience
    guard facts.isKeptCurrent, let visibleSince else { return rest }
    // It is current, as a clock is, and gets the time for the update that appearing brings.
    return max(rest, Self.latePatience - visibleSince.duration(to: clock.now))
  }

  /// How long until the content is stale: last right longer ago than twice its interval.
  private func timeToStaleness(_ facts: Facts) -> Duration? {
    let dates = [facts.contentDate, facts.history.lastGood].compactMap(\.self)
    guard facts.contentDate != nil, let date = dates.max(), facts.history.takesUpdates != false,
      // A timeline says itself when its widget is to be asked.
      facts.history.failures > 0 || !facts.waitsForTimeline
    else { return nil }
    let isVisible = visibleSince != nil
    let wish = facts.history.wish.map { Duration.saturated(seconds: $0) }
    let age = max(.zero, Self.seconds(until: clock.date, from: date))
    let excuse = excusedUntil.map { clock.now.duration(to: $0) } ?? .zero
    if schedule.isStale(age: age, wish: wish, isVisible: isVisible) { return excuse }
    let interval = schedule.interval(wish: wish, isVisible: isVisible)
    return max(interval * 2 - age, excuse, .milliseconds(1))
  }

  private static func seconds(until date: Date, from now: Date) -> Duration {
    .seconds(min(max(date.timeIntervalSince(now), -longestWait), longestWait))
  }
}
