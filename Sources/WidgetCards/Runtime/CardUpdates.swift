import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The updates of a card, made by this host or another one, and the age that its content has because of
/// them.
package struct CardUpdates {
  package private(set) var schedule: UpdateSchedule
  private(set) var watch: FreshnessWatch
  /// When an update, here or in another host, last brought the content or found it still correct.
  private(set) var confirmationDate: Date?

  /// Whether the content of an update is not saved yet.
  private var hasUnsavedContent = false
  /// When results that wait are written; nil if none do.
  private var savingDue: ContinuousClock.Instant?

  /// Results that the user requests faster than this are written together, as each writing replaces two files.
  private static let savingPause: Duration = .seconds(1)

  init(id: CardID, isFollowed: Bool) {
    schedule = UpdateSchedule(id: id, isFollowed: isFollowed)
    watch = FreshnessWatch(isFollowed: isFollowed)
  }

  /// What the card shows about the age of its content.
  var freshness: Freshness { watch.freshness }

  /// When ``wake(_:_:)`` is to be called.
  var due: ContinuousClock.Instant? {
    [watch.due, savingDue, schedule.timer?.due].compactMap(\.self).min()
  }

  /// Does what is due.
  mutating func wake(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    if let due = watch.due, due <= turn.now {
      watch.stop()
      checkAge(display, &turn)
    }
    if let savingDue, savingDue <= turn.now { save(&display, &turn) }
    if let reason = schedule.takeDue(at: turn.now) {
      refreshIfDue(reason, &display, &turn)
      checkAge(display, &turn)
    }
  }

  private func facts(_ display: CardDisplay, _ turn: CardTurn) -> UpdateFacts {
    UpdateFacts(turn.widget, display.content, turn.queries.policy(), at: turn.moment)
  }

  /// The card came on the screen, or left it.
  mutating func setVisible(_ isVisible: Bool, at now: ContinuousClock.Instant) {
    watch.setVisible(isVisible, at: now)
  }

  // MARK: - Requests

  /// Makes the update of a card that has appeared, if one is needed.
  mutating func viewDidAppear(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    follow(schedule.refreshOnAppearing(facts(display, turn), &turn), &display, &turn)
    checkAge(display, &turn)
  }

  /// Makes the scheduled update, unless another host makes it or has made it.
  mutating func refreshIfDue(
    _ reason: UpdateReason,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    guard turn.widget.bundle != nil else { return }
    follow(schedule.refreshIfDue(reason, facts(display, turn), &turn), &display, &turn)
  }

  /// The lock for an update was tried.
  mutating func lockWasTried(
    _ attempt: LockAttempt,
    _ reason: UpdateReason,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    if let result = schedule.lockWasTried(attempt, reason, &turn) {
      return follow(result, &display, &turn)
    }
    takeOver(turn.queries.history(), &display, &turn)
    let result = schedule.request(
      reason,
      hasTakenLock: attempt == .held,
      facts(display, turn),
      &turn
    )
    follow(result, &display, &turn)
  }

  private mutating func follow(
    _ attempt: UpdateSchedule.Attempt,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    switch attempt {
    case .pending: return
    case .unneeded: planSchedule(&display, &turn)
    case .leftToOther: break
    }
    // An update that was left to another host may now be in progress here, or no longer be needed.
    updateMayHaveChanged(display, &turn)
  }

  /// The session has taken a request for an update, or ignored it.
  mutating func updateWasRequested(
    _ reason: UpdateReason,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    if !turn.widget.hasUpdate,
      schedule.requestWasRefused(reason, facts(display, turn), &turn)
    {
      save(&display, &turn)
    }
    updateMayHaveChanged(display, &turn)
  }

  /// Sets the timer for the next scheduled update, and checks the age of the content.
  mutating func plan(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    planSchedule(&display, &turn)
    checkAge(display, &turn)
  }

  /// Sets the timer for the next scheduled update.
  ///
  /// `delay` is the shortest time in seconds until the update, used if many are due at once.
  mutating func planSchedule(
    notBefore delay: Double = 0,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    if schedule.plan(notBefore: delay, facts(display, turn), &turn) { save(&display, &turn) }
  }

  /// Makes up for missed updates after the machine slept or the wall clock was set by `shift` seconds.
  ///
  /// `delay` is the shortest time in seconds until the update, because many are due at once.
  mutating func catchUp(
    hasSlept: Bool,
    shift: Double,
    notBefore delay: Double,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    // An update is as old as before.
    if shift != 0 { confirmationDate = confirmationDate?.addingTimeInterval(shift) }
    // Old content is not called stale for a while, because an update is expected.
    if hasSlept, !freshness.isStale { watch.excuse(at: turn.now) }
    checkAge(display, &turn)
    display.advanceTimeline(&turn)
    if turn.widget.session.update == nil {
      planSchedule(notBefore: delay, &display, &turn)
    }
  }

  /// Lets other hosts make the updates, with what the last ones have brought.
  mutating func yield(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    if schedule.endLease(facts(display, turn), &turn) || savingDue != nil {
      save(&display, &turn)
    }
    schedule.stop()
  }

  /// Stops all timers, and saves what is not saved yet.
  mutating func stop(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    yield(&display, &turn)
    watch.stop()
  }

  /// Another host wants the lock that is kept between updates.
  mutating func lockIsWanted(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    guard schedule.lease.isKept else { return }
    schedule.lockIsWanted(&turn)
    if !turn.widget.hasUpdate { save(&display, &turn) }
  }

  /// The lock cannot be kept between updates.
  mutating func lockIsNotKept(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    schedule.lockIsNotKept(&turn)
    save(&display, &turn)
  }

  /// The process has ended, and no other one will be started.
  mutating func didFinish(_ turn: inout CardTurn) {
    schedule.releaseLock(&turn)
  }

  // MARK: - Results

  /// Records the result of an update, saves its content, and schedules the next update.
  mutating func ended(
    _ outcome: CompletedUpdate,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    watch.updateEnded()
    schedule.note(outcome, facts(display, turn))
    confirm(schedule.history.lastGood, turn)
    if outcome.result == .newData {
      display.take(outcome.timeline, &turn)
      hasUnsavedContent = true
    }
    if !schedule.writesLater(facts(display, turn), &turn) { saveSoon(&display, &turn) }
    planSchedule(&display, &turn)
    updateMayHaveChanged(display, &turn)
    checkAge(display, &turn)
  }

  /// Writes results, or lets them wait for others if some were written a moment ago.
  ///
  /// A lock is released by the writing, so that results of an update that has one do not wait.
  private mutating func saveSoon(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    guard !schedule.lease.isHeld, let last = schedule.lease.lastWriting,
      last + Self.savingPause > turn.now
    else { return save(&display, &turn) }
    savingDue = savingDue ?? last + Self.savingPause
  }

  private mutating func save(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    savingDue = nil
    if hasUnsavedContent { _ = display.save(&turn) }
    hasUnsavedContent = false
    // The history is written after the snapshot that it describes.
    schedule.keep(with: display.content.picture, &turn)
  }

  /// Saves the shown content if it is not saved yet, and notifies other hosts.
  mutating func keepContent(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    guard display.save(&turn), let picture = display.content.picture else { return }
    schedule.announce(picture, &turn)
  }

  /// An update begins to be awaited, or none is awaited any longer.
  mutating func updateDidChange(_ display: CardDisplay, _ turn: inout CardTurn) {
    // One that was requested from a process that does not support updates is not requested again.
    if turn.widget.takesUpdates == false, !turn.widget.session.awaitsUpdate {
      schedule.learn(facts(display, turn), &turn)
      schedule.releaseLock(&turn)
    }
    updateMayHaveChanged(display, &turn)
  }

  private mutating func updateMayHaveChanged(_ display: CardDisplay, _ turn: inout CardTurn) {
    let isUpdating =
      turn.widget.session.awaitsUpdate
      || schedule.waitsForOtherHost && schedule.isDue(facts(display, turn))
    if watch.setUpdating(isUpdating, at: turn.now) { checkAge(display, &turn) }
  }

  /// Checks the age of the content again.
  mutating func checkAge(_ display: CardDisplay, _ turn: inout CardTurn) {
    let facts = facts(display, turn)
    let ages = FreshnessWatch.Facts(
      contentDate: display.content.date,
      isKeptCurrent: display.card.isKeptCurrent,
      history: schedule.plannedHistory(facts),
      nextUpdate: schedule.nextUpdate(facts),
      awaitsTimer: schedule.awaitsTimer(facts),
      waitsForTimeline: schedule.waitsForTimeline(facts)
    )
    if watch.check(ages, facts.policy, at: turn.moment) { turn.draw() }
  }

  // MARK: - Updates of other hosts

  /// Reads what other hosts have written.
  mutating func readShared(_ display: CardDisplay, _ turn: CardTurn) {
    schedule.replace(by: turn.queries.history())
    noteConfirmation(display, turn)
  }

  /// The heading is drawn again when its age changes: nothing is drawn because nothing has changed.
  private mutating func confirm(_ date: Date?, _ turn: CardTurn) {
    confirmationDate = date.flatMap { $0 <= turn.moment.date ? $0 : nil }
  }

  /// The last good update, of a host whose picture is shown here, was also about the shown content.
  private mutating func noteConfirmation(_ display: CardDisplay, _ turn: CardTurn) {
    let history = schedule.history
    if display.content.isDescribed(by: history, display.snapshotKey) {
      confirm(history.lastGood, turn)
    }
  }

  /// Takes over another host's update: its snapshot, and the history that belongs to it.
  mutating func takeOver(
    _ other: RefreshHistory,
    _ display: inout CardDisplay,
    _ turn: inout CardTurn
  ) {
    display.takeOverSnapshot(&turn)
    // Without the snapshot, for example because its locale differs, this host keeps its own schedule.
    guard display.content.isDescribed(by: other, display.snapshotKey), let date = other.lastUpdate,
      Snapshot.isNewer(date, than: schedule.history.lastUpdate, now: turn.moment.date)
    else { return checkAge(display, &turn) }
    schedule.adopt(other, updatedAt: date, at: turn.moment)
    noteConfirmation(display, turn)
    if other.failures == 0 {
      display.health.updateDidEnd(failure: nil)
      if turn.widget.hasAppeared, display.health.set(.live, nil) { turn.draw() }
    }
    planSchedule(&display, &turn)
    updateMayHaveChanged(display, &turn)
    checkAge(display, &turn)
  }

  /// A stored snapshot may be shown now, whose age is that of the content.
  mutating func snapshotMayHaveCome(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    checkAge(display, &turn)
    settleHistory(&display, &turn)
  }

  /// Uses the age of the loaded snapshot if the history describes a snapshot that is not available
  /// here, so that an update whose result cannot be shown does not count as made.
  mutating func settleHistory(_ display: inout CardDisplay, _ turn: inout CardTurn) {
    noteConfirmation(display, turn)
    let (history, content) = (schedule.history, display.content)
    guard turn.widget.bundle != nil, content.hasLookedForSnapshot,
      !display.content.isDescribed(by: history, display.snapshotKey)
    else { return }
    schedule.replace(
      by: history.describing(
        content.picture,
        made: content.pictureDate,
        timeline: content.followedTimeline
      )
    )
    planSchedule(&display, &turn)
  }
}
