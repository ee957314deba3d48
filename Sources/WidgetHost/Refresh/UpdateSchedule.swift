import FoundationEssentials
import WidgetKitCore

/// The card whose updates an ``UpdateSchedule`` requests.
protocol UpdateScheduleOwner: AnyObject {
  /// Whether a row of the card is on the screen.
  var isVisible: Bool { get }
  /// Whether a scheduled update can be requested: there is a widget, and a card on the screen has
  /// appeared.
  var canBeScheduled: Bool { get }
  /// The seconds between updates that the widget's bundle requests, or nil.
  var bundleInterval: Double? { get }
  /// The seconds between updates that the user has chosen, which can be shorter than widgets may
  /// request; or nil.
  var chosenInterval: Double? { get }
  /// Whether the running widget supports updates; nil until it has said so.
  var takesUpdates: Bool? { get }
  /// Whether an update is in progress or waits for the previous one.
  var hasUpdate: Bool { get }
  /// Whether the widget is being ended.
  var isQuitting: Bool { get }
  /// Whether a timeline's entries are being shown at their times.
  var hasTimeline: Bool { get }
  /// Requests new data from the widget.
  func requestUpdate(_ reason: UpdateReason)
  /// Takes over what other hosts have saved meanwhile.
  func takeOverFromOthers()
  /// Called when an update may have started or ended, here or in another host.
  func updateMayHaveChanged()
  /// Checks the age of the content again.
  func checkAge()
  /// Writes the results of updates that are not written yet.
  func saveResults()
  /// Writes a line to the widget's log.
  func log(_ words: SafeText)
}

/// The schedule of a card's updates, which this host or another one makes.
///
/// This is a class because its timer calls it, and because it holds a lock.
final class UpdateSchedule {
  /// The results of the widget's updates, here and in other hosts.
  private(set) var history = RefreshHistory()
  /// Whether another host is making the scheduled update.
  private(set) var waitsForOtherHost = false

  private unowned let owner: any UpdateScheduleOwner
  private let id: ExtensionIdentity
  private let clock: any HostClock
  private let current: CurrentRefreshPolicy
  private var policy: RefreshPolicy { current.value.allowing(owner.chosenInterval) }
  private let shared: SharedHistories
  /// Whether updates are made when they are due, as on an interactive page.
  private let isFollowed: Bool
  private var timer: (any HostTimer)?
  /// The lock for scheduled updates.
  private lazy var lease = RefreshLease(id, clock: clock, locks: shared.locks) { [weak self] in
    self?.lockIsWanted()
  }
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

  init(
    owner: any UpdateScheduleOwner,
    id: ExtensionIdentity,
    clock: any HostClock,
    policy: CurrentRefreshPolicy,
    shared: SharedHistories,
    isFollowed: Bool
  ) {
    self.owner = owner
    self.id = id
    self.clock = clock
    current = policy
    self.shared = shared
    self.isFollowed = isFollowed
  }

  // MARK: - Due updates

  /// The date of the next scheduled update, which may be in the past, or nil if none will be due.
  var nextUpdate: Date? {
    policy.nextUpdate(
      plannedHistory,
      of: id.description,
      isVisible: owner.isVisible,
      now: clock.date
    )
  }

  /// Why the next scheduled update is due when it is.
  var reason: String {
    policy.reason(plannedHistory, isVisible: owner.isVisible, now: clock.date)
  }

  /// The scheduled updates off the screen: those that may come now, and those of a day; nil without a
  /// limit.
  var budget: (left: Int, perDay: Int)? {
    guard !policy.isDeveloper else { return nil }
    let left = HiddenBudget(updatesPerDay: policy.hiddenBudget)?
      .left(history.budgetSpentUntil, now: clock.date)
    return (left ?? 0, policy.hiddenBudget)
  }

  /// The history with the interval that the bundle requests, if the widget's own answers contain none.
  var plannedHistory: RefreshHistory {
    var planned = history
    planned.wish = history.wish ?? owner.bundleInterval
    return planned
  }

  /// Whether an update is due according to the schedule, whichever host checks.
  var isDue: Bool { nextUpdate.map { $0 <= clock.date } ?? false }

  /// Whether a timer is set for an update that comes before one can have been missed.
  var awaitsTimer: Bool { timer != nil && history.failures == 0 && !isDue }

  /// Whether a timeline sets a later time for the next update.
  var waitsForTimeline: Bool {
    guard history.failures == 0, owner.hasTimeline, let reload = history.reload else {
      return false
    }
    guard case .at(let date) = reload else { return true }
    return date > clock.date
  }

  /// Whether an update for this reason is still needed, after other hosts may have made one.
  func wantsUpdate(_ reason: UpdateReason) -> Bool {
    guard reason == .appear else { return isDue }
    let isYoung = lastUpdate.map { $0.duration(to: clock.now) < policy.floor }
    return isYoung != true && !waitsForTimeline
  }

  // MARK: - Timers and requests

  /// Sets the timer for the next scheduled update.
  ///
  /// A card on the screen that has not appeared yet is updated when it has.
  ///
  /// - Parameter delay: The shortest time in seconds until the update, used if many are due at once.
  func plan(notBefore delay: Double = 0) {
    stop()
    guard isFollowed, owner.canBeScheduled else { return endLease() }
    learn()
    let next = nextUpdate
    if !owner.isVisible || !lease.covers(next) { endLease() }
    guard let due = next else { return }
    let now = clock.date
    let spread = owner.isVisible ? 0 : Self.spread * RefreshPolicy.part(of: id.description)
    let least = due <= now ? max(delay, spread) : delay
    let wait = max(due.timeIntervalSince(now), least)
    timer = clock.schedule(after: .saturated(seconds: wait)) { [weak self] in
      self?.timer = nil
      self?.refreshIfDue(.schedule)
      self?.owner.checkAge()
    }
  }

  /// Stops the timer.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  /// Makes the update of a card that has appeared, if one is needed.
  func refreshOnAppearing() {
    if !wantsUpdate(.appear) {
      plan()
    } else if isFollowed {
      refreshIfDue(.appear)
    } else {
      owner.requestUpdate(.appear)
    }
  }

  /// Makes the update that is scheduled or due to the card's appearing, unless another host makes it or
  /// has made it.
  func refreshIfDue(_ reason: UpdateReason) {
    guard !owner.isQuitting else { return }
    waitsForOtherHost = false
    guard let isAsked = lease.isKept ? requestUpdate(reason) : lockAndRequest(reason) else {
      return
    }
    if isAsked, !owner.hasUpdate {
      // The widget is pausing after failures or does not support updates, so there will be no result.
      endLease()
      releaseLock()
      learn()
      let pause = policy.interval(wish: nil, isVisible: owner.isVisible)
      timer = clock.schedule(after: pause) { [weak self] in
        self?.refreshIfDue(reason)
      }
    }
    // An update that was left to another host may now be in progress here, or no longer be needed.
    owner.updateMayHaveChanged()
  }

  /// Makes an update if this host gets the lock and the update is still needed.
  ///
  /// - Returns: Whether it was requested; nil if another host makes it, which is checked again later.
  private func lockAndRequest(_ reason: UpdateReason) -> Bool? {
    switch shared.locks.attempt(id) {
    case .busy where !hasWaitedLong():
      waitsForOtherHost = true
      owner.updateMayHaveChanged()
      timer = clock.schedule(after: Self.otherHostPatience) { [weak self] in
        self?.refreshIfDue(reason)
      }
      return nil
    case .busy:
      owner.log("updated without the lock: another process has held it for too long")
      return update(reason, holding: nil)
    case .foreign(let holder):
      owner.log("updated without the lock: it is held by \(holder), which is not a today process")
      return update(reason, holding: nil)
    case .held(let lock):
      busySince = nil
      return update(reason, holding: lock)
    case .unavailable:
      owner.requestUpdate(reason)
      return true
    }
  }

  /// Requests an update that is still needed after those of other hosts; returns false if it is not.
  private func update(_ reason: UpdateReason, holding lock: RefreshLock?) -> Bool {
    owner.takeOverFromOthers()
    return requestUpdate(reason, holding: lock)
  }

  /// Requests an update that is still needed, with another lock if there is one; returns false if it
  /// is not needed.
  private func requestUpdate(_ reason: UpdateReason, holding lock: RefreshLock? = nil) -> Bool {
    guard wantsUpdate(reason) else {
      plan()
      return false
    }
    if let lock { lease.begin(lock) }
    owner.requestUpdate(reason)
    return true
  }

  /// Another host wants the lock that is kept between updates.
  private func lockIsWanted() {
    // An update in progress is written, and the lock released, when it ends.
    if !owner.hasUpdate { owner.saveResults() }
  }

  /// Writes what is not written yet, and releases the lock if it is kept between updates.
  func endLease() {
    guard lease.isKept else { return }
    lease.end()
    if !owner.hasUpdate { owner.saveResults() }
  }

  /// Whether the lock has been held for longer than any host's update takes.
  private func hasWaitedLong() -> Bool {
    let since = busySince ?? clock.now
    busySince = since
    return since.duration(to: clock.now) >= Self.longestUpdate
  }

  // MARK: - Results of updates

  /// Adds an update that this host has made.
  func note(_ outcome: CompletedUpdate) {
    lastUpdate = clock.now
    history.takesUpdates = true
    let isCharged =
      !owner.isVisible && (outcome.reason == .schedule || outcome.reason == .event)
    let budget = HiddenBudget(updatesPerDay: policy.hiddenBudget)
    history.note(outcome, chargedTo: isCharged ? budget : nil, at: clock.date)
  }

  /// Keeps the lock after an update if the next one comes soon.
  ///
  /// - Returns: Whether the result is written with that of a later update.
  func writesLater() -> Bool {
    lease.keep(until: isFollowed && owner.isVisible ? nextUpdate : nil)
    return !lease.isWritingDue
  }

  /// When results were last written.
  var lastWriting: ContinuousClock.Instant? { lease.lastWriting }

  /// Whether this host holds the lock for scheduled updates.
  var holdsLock: Bool { lease.lock != nil }

  /// Writes the history after updates that brought `picture`, and then releases the lock unless it is
  /// kept for the next update.
  func keep(with picture: RefreshHistory.Picture?) {
    history.picture = picture
    shared.keep(history, of: id, releasing: lease.isKept ? nil : lease.lock)
    lease.didWrite()
    if !lease.isKept { releaseLock() }
  }

  /// Notifies other hosts of a snapshot that came without an update.
  func announce(_ picture: RefreshHistory.Picture) {
    history.picture = picture
    shared.announce(picture, of: id)
  }

  /// Reads the history that other hosts have written.
  func readShared() -> RefreshHistory { shared.history(of: id) }

  /// Uses another history from now on; the caller schedules the next update.
  func replace(by history: RefreshHistory) {
    self.history = history
  }

  /// Uses the history of an update that another host has made.
  func adopt(_ history: RefreshHistory, updatedAt date: Date) {
    self.history = history
    // The host that holds the lock makes its updates.
    busySince = nil
    lease.noteOtherHost()
    let age = max(0, clock.date.timeIntervalSince(date))
    lastUpdate = clock.now - .saturated(seconds: age)
  }

  /// Allows other hosts to make the scheduled update.
  func releaseLock() {
    lease.release()
  }

  /// Records whether the widget supports updates, once it has said so.
  func learn() {
    guard let takes = owner.takesUpdates, history.takesUpdates != takes else { return }
    history.takesUpdates = takes
    shared.keep(history, of: id, releasing: nil)
  }
}
