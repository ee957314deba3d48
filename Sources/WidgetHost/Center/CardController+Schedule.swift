import FoundationEssentials
import WidgetKitCore

/// When the schedule has a card updated, by this host or by another one.
extension CardController {
  /// How long a host may hold a widget's lock: as long as its start and its update may take.
  private static let longestUpdate: Duration = .seconds(60)
  /// How often this host looks whether another one has ended an update that is due here too.
  private static let otherHostPatience: Duration = .seconds(1)
  /// How long content may be old without being called so, where an update is about to come.
  private static let excuse: Duration = .seconds(35)
  /// Over how many seconds the updates of cards off the screen are spread after a start or a sleep.
  private static let spread = 30.0

  /// Sets the timer for the next scheduled update; what is on the screen and has not appeared yet is
  /// updated when it has.
  ///
  /// - Parameter delay: Seconds that pass at least, where many are due at once.
  func schedule(notBefore delay: Double = 0) {
    refreshTimer?.cancel()
    refreshTimer = nil
    guard page.schedulesUpdates, session != nil, !isVisible || hasAppeared else { return }
    learn()
    guard let due = nextUpdate else { return }
    let now = page.clock.date
    let spread = isVisible ? 0 : Self.spread * RefreshSchedule.part(of: card.id.description)
    let least = due <= now ? max(delay, spread) : delay
    let wait = max(due.timeIntervalSince(now), least)
    refreshTimer = page.clock.schedule(after: .saturated(seconds: wait)) { [weak self] in
      self?.refreshTimer = nil
      self?.refreshIfDue(.schedule)
      self?.checkAge()
    }
  }

  /// The history with the wish of the bundle, where the widget's own answers have none.
  var plannedHistory: RefreshHistory {
    var planned = history
    planned.wish = history.wish ?? session?.bundle.infoPlist.widgetExtension?.refreshInterval
    return planned
  }

  /// Whether an update is due by the schedule, whoever looks.
  var isDue: Bool { nextUpdate.map { $0 <= page.clock.date } ?? false }

  /// When the schedule has it updated next, which may be past; nil where nothing will be due.
  var nextUpdate: Date? {
    page.schedule.nextUpdate(
      plannedHistory,
      of: card.id.description,
      isVisible: isVisible,
      now: page.clock.date
    )
  }

  /// Whether an update for this reason is still wanted, now that others may have made one.
  func wantsUpdate(_ reason: UpdateReason) -> Bool {
    guard reason == .appear else { return isDue }
    let isYoung = lastUpdate.map { $0.duration(to: page.clock.now) < page.schedule.floor }
    return isYoung != true && !waitsForTimeline
  }

  /// Makes the scheduled update, or that of a card that appeared, unless another host makes it or has
  /// made it.
  func refreshIfDue(_ reason: UpdateReason) {
    guard let session, !session.state.isQuitting else { return }
    var isAsked = true
    let attempt = page.refreshLock(of: card.id)
    waitsForOtherHost = false
    switch attempt {
    case .busy where !hasWaitedLong():
      waitsForOtherHost = true
      followUpdate()
      refreshTimer = page.clock.schedule(after: Self.otherHostPatience) { [weak self] in
        self?.refreshIfDue(reason)
      }
      return
    case .busy:
      isAsked = update(reason, holding: nil)
      session.log.write("updated without the lock: another process has held it for too long")
    case .foreign(let holder):
      isAsked = update(reason, holding: nil)
      session.log.write(
        "updated without the lock: it is held by \(holder), which is not a today process"
      )
    case .held(let lock):
      busySince = nil
      isAsked = update(reason, holding: lock)
    case .unavailable:
      session.handle(.update(reason))
    }
    let state = session.state
    if isAsked, state.update == nil, state.nextUpdate == nil {
      // It rests after failures, or takes no part in updates: nothing will come of it.
      refreshLock = nil
      learn()
      let pause = page.schedule.interval(wish: nil, isVisible: isVisible)
      refreshTimer = page.clock.schedule(after: pause) { [weak self] in
        self?.refreshIfDue(reason)
      }
    }
    // What was left to another host may be here now, or not wanted any more.
    followUpdate()
  }

  /// Asks for an update that is still wanted; false where it is not.
  private func update(_ reason: UpdateReason, holding lock: RefreshLock?) -> Bool {
    takeOver(page.history(of: card.id))
    guard wantsUpdate(reason) else {
      schedule()
      return false
    }
    refreshLock = lock
    session?.handle(.update(reason))
    return true
  }

  /// Whether the lock was never free for longer than any host's update takes.
  private func hasWaitedLong() -> Bool {
    let since = busySince ?? page.clock.now
    busySince = since
    return since.duration(to: page.clock.now) >= Self.longestUpdate
  }

  /// Takes over what another host has brought: its picture, and the history that goes with it.
  func takeOver(_ other: RefreshHistory) {
    takeOverSnapshot()
    // Without its picture, as where it has another locale, this host goes on by its own schedule.
    guard isDescribed(by: other), let date = other.lastUpdate,
      Snapshot.isNewer(date, than: history.lastUpdate, now: page.clock.date)
    else { return checkAge() }
    history = other
    let age = max(0, page.clock.date.timeIntervalSince(date))
    lastUpdate = page.clock.now - .saturated(seconds: age)
    if other.failures == 0, hasAppeared { health(.live, nil) }
    schedule()
    followUpdate()
    checkAge()
  }

  /// Whether a history is that of the picture on this card.
  private func isDescribed(by history: RefreshHistory) -> Bool {
    guard let picture = history.picture else {
      return history.lastGood == nil || pictureDate != nil
    }
    return picture.key == snapshotKey.variant && picture.made <= pictureDate ?? .distantPast
  }

  /// Goes by the picture's own age where the history is that of a picture which is not here, so that
  /// nobody takes an update for made whose result nobody sees.
  func settleHistory() {
    guard session != nil, hasLookedForSnapshot, !isDescribed(by: history) else { return }
    var own = RefreshHistory()
    own.takesUpdates = history.takesUpdates
    own.wish = history.wish
    own.budgetSpentUntil = history.budgetSpentUntil
    own.lastUpdate = pictureDate
    own.lastGood = pictureDate
    own.reload = timeline.map(RefreshHistory.Reload.init)
    own.picture = keptPicture
    history = own
    schedule()
  }

  /// The machine slept, or the wall clock was set: what is due is caught up once, over some time.
  func catchUp(hasSlept: Bool, place: Int) {
    if hasSlept, !card.isStale { excuse() }
    checkAge()
    followTimeline()
    guard session?.state.update == nil else { return }
    schedule(notBefore: isVisible ? Double(place) * 0.3 : 0)
  }

  /// Does not call old content stale for a while: its update is about to come.
  func excuse() {
    guard page.schedulesUpdates else { return }
    excusedUntil = page.clock.now + Self.excuse
  }

  /// Notes whether the widget takes part in updates, once it has said so.
  func learn() {
    guard let state = session?.state, state.phase == .running else { return }
    let takes = state.implements.contains(WidgetPerformUpdateRequest.method)
    guard history.takesUpdates != takes else { return }
    history.takesUpdates = takes
    page.keep(history, of: card.id, releasing: nil)
  }
}
