import FoundationEssentials
package import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What the updates of a card depend on besides their history.
package struct UpdateFacts {
  let moment: Moment
  /// When updates are due, with what the user has chosen for this widget.
  let policy: RefreshPolicy
  /// Whether a row of the card is on the screen.
  let isVisible: Bool
  /// Whether a scheduled update can be requested.
  let canBeScheduled: Bool
  /// The seconds between updates that the widget's bundle requests, or nil.
  let bundleInterval: Double?
  /// Whether the running widget supports updates; nil until it has said so.
  let takesUpdates: Bool?
  /// Whether an update is in progress or waits for the previous one.
  let hasUpdate: Bool
  /// Whether the widget is being ended.
  let isQuitting: Bool
  /// Whether a timeline's entries are being shown at their times.
  let hasTimeline: Bool

  init(_ card: CardState, _ policy: RefreshPolicy, at moment: Moment) {
    self.init(card.widget, card.display.content, policy, at: moment)
  }

  init(_ widget: CardWidget, _ content: CardContent, _ policy: RefreshPolicy, at moment: Moment) {
    self.moment = moment
    self.policy = policy.allowing(widget.chosenInterval)
    (isVisible, canBeScheduled) = (widget.isVisible, widget.canBeScheduled)
    (bundleInterval, takesUpdates) = (widget.bundleInterval, widget.takesUpdates)
    (hasUpdate, isQuitting) = (widget.hasUpdate, widget.isQuitting)
    hasTimeline = content.followedTimeline != nil
  }
}

/// The schedule of a card's updates, which this host or another one makes.
package struct UpdateSchedule {
  /// What follows for the other parts of the card from an attempt to make an update.
  enum Attempt {
    /// The result comes later: the lock is being tried, or the update was requested.
    case pending
    /// No update is needed.
    case unneeded
    /// Another host makes it, which is checked again later.
    case leftToOther
  }

  /// The results of the widget's updates, here and in other hosts.
  package private(set) var history = RefreshHistory()
  /// Whether another host is making the scheduled update.
  private(set) var waitsForOtherHost = false
  /// When an update is to be made, and why.
  private(set) var timer: (due: ContinuousClock.Instant, reason: UpdateReason)?
  /// The lock for scheduled updates.
  private(set) var lease = RefreshLease()

  private let id: ExtensionIdentity
  /// Whether updates are made when they are due, as on an interactive page.
  private let isFollowed: Bool
  /// Since when the lock was never free; nil if it was free at the last attempt.
  private var busySince: ContinuousClock.Instant?
  /// When the last update ended.
  private var lastUpdate: ContinuousClock.Instant?

  /// The longest time for which a host may hold a widget's lock, which covers its start and its update.
  private static let longestUpdate: Duration = .seconds(60)
  /// How often this host checks whether another one has ended an update that is also due here.
  private static let otherHostPatience: Duration = .seconds(1)
  /// The number of seconds over which updates of cards off the screen are spread after a start or a
  /// sleep.
  private static let spread = 30.0

  init(id: ExtensionIdentity, isFollowed: Bool) {
    self.id = id
    self.isFollowed = isFollowed
  }

  // MARK: - Due updates

  /// The date of the next scheduled update, which may be in the past, or nil if none will be due.
  func nextUpdate(_ facts: UpdateFacts) -> Date? {
    facts.policy.nextUpdate(
      plannedHistory(facts),
      of: id.description,
      isVisible: facts.isVisible,
      now: facts.moment.date
    )
  }

  /// Why the next scheduled update is due when it is.
  package func reason(_ facts: UpdateFacts) -> String {
    facts.policy.reason(plannedHistory(facts), isVisible: facts.isVisible, now: facts.moment.date)
  }

  /// The scheduled updates off the screen: those that may come now, and those of a day; nil without a
  /// limit.
  package func budget(_ facts: UpdateFacts) -> (left: Int, perDay: Int)? {
    guard !facts.policy.isDeveloper else { return nil }
    let left = HiddenBudget(updatesPerDay: facts.policy.hiddenBudget)?
      .left(history.budgetSpentUntil, now: facts.moment.date)
    return (left ?? 0, facts.policy.hiddenBudget)
  }

  /// The history with the interval that the bundle requests, if the widget's own answers contain none.
  func plannedHistory(_ facts: UpdateFacts) -> RefreshHistory {
    var planned = history
    planned.wish = history.wish ?? facts.bundleInterval
    return planned
  }

  /// Whether an update is due according to the schedule, whichever host checks.
  package func isDue(_ facts: UpdateFacts) -> Bool {
    nextUpdate(facts).map { $0 <= facts.moment.date } ?? false
  }

  /// Whether a timer is set for an update that comes before one can have been missed.
  func awaitsTimer(_ facts: UpdateFacts) -> Bool {
    timer != nil && history.failures == 0 && !isDue(facts)
  }

  /// Whether a timeline sets a later time for the next update.
  func waitsForTimeline(_ facts: UpdateFacts) -> Bool {
    guard history.failures == 0, facts.hasTimeline, let reload = history.reload else {
      return false
    }
    guard case .at(let date) = reload else { return true }
    return date > facts.moment.date
  }

  /// Whether an update for this reason is still needed, after other hosts may have made one.
  private func wantsUpdate(_ reason: UpdateReason, _ facts: UpdateFacts) -> Bool {
    guard reason == .appear else { return isDue(facts) }
    let isYoung = lastUpdate.map { $0.duration(to: facts.moment.now) < facts.policy.floor }
    return isYoung != true && !waitsForTimeline(facts)
  }

  // MARK: - Timers and requests

  /// Sets the timer for the next scheduled update.
  ///
  /// A card on the screen that has not appeared yet is updated when it has.
  ///
  /// `delay` is the shortest time in seconds until the update, used if many are due at once.
  /// - Returns: Whether results are to be written now, because the lock is not kept for them any longer.
  mutating func plan(
    notBefore delay: Double = 0,
    _ facts: UpdateFacts,
    _ turn: inout CardTurn
  ) -> Bool {
    stop()
    guard isFollowed, facts.canBeScheduled else { return endLease(facts, &turn) }
    learn(facts, &turn)
    let next = nextUpdate(facts)
    let now = facts.moment.date
    var endsLease = false
    if !facts.isVisible || !RefreshLease.covers(next, at: now) {
      endsLease = endLease(facts, &turn)
    }
    guard let due = next else { return endsLease }
    let spread = facts.isVisible ? 0 : Self.spread * RefreshPolicy.part(of: id.description)
    let least = due <= now ? max(delay, spread) : delay
    let wait = max(due.timeIntervalSince(now), least)
    timer = (turn.now + .saturated(seconds: wait), .schedule)
    return endsLease
  }

  /// Stops the timer.
  mutating func stop() {
    timer = nil
  }

  /// Returns the reason of the update whose time has come, once.
  mutating func takeDue(at now: ContinuousClock.Instant) -> UpdateReason? {
    guard let (due, reason) = timer, due <= now else { return nil }
    timer = nil
    return reason
  }

  /// Makes the update of a card that has appeared, if one is needed.
  mutating func refreshOnAppearing(_ facts: UpdateFacts, _ turn: inout CardTurn) -> Attempt {
    guard wantsUpdate(.appear, facts) else { return .unneeded }
    guard isFollowed else {
      turn.send(.update(.appear))
      return .pending
    }
    return refreshIfDue(.appear, facts, &turn)
  }

  /// Makes the update that is scheduled or due to the card's appearing, unless another host makes it or
  /// has made it.
  mutating func refreshIfDue(
    _ reason: UpdateReason,
    _ facts: UpdateFacts,
    _ turn: inout CardTurn
  ) -> Attempt {
    guard !facts.isQuitting else { return .pending }
    waitsForOtherHost = false
    if lease.isKept { return request(reason, facts, &turn) }
    turn.effects.append(.tryLock(reason))
    return .pending
  }

  /// Takes the result of trying the lock, unless it is held: then ``request(_:hasTakenLock:_:_:)`` follows, when what other
  /// hosts have saved was taken over.
  ///
  /// - Returns: What follows; nil if the update is to be requested.
  mutating func lockWasTried(
    _ attempt: LockAttempt,
    _ reason: UpdateReason,
    _ turn: inout CardTurn
  ) -> Attempt? {
    switch attempt {
    case .held:
      busySince = nil
      lease.begin()
    case .busy:
      guard hasWaitedLong(turn.now) else {
        waitsForOtherHost = true
        timer = (turn.now + Self.otherHostPatience, reason)
        return .leftToOther
      }
      turn.log("updated without the lock: another process has held it for too long")
    case .foreign(let holder):
      turn.log(
        SafeText("updated without the lock: it is held by \(holder), which is not a today process")
      )
    case .unavailable:
      turn.effects.append(.requestUpdate(reason))
      return .pending
    }
    return nil
  }

  /// Whether the lock has been held for longer than any host's update takes.
  private mutating func hasWaitedLong(_ now: ContinuousClock.Instant) -> Bool {
    let since = busySince ?? now
    busySince = since
    return since.duration(to: now) >= Self.longestUpdate
  }

  /// Requests an update if it is still needed; a lock that was taken for it is released if it is not.
  mutating func request(
    _ reason: UpdateReason,
    hasTakenLock: Bool = false,
    _ facts: UpdateFacts,
    _ turn: inout CardTurn
  ) -> Attempt {
    guard wantsUpdate(reason, facts) else {
      if hasTakenLock { lease.release(&turn) }
      return .unneeded
    }
    turn.effects.append(.requestUpdate(reason))
    return .pending
  }

  /// The widget does not take a request: it is pausing after failures or does not support updates, so there will
  /// be no result.
  ///
  /// - Returns: Whether results are to be written now.
  mutating func requestWasRefused(
    _ reason: UpdateReason,
    _ facts: UpdateFacts,
    _ turn: inout CardTurn
  ) -> Bool {
    let endsLease = endLease(facts, &turn)
    releaseLock(&turn)
    learn(facts, &turn)
    let pause = facts.policy.interval(wish: nil, isVisible: facts.isVisible)
    timer = (turn.now + pause, reason)
    return endsLease
  }

  /// Another host wants the lock that is kept between updates.
  ///
  /// An update in progress is written, and the lock released, when it ends.
  mutating func lockIsWanted(_ turn: inout CardTurn) {
    lease.noteOtherHost(at: turn.now)
    lease.end(&turn)
  }

  /// Keeps the lock no longer between updates; returns whether results are to be written now.
  mutating func endLease(_ facts: UpdateFacts, _ turn: inout CardTurn) -> Bool {
    guard lease.isKept else { return false }
    lease.end(&turn)
    return !facts.hasUpdate
  }

  // MARK: - Results of updates

  /// Adds an update that this host has made.
  mutating func note(_ outcome: CompletedUpdate, _ facts: UpdateFacts) {
    lastUpdate = facts.moment.now
    history.takesUpdates = true
    let isCharged =
      !facts.isVisible && (outcome.reason == .schedule || outcome.reason == .event)
    let budget = HiddenBudget(updatesPerDay: facts.policy.hiddenBudget)
    history.note(outcome, chargedTo: isCharged ? budget : nil, at: facts.moment.date)
  }

  /// Keeps the lock after an update if the next one comes soon.
  ///
  /// - Returns: Whether the result is written with that of a later update.
  mutating func writesLater(_ facts: UpdateFacts, _ turn: inout CardTurn) -> Bool {
    lease.keep(until: isFollowed && facts.isVisible ? nextUpdate(facts) : nil, &turn)
    return !lease.isWritingDue(at: turn.now)
  }

  /// The lock cannot be kept.
  mutating func lockIsNotKept(_ turn: inout CardTurn) {
    lease.end(&turn)
  }

  /// Writes the history after updates that brought `picture`, and then releases the lock unless it is
  /// kept for the next update.
  mutating func keep(with picture: RefreshHistory.Picture?, _ turn: inout CardTurn) {
    history.picture = picture
    turn.effects.append(.keepHistory(history, releasesLock: !lease.isKept))
    lease.didWrite(at: turn.now)
  }

  /// Notifies other hosts of a snapshot that came without an update.
  mutating func announce(_ picture: RefreshHistory.Picture, _ turn: inout CardTurn) {
    history.picture = picture
    turn.effects.append(.announce(picture))
  }

  /// Uses another history from now on; the caller schedules the next update.
  mutating func replace(by history: RefreshHistory) {
    self.history = history
  }

  /// Uses the history of an update that another host has made.
  mutating func adopt(_ history: RefreshHistory, updatedAt date: Date, at moment: Moment) {
    self.history = history
    // The host that holds the lock makes its updates.
    busySince = nil
    lease.noteOtherHost(at: moment.now)
    let age = max(0, moment.date.timeIntervalSince(date))
    lastUpdate = moment.now - .saturated(seconds: age)
  }

  /// Allows other hosts to make the scheduled update.
  mutating func releaseLock(_ turn: inout CardTurn) {
    lease.release(&turn)
  }

  /// Records whether the widget supports updates, once it has said so.
  mutating func learn(_ facts: UpdateFacts, _ turn: inout CardTurn) {
    guard let takes = facts.takesUpdates, history.takesUpdates != takes else { return }
    history.takesUpdates = takes
    turn.effects.append(.keepHistory(history, releasesLock: false))
  }
}
