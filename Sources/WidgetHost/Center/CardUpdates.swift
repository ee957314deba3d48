import FoundationEssentials
import WidgetKitCore

/// The card that owns a ``CardUpdates``.
protocol CardUpdatesOwner: AnyObject {
  /// Whether the host keeps the shown content up to date, so that it has no age.
  var isKeptCurrent: Bool { get }
  /// Shows the snapshot that another host saved if it is newer than the shown content.
  func takeOverSnapshot()
  /// Called with the date of the last update, here or in another host, that brought the content or found
  /// it still correct.
  func contentWasConfirmed(at date: Date?)
  /// Called when the shown content is that of another host's update, which has succeeded.
  func didTakeOverGoodUpdate()
  /// Called when the state of the content's age has changed.
  func freshnessDidChange(_ freshness: Freshness)
  /// Called when ``CardUpdates/due`` may be another one.
  func dueMayHaveChanged()
}

/// The updates of a card, made by this host or another one, and the age that its content has because of
/// them.
///
/// This is a class because its parts call it.
final class CardUpdates {
  private(set) lazy var schedule = UpdateSchedule(
    owner: self,
    id: id,
    clock: services.clock,
    policy: services.refreshPolicy,
    shared: services.histories,
    isFollowed: services.schedulesUpdates
  )
  private(set) var freshness: FreshnessWatch {
    didSet { owner.dueMayHaveChanged() }
  }

  private unowned let owner: any CardUpdatesOwner
  private let id: CardID
  private let content: CardContent
  private let widget: CardWidget
  private let services: CardServices
  /// Whether the content of an update is not saved yet.
  private var hasUnsavedContent = false
  /// Set while results wait to be written.
  private var savingTimer: (any HostTimer)?

  /// Results that the user requests faster than this are written together, as each writing replaces two files.
  static let savingPause: Duration = .seconds(1)

  init(
    owner: any CardUpdatesOwner,
    id: CardID,
    content: CardContent,
    widget: CardWidget,
    services: CardServices
  ) {
    self.owner = owner
    self.id = id
    self.content = content
    self.widget = widget
    self.services = services
    freshness = FreshnessWatch(isFollowed: services.schedulesUpdates)
  }

  /// When ``wake()`` is to be called.
  var due: ContinuousClock.Instant? { freshness.due }

  /// Does what is due.
  func wake() {
    if let due = freshness.due, due <= services.clock.now {
      freshness.stop()
      checkAge()
    }
  }

  /// Sets whether a row of the card is on the screen.
  func setVisible(_ isVisible: Bool) {
    freshness.setVisible(isVisible, at: services.clock.now)
  }

  /// Does not call old content stale for a while, because an update is expected.
  func excuseAge() {
    freshness.excuse(at: services.clock.now)
  }

  // MARK: - Requests

  /// Requests new data.
  func refresh(_ reason: UpdateReason) {
    if reason == .appear {
      schedule.refreshOnAppearing()
    } else {
      requestUpdate(reason)
    }
  }

  /// Makes the scheduled update, unless another host makes it or has made it.
  func refreshIfDue(_ reason: UpdateReason) {
    guard widget.session != nil else { return }
    schedule.refreshIfDue(reason)
  }

  /// Sets the timer for the next scheduled update, and checks the age of the content.
  func plan() {
    schedule.plan()
    checkAge()
  }

  /// Makes up for missed updates after the machine slept or the wall clock was set.
  ///
  /// - Parameter delay: The shortest time in seconds until the update, because many are due at once.
  func catchUp(notBefore delay: Double) {
    guard !widget.isUpdating else { return }
    schedule.plan(notBefore: delay)
  }

  /// Lets other hosts make the updates, with what the last ones have brought.
  func yield() {
    schedule.endLease()
    saveWaiting()
    schedule.stop()
  }

  /// Stops all timers, and saves what is not saved yet.
  func stop() {
    schedule.endLease()
    saveWaiting()
    schedule.stop()
    freshness.stop()
  }

  // MARK: - Results

  /// Records the result of an update, saves its content, and schedules the next update.
  func ended(_ outcome: CompletedUpdate) {
    freshness.updateEnded()
    schedule.note(outcome)
    owner.contentWasConfirmed(at: schedule.history.lastGood)
    if outcome.result == .newData {
      content.take(outcome.timeline)
      hasUnsavedContent = true
    }
    if !schedule.writesLater() { saveSoon() }
    schedule.plan()
    updateMayHaveChanged()
    checkAge()
  }

  /// Writes results, or lets them wait for others if some were written a moment ago.
  ///
  /// A lock is released by the writing, so that results of an update that has one do not wait.
  private func saveSoon() {
    let now = services.clock.now
    guard !schedule.holdsLock, let last = schedule.lastWriting, last + Self.savingPause > now else {
      return saveResults()
    }
    guard savingTimer == nil else { return }
    let wait = now.duration(to: last + Self.savingPause)
    savingTimer = services.clock.schedule(after: wait) { [weak self] in self?.saveResults() }
  }

  private func saveWaiting() {
    if savingTimer != nil { saveResults() }
  }

  /// Ends an update that was requested from a process that does not support updates, so that it is not
  /// requested again.
  func endOfferedUpdate() {
    guard widget.takesUpdates == false, !widget.awaitsUpdate else { return }
    schedule.learn()
    schedule.releaseLock()
  }

  /// Reads what other hosts have written.
  func readShared() {
    schedule.replace(by: schedule.readShared())
    noteConfirmation()
  }

  /// The last good update, of a host whose picture is shown here, was also about the shown content.
  private func noteConfirmation() {
    let history = schedule.history
    guard content.isDescribed(by: history) else { return }
    owner.contentWasConfirmed(at: history.lastGood)
  }

  /// Takes over another host's update: its snapshot, and the history that belongs to it.
  func takeOver(_ other: RefreshHistory) {
    owner.takeOverSnapshot()
    // Without the snapshot, for example because its locale differs, this host keeps its own schedule.
    guard content.isDescribed(by: other), let date = other.lastUpdate,
      Snapshot.isNewer(date, than: schedule.history.lastUpdate, now: services.clock.date)
    else { return checkAge() }
    schedule.adopt(other, updatedAt: date)
    noteConfirmation()
    if other.failures == 0 { owner.didTakeOverGoodUpdate() }
    schedule.plan()
    updateMayHaveChanged()
    checkAge()
  }

  /// Uses the age of the loaded snapshot if the history describes a snapshot that is not available
  /// here, so that an update whose result cannot be shown does not count as made.
  func settleHistory() {
    noteConfirmation()
    let history = schedule.history
    guard widget.session != nil, content.hasLookedForSnapshot, !content.isDescribed(by: history)
    else { return }
    schedule.replace(
      by: history.describing(
        content.picture,
        made: content.pictureDate,
        timeline: content.followedTimeline
      )
    )
    schedule.plan()
  }
}

extension CardUpdates: UpdateScheduleOwner {
  var isVisible: Bool { widget.isVisible }

  var canBeScheduled: Bool { widget.session != nil && (!widget.isVisible || widget.hasAppeared) }

  var bundleInterval: Double? { widget.bundleInterval }

  var chosenInterval: Double? { widget.chosenInterval }

  var takesUpdates: Bool? { widget.takesUpdates }

  var hasUpdate: Bool { widget.hasUpdate }

  var isQuitting: Bool { widget.isQuitting }

  var hasTimeline: Bool { content.followedTimeline != nil }

  func requestUpdate(_ reason: UpdateReason) {
    widget.handle(.update(reason))
  }

  func takeOverFromOthers() {
    takeOver(schedule.readShared())
  }

  func updateMayHaveChanged() {
    let isUpdating = widget.awaitsUpdate || schedule.waitsForOtherHost && schedule.isDue
    if freshness.setUpdating(isUpdating, at: services.clock.now) { checkAge() }
  }

  func checkAge() {
    let policy = services.refreshPolicy.value.allowing(chosenInterval)
    let facts = FreshnessWatch.Facts(
      contentDate: content.date,
      isKeptCurrent: owner.isKeptCurrent,
      history: schedule.plannedHistory,
      nextUpdate: schedule.nextUpdate,
      awaitsTimer: schedule.awaitsTimer,
      waitsForTimeline: schedule.waitsForTimeline
    )
    if freshness.check(facts, policy, at: services.clock.moment) {
      owner.freshnessDidChange(freshness.freshness)
    }
  }

  func saveResults() {
    savingTimer?.cancel()
    savingTimer = nil
    if hasUnsavedContent { content.save() }
    hasUnsavedContent = false
    // The history is written after the snapshot that it describes.
    schedule.keep(with: content.picture)
  }

  func log(_ words: SafeText) {
    widget.log(words)
  }
}
