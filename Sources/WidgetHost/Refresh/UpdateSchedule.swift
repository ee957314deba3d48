import FoundationEssentials
import WidgetKitCore

/// The card whose updates an ``UpdateSchedule`` asks for.
protocol UpdateScheduleOwner: AnyObject {
  /// Whether the card has a row on the screen.
  var isVisible: Bool { get }
  /// Whether a scheduled update can be asked for: there is a widget, and a card that is on the screen
  /// has appeared.
  var canBeScheduled: Bool { get }
  /// Seconds between updates that the widget's bundle asks for; nil where it does not.
  var bundleInterval: Double? { get }
  /// Whether the running widget takes part in updates; nil while it has not said so.
  var takesUpdates: Bool? { get }
  /// Whether an update is under way or waits for the one before.
  var hasUpdate: Bool { get }
  /// Whether the widget is being ended.
  var isQuitting: Bool { get }
  /// Whether the entries of a timeline are shown at their times.
  var hasTimeline: Bool { get }
  /// Asks the widget for new data.
  func requestUpdate(_ reason: UpdateReason)
  /// Takes over what other hosts have kept since.
  func takeOverFromOthers()
  /// Whether an update is under way, here or in another host, may be different.
  func updateMayHaveChanged()
  /// The age of the content is to be looked at again.
  func checkAge()
  /// Writes a line to the widget's log.
  func log(_ words: SafeText)
}

/// When a card is updated by the schedule, by this host or by another one.
///
/// A class because its timer calls it back, and because of the lock that it holds.
final class UpdateSchedule {
  /// What came of the widget's updates, here and in other hosts.
  private(set) var history = RefreshHistory()
  /// Whether the scheduled update is left to another host, which is making it.
  private(set) var waitsForOtherHost = false

  private unowned let owner: any UpdateScheduleOwner
  private let id: CardID
  private let clock: any HostClock
  private let schedule: RefreshSchedule
  private let shared: SharedHistories
  /// Whether updates are made as they become due, as on a page that stays.
  private let isFollowed: Bool
  private var timer: (any HostTimer)?
  /// The right to a scheduled update while it is under way.
  private var lock: RefreshLock?
  /// Since when the lock was never free; nil where it was when it was last asked for.
  private var busySince: ContinuousClock.Instant?
  /// When the last update ended.
  private var lastUpdate: ContinuousClock.Instant?

  /// How long a host may hold a widget's lock: as long as its start and its update may take.
  private static let longestUpdate: Duration = .seconds(60)
  /// How often this host looks whether another one has ended an update that is due here too.
  private static let otherHostPatience: Duration = .seconds(1)
  /// Over how many seconds the updates of cards off the screen are spread after a start or a sleep.
  private static let spread = 30.0

  init(
    owner: any UpdateScheduleOwner,
    id: CardID,
    clock: any HostClock,
    schedule: RefreshSchedule,
    shared: SharedHistories,
    isFollowed: Bool
  ) {
    self.owner = owner
    self.id = id
    self.clock = clock
    self.schedule = schedule
    self.shared = shared
    self.isFollowed = isFollowed
  }

  // MARK: - Due updates

  /// When the schedule has it updated next, which may be past; nil where nothing will be due.
  var nextUpdate: Date? {
    schedule.nextUpdate(
      plannedHistory,
      of: id.description,
      isVisible: owner.isVisible,
      now: clock.date
    )
  }

  /// The history with the wish of the bundle, where the widget's own answers have none.
  var plannedHistory: RefreshHistory {
    var planned = history
    planned.wish = history.wish ?? owner.bundleInterval
    return planned
  }

  /// Whether an update is due by the schedule, whoever looks.
  var isDue: Bool { nextUpdate.map { $0 <= clock.date } ?? false }

  /// Whether a timer waits for an update that comes before anything can have been missed.
  var awaitsTimer: Bool { timer != nil && history.failures == 0 && !isDue }

  /// Whether a timeline says that its widget is not to be asked yet.
  var waitsForTimeline: Bool {
    guard history.failures == 0, owner.hasTimeline, let reload = history.reload else {
      return false
    }
    guard case .at(let date) = reload else { return true }
    return date > clock.date
  }

  /// Whether an update for this reason is still wanted, now that others may have made one.
  func wantsUpdate(_ reason: UpdateReason) -> Bool {
    guard reason == .appear else { return isDue }
    let isYoung = lastUpdate.map { $0.duration(to: clock.now) < schedule.floor }
    return isYoung != true && !waitsForTimeline
  }

  // MARK: - Timers and requests

  /// Sets the timer for the next scheduled update; what is on the screen and has not appeared yet is
  /// updated when it has.
  ///
  /// - Parameter delay: Seconds that pass at least, where many are due at once.
  func plan(notBefore delay: Double = 0) {
    stop()
    guard isFollowed, owner.canBeScheduled else { return }
    learn()
    guard let due = nextUpdate else { return }
    let now = clock.date
    let spread = owner.isVisible ? 0 : Self.spread * RefreshSchedule.part(of: id.description)
    let least = due <= now ? max(delay, spread) : delay
    let wait = max(due.timeIntervalSince(now), least)
    timer = clock.schedule(after: .saturated(seconds: wait)) { [weak self] in
      self?.timer = nil
      self?.refreshIfDue(.schedule)
      self?.owner.checkAge()
    }
  }

  /// Waits for nothing any more.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  /// Makes the update of a card that appeared, where one is wanted.
  func refreshOnAppearing() {
    if !wantsUpdate(.appear) {
      plan()
    } else if isFollowed {
      refreshIfDue(.appear)
    } else {
      owner.requestUpdate(.appear)
    }
  }

  /// Makes the scheduled update, or that of a card that appeared, unless another host makes it or has
  /// made it.
  func refreshIfDue(_ reason: UpdateReason) {
    guard !owner.isQuitting else { return }
    var isAsked = true
    let attempt = shared.lock(of: id)
    waitsForOtherHost = false
    switch attempt {
    case .busy where !hasWaitedLong():
      waitsForOtherHost = true
      owner.updateMayHaveChanged()
      timer = clock.schedule(after: Self.otherHostPatience) { [weak self] in
        self?.refreshIfDue(reason)
      }
      return
    case .busy:
      isAsked = update(reason, holding: nil)
      owner.log("updated without the lock: another process has held it for too long")
    case .foreign(let holder):
      isAsked = update(reason, holding: nil)
      owner.log("updated without the lock: it is held by \(holder), which is not a today process")
    case .held(let lock):
      busySince = nil
      isAsked = update(reason, holding: lock)
    case .unavailable:
      owner.requestUpdate(reason)
    }
    if isAsked, !owner.hasUpdate {
      // It rests after failures, or takes no part in updates: nothing will come of it.
      releaseLock()
      learn()
      let pause = schedule.interval(wish: nil, isVisible: owner.isVisible)
      timer = clock.schedule(after: pause) { [weak self] in
        self?.refreshIfDue(reason)
      }
    }
    // What was left to another host may be here now, or not wanted any more.
    owner.updateMayHaveChanged()
  }

  /// Asks for an update that is still wanted; false where it is not.
  private func update(_ reason: UpdateReason, holding lock: RefreshLock?) -> Bool {
    owner.takeOverFromOthers()
    guard wantsUpdate(reason) else {
      plan()
      return false
    }
    self.lock = lock
    owner.requestUpdate(reason)
    return true
  }

  /// Whether the lock was never free for longer than any host's update takes.
  private func hasWaitedLong() -> Bool {
    let since = busySince ?? clock.now
    busySince = since
    return since.duration(to: clock.now) >= Self.longestUpdate
  }

  // MARK: - Results of updates

  /// Adds an update that has ended, made here.
  func note(_ outcome: UpdateOutcome) {
    lastUpdate = clock.now
    history.takesUpdates = true
    let isCharged =
      !owner.isVisible && (outcome.reason == .schedule || outcome.reason == .event)
    let budget = HiddenBudget(updatesPerDay: schedule.hiddenBudget)
    history.note(outcome, chargedTo: isCharged ? budget : nil, at: clock.date)
  }

  /// Keeps the history after an update that brought `picture`, and lets go of the lock behind it.
  func keep(with picture: RefreshHistory.Picture?) {
    history.picture = picture
    shared.keep(history, of: id, releasing: lock)
    releaseLock()
  }

  /// Tells other hosts of a picture that came without an update.
  func announce(_ picture: RefreshHistory.Picture) {
    history.picture = picture
    shared.announce(picture, of: id)
  }

  /// Reads what other hosts have kept.
  func readShared() -> RefreshHistory { shared.history(of: id) }

  /// Goes by another history from now on; the next update is planned by whoever calls.
  func replace(by history: RefreshHistory) {
    self.history = history
  }

  /// Goes by the history of an update that another host has made.
  func adopt(_ history: RefreshHistory, updatedAt date: Date) {
    self.history = history
    let age = max(0, clock.date.timeIntervalSince(date))
    lastUpdate = clock.now - .saturated(seconds: age)
  }

  /// Lets others make the scheduled update.
  func releaseLock() {
    lock = nil
  }

  /// Notes whether the widget takes part in updates, once it has said so.
  func learn() {
    guard let takes = owner.takesUpdates, history.takesUpdates != takes else { return }
    history.takesUpdates = takes
    shared.keep(history, of: id, releasing: nil)
  }
}
