import FoundationEssentials
import WidgetKitCore

/// A card of the page, which connects a session to the parts of a card.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``CardContent`` | the content: from the widget, a timeline or a snapshot; and saving it |
/// | ``CardForm`` | the compact and the expanded form |
/// | ``CardMotion`` | animation of the height |
/// | ``CardPresses`` | the delivery and the result of a press |
/// | ``UpdateSchedule`` | when updates are requested, by this host or another one |
/// | ``FreshnessWatch`` | the age of the content |
/// | ``CardRun`` | the state of one process |
///
/// This is a class because the session and the page share it.
final class CardController {
  private(set) var card: Card
  private(set) var session: WidgetSession?
  private(set) var isVisible = false
  /// Whether the process has ended, so that a page that closes need not wait for it.
  private(set) var isFinished = false
  /// The problem with the bundle that should have replaced the current one.
  var bundleProblem: SafeText?

  private lazy var content = CardContent(owner: self, store: services.store, clock: clock)
  private lazy var form = CardForm(owner: self, clock: clock)
  private lazy var motion = CardMotion(
    owner: self,
    clock: clock,
    pause: services.limits.heightPause
  )
  private lazy var presses = CardPresses(
    owner: self,
    clock: clock,
    waitingLimit: services.waitingPresses
  )
  private(set) lazy var updates = UpdateSchedule(
    owner: self,
    id: card.id,
    clock: clock,
    schedule: services.schedule,
    shared: services.histories,
    isFollowed: services.schedulesUpdates
  )
  private(set) lazy var freshness = FreshnessWatch(
    owner: self,
    clock: clock,
    schedule: services.schedule,
    isFollowed: services.schedulesUpdates
  )
  private var run = CardRun()

  private var innerWidth = 0
  private var hasAppeared = false
  private var disappearTimer: (any HostTimer)?

  private let services: CardServices
  private unowned let page: any CardPage
  private var clock: any HostClock { services.clock }

  /// How long a card may be off the screen before its view is told to disappear.
  private static let offScreenPatience: Duration = .seconds(5)
  /// The time after the first content in which changes, such as a preferred height, are not animated.
  static let placingTime: Duration = .milliseconds(100)

  init(id: CardID, name: SafeText, services: CardServices, page: any CardPage) {
    card = Card(id: id, name: name)
    self.services = services
    self.page = page
  }

  /// Connects a session to a card that was drawn only from its snapshot so far.
  func attach(_ session: WidgetSession, name: SafeText) {
    card.name = name
    self.session = session
    session.onEffect = { [weak self] in self?.perform($0) }
    session.bodySize = { [weak self] in self?.card.bodySize ?? .zero }
    session.onUpdateChange = { [weak self] in
      self?.endOfferedUpdate()
      self?.updateMayHaveChanged()
      self?.page.cardMayHaveSettled()
    }
    session.onLaunch = { [weak self] in self?.beginRun() }
    updates.replace(by: updates.readShared())
    if content.hasLookedForSnapshot {
      takeOver(updates.history)
      settleHistory()
    } else if innerWidth > 0, !content.owesSnapshot {
      showSnapshot()
      resize(animated: false)
    }
    updates.plan()
    checkAge()
  }

  /// Restores the state that the card had when the program last ran.
  func restore(_ entry: PageRecord.Entry) {
    form.restore(entry.displayMode, offersExpanded: entry.offersExpanded)
    noteForm()
    card.marginInsets = entry.marginInsets
  }

  /// The description of the card that the next start uses before the bundle is read.
  var pageEntry: PageRecord.Entry {
    PageRecord.Entry(
      bundleIdentifier: card.id.bundleIdentifier,
      name: card.name,
      displayMode: card.displayMode,
      offersExpanded: card.offersExpanded,
      marginInsets: card.marginInsets
    )
  }

  // MARK: - Drawing

  /// Whether an animation is running.
  var isMoving: Bool { motion.isMoving }

  /// Returns the body at a moment.
  func body(at now: ContinuousClock.Instant) -> CardBody { motion.body(at: now) }

  /// When a date on the card will be drawn differently.
  var nextChange: Date? { bodyAtRest.nextChange }

  /// Whether the running process has shown a view of its own, as opposed to a snapshot of an earlier
  /// one.
  var hasOwnView: Bool { run.hasOwnView }

  /// Whether there was no snapshot when the page opened, so that the first content arrives while it is
  /// open.
  var isWithoutPicture: Bool { content.view == nil || content.firstShown != nil }

  /// Whether no change of the card is pending.
  var isSettled: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .pausing, .stopped: return true
    case .idle: return !isVisible && state.nextUpdate == nil
    case .initializing, .ending: return false
    case .running:
      return (state.appearance == .on || !isVisible) && state.update == nil
        && state.nextUpdate == nil && motion.isSettled && form.isSettled && !awaitsFirstView()
    }
  }

  // MARK: - Calls from the page

  /// Sets the width inside the card's border, and lays the card out at once, without an animation.
  ///
  /// - Parameters:
  ///   - width: The width.
  ///   - showsSnapshot: Whether a card without a live view shows its snapshot now, not later.
  func setInnerWidth(_ width: Int, showsSnapshot: Bool = true) {
    innerWidth = width
    content.setWidth(width - card.marginInsets.columns)
    content.setOwed(!hasAppeared && !showsSnapshot && card.view == nil)
    if !hasAppeared, !content.owesSnapshot { showSnapshot() }
    motion.finish()
    resize(animated: false)
  }

  /// Lays out everything again because the environment changed.
  func relayOut() {
    content.relayOut()
  }

  /// Sets whether a row of the card is on the screen.
  func setVisible(_ visible: Bool) {
    guard visible != isVisible else { return }
    isVisible = visible
    freshness.setVisible(visible)
    disappearTimer?.cancel()
    disappearTimer = nil
    if visible {
      session?.handle(.appear(size: card.bodySize, animated: false))
    } else {
      disappearTimer = clock.schedule(after: Self.offScreenPatience) { [weak self] in
        self?.session?.handle(.disappear)
      }
    }
    updates.plan()
    checkAge()
  }

  /// Requests new data.
  func refresh(_ reason: UpdateReason) {
    if reason == .appear {
      updates.refreshOnAppearing()
    } else {
      requestUpdate(reason)
    }
  }

  /// Makes the scheduled update, unless another host makes it or has made it.
  func refreshIfDue(_ reason: UpdateReason) {
    guard session != nil else { return }
    updates.refreshIfDue(reason)
  }

  /// Restarts a stopped widget.
  func retry() {
    session?.handle(.retry)
  }

  /// Handles a press on an element as it was drawn.
  func press(_ target: PressTarget) {
    guard !isHidden else { return }
    presses.press(target)
  }

  /// Delivers a press on an element that the card has.
  func deliver(_ target: PressTarget) {
    presses.deliver(target)
  }

  /// Makes the view disappear because the host is about to be suspended.
  func pause() {
    disappearTimer?.cancel()
    disappearTimer = nil
    motion.finish()
    session?.handle(.pause)
  }

  /// Suspends the widget at once.
  func freeze() {
    session?.handle(.freeze)
  }

  /// Whether the widget is suspended.
  var isAtRest: Bool { session?.state.isAtRest ?? true }

  /// Resumes after ``pause()``.
  func unpause() {
    session?.handle(.unpause)
    if isVisible { session?.handle(.appear(size: card.bodySize, animated: false)) }
  }

  /// Makes up for missed updates, once and spread over time, after the machine slept or the wall clock
  /// was set.
  func catchUp(hasSlept: Bool, place: Int) {
    if hasSlept, !card.isStale { freshness.excuse() }
    checkAge()
    content.advanceTimeline()
    guard session?.state.update == nil else { return }
    updates.plan(notBefore: isVisible ? Double(place) * 0.3 : 0)
  }

  /// Starts to end the widget; ``isFinished`` tells when that is done.
  func quit() {
    isFinished = session == nil
    for timer in [run.firstViewTimer, disappearTimer] { timer?.cancel() }
    updates.stop()
    freshness.stop()
    content.stop()
    motion.stop()
    motion.finish()
    // Content that was pushed while the card was off the screen is saved only here.
    content.keep()
    session?.quit()
  }

  /// Ends the process at once.
  func kill() {
    session?.handle(.deadline(.terminate))
  }

  /// Saves nothing that is shown from now on.
  func discardPicture() {
    content.discardPicture()
  }

  /// Called when the page has a different bundle for the card.
  func replace(by bundle: WidgetBundle) {
    card.name = bundle.displayName
    session?.replace(by: bundle)
    updates.plan()
  }
}

// MARK: - Content

extension CardController: CardContentOwner {
  var isHidden: Bool { card.state == .hidden }

  /// Hides the card because the widget has nothing to show.
  func hide() {
    card.state = .hidden
  }

  /// Shows the card again because the widget has something to show.
  func unhide() {
    if isHidden { card.state = .starting }
  }

  var environment: LayoutEnvironment { page.environment }

  var snapshotKey: Snapshot.Key {
    Snapshot.Key(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance,
      displayMode: card.displayMode,
      locale: services.localeIdentifier
    )
  }

  func contentDidChange(resizes: Bool) {
    noteContent()
    if resizes { resize(animated: hasAppeared && isVisible && page.animates && !isPlacing) }
    page.cardDidChange()
  }

  func pictureWasKept(_ picture: RefreshHistory.Picture) {
    updates.announce(picture)
  }

  private func noteContent() {
    card.view = content.view
    card.contentDate = content.date
  }

  /// Applies new content from the widget.
  private func apply(_ update: ContentUpdate, _ source: ContentSource) {
    presses.clearCue()
    form.contentDidCome()
    if hasAppeared, card.view != nil {
      motion.takingIn { takeIn(update, source) }
    } else {
      takeIn(update, source)
    }
    presses.deliverWaiting()
  }

  private func takeIn(_ update: ContentUpdate, _ source: ContentSource) {
    if update.view != nil {
      presses.viewDidCome()
      content.setSwitched(presses.switched)
      run.hasOwnView = true
    }
    let changed = content.apply(update, source)
    noteContent()
    checkAge()
    if changed {
      contentDidChange(resizes: true)
    } else if source == .update {
      page.cardDidChange()
    }
  }

  /// Whether the card has only just got its first content, or does not show it yet, so that changes are
  /// not animated.
  private var isPlacing: Bool {
    guard content.view != nil else { return true }
    guard let firstShown = content.firstShown, presses.last == nil else { return false }
    return page.isGatheringFirstContent || firstShown.duration(to: clock.now) < Self.placingTime
  }

  // MARK: The saved snapshot

  /// Whether the saved snapshot has yet to be loaded.
  var owesSnapshot: Bool { content.owesSnapshot }

  /// Shows the saved snapshot if there is no live view.
  private func showSnapshot() {
    guard !isHidden else { return }
    if content.showSnapshot() {
      noteSnapshot()
      checkAge()
    }
    settleHistory()
  }

  /// Shows the snapshot if loading it was deferred and no content has come since.
  func showOwedSnapshot() {
    guard content.owesSnapshot else { return }
    content.setOwed(false)
    guard !hasAppeared else { return }
    showSnapshot()
    resize(animated: false)
  }

  /// Shows the snapshot that another host saved if it is newer than the shown content.
  func takeOverSnapshot() {
    guard let changed = content.showNewerSnapshot() else { return }
    noteSnapshot()
    contentDidChange(resizes: changed)
  }

  private func noteSnapshot() {
    noteContent()
    if card.state == .starting { card.state = .snapshot }
  }
}

// MARK: - Height and form

extension CardController: CardMotionOwner, CardFormOwner {
  /// The largest size of the body.
  var maximumSize: Size {
    Size(columns: card.bodySize.columns, rows: maximumRows(isFixed: form.hasFixedHeight))
  }

  private func maximumRows(isFixed: Bool) -> Int {
    isFixed ? CardForm.compactRows : services.limits.bodyRows
  }

  /// Sets the height that the content prefers, within the limits, and moves there.
  private func resize(animated: Bool) {
    let isNewWidth = card.bodySize.columns != content.width
    card.bodySize.columns = content.width
    guard content.hasHeight else { return }
    let wanted = form.hasFixedHeight ? CardForm.compactRows : content.wantedRows
    let rows = min(max(0, wanted), maximumSize.rows)
    guard rows != card.bodySize.rows || isNewWidth else { return }
    guard hasAppeared else {
      card.bodySize.rows = rows
      return
    }
    if isNewWidth {
      motion.go(to: rows, because: .width, animated: animated && rows != card.bodySize.rows)
    } else if isPlacing {
      motion.go(to: rows, because: .placing, animated: false)
    } else {
      let isPress = presses.isRecent(within: .seconds(1))
      motion.go(to: rows, because: isPress ? .press : .content, animated: animated)
    }
  }

  var bodyAtRest: LaidOutView { content.laidOut(rows: card.bodySize.rows) }

  var hearsTransitions: Bool { session?.state.hearsTransitions ?? false }

  func grant(rows: Int) -> Size {
    card.bodySize.rows = rows
    return card.bodySize
  }

  func transitionWillBegin(_ request: ViewWillTransitionToSizeRequest) {
    session?.handle(.transition(request))
  }

  func transitionDidEnd(_ id: Int, finished: Bool) {
    session?.handle(.transitionEnded(transition: id, finished: finished))
  }

  func motionDidChange() { page.cardDidChange() }

  func heldResizeIsDue() { contentDidChange(resizes: true) }

  func motionMayHaveSettled() { page.cardMayHaveSettled() }

  /// Applies what the widget animates alongside a transition.
  private func alongside(_ id: Int, _ view: ViewNode?) {
    motion.alongside(id) {
      guard let view, content.apply(alongside: view) else { return }
      contentDidChange(resizes: content.followsView)
    }
  }

  /// Switches between the compact and the expanded form.
  func toggleDisplayMode() {
    guard card.offersExpanded else { return }
    content.keep()
    form.toggle()
    noteForm()
    session?.handle(.displayMode(card.displayMode, maximumSize: maximumSize))
    presses.note()
    contentDidChange(resizes: true)
  }

  private func noteForm() {
    card.displayMode = form.displayMode
    card.offersExpanded = form.offersExpanded
  }

  func formDidChange(_ change: CardForm.Change) {
    noteForm()
    // The host itself made this change, so the limit on a widget's requests does not delay it.
    if change.isShortened { motion.liftLimit() }
    if maximumSize.rows != maximumRows(isFixed: change.hadFixedHeight) || change.isShortened {
      session?.handle(.displayMode(card.displayMode, maximumSize: maximumSize))
    }
    contentDidChange(resizes: true)
  }

  /// Applies the margins that the widget requests, within the limits.
  private func setMarginInsets(_ insets: EdgeInsets) {
    var clamped = insets
    clamped.left = min(insets.left, innerWidth / 2)
    clamped.right = min(insets.right, innerWidth / 2)
    clamped.top = min(insets.top, 4)
    clamped.bottom = min(insets.bottom, 4)
    card.marginInsets = clamped
    content.setWidth(innerWidth - clamped.columns)
    contentDidChange(resizes: true)
  }
}

// MARK: - Presses

extension CardController: CardPressesOwner {
  var awaitsLiveView: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .idle, .pausing, .initializing, .ending(failure: nil): return !state.isQuitting
    case .ending, .stopped: return false
    case .running:
      if state.waitsForMargins || state.appearance == .appearing { return true }
      guard isVisible else { return state.appearance == .disappearing }
      // A view that the current process has not sent is still the saved snapshot.
      return !hasAppeared || !run.hasOwnView && state.update != nil
    }
  }

  var targets: [PressTarget] { bodyAtRest.targets }

  func deliver(press target: PressTarget) {
    if let action = target.action {
      session?.handle(.press(PerformActionRequest(action: action, value: target.newValue)))
    } else if let link = target.link {
      open(link) { _ in }
    }
  }

  func pressesDidChange() {
    card.pressCue = presses.cue
    card.pressed = presses.pressed
    content.setSwitched(presses.switched)
    page.cardDidChange()
  }

  /// Shows the result of a press.
  private func pressEnded(_ action: String, failure: String?) {
    presses.ended(action, hasFailed: failure != nil)
    if let failure { page.say(SafeText("\(card.name): \(failure)")) }
  }

  /// Answers a widget's request to open a URL, which is allowed only after a press by the user.
  private func answerOpen(_ url: String, _ id: MessageID) {
    let sincePress = presses.last.map { $0.duration(to: clock.now) }
    if let refusal = OpenURLPolicy.refusal(sincePress: sincePress) {
      log(SafeText("openURL refused: \(refusal)"))
      session?.answer(open: id, success: false)
      return
    }
    open(url) { [weak self] in self?.session?.answer(open: id, success: $0 == nil) }
  }

  /// Opens a URL for the card's widget; if it is refused, the log and the line below the page say why.
  func open(_ url: String, completion: @escaping (URLRefusal?) -> Void) {
    page.open(url, for: session?.bundle.containingApp) { [weak self] refusal in
      if let self, let refusal {
        log(SafeText("openURL refused: \(refusal)"))
        page.say(SafeText("\(card.name): not opened: \(refusal)"))
      }
      completion(refusal)
    }
  }
}

// MARK: - Updates and age

extension CardController: UpdateScheduleOwner, FreshnessOwner {
  var canBeScheduled: Bool { session != nil && (!isVisible || hasAppeared) }

  var bundleInterval: Double? { session?.bundle.infoPlist.widgetExtension?.refreshInterval }

  var takesUpdates: Bool? {
    guard let state = session?.state, state.phase == .running else { return nil }
    return state.implements.contains(WidgetPerformUpdateRequest.method)
  }

  var hasUpdate: Bool {
    session.map { $0.state.update != nil || $0.state.nextUpdate != nil } ?? false
  }

  var isQuitting: Bool { session?.state.isQuitting ?? true }

  var hasTimeline: Bool { content.followedTimeline != nil }

  func requestUpdate(_ reason: UpdateReason) {
    session?.handle(.update(reason))
  }

  func takeOverFromOthers() {
    takeOver(updates.readShared())
  }

  func updateMayHaveChanged() {
    freshness.setUpdating(
      session?.state.awaitsUpdate == true || updates.waitsForOtherHost && updates.isDue
    )
  }

  func checkAge() {
    freshness.check()
  }

  func log(_ words: SafeText) {
    session?.log.write(words)
  }

  var freshnessFacts: FreshnessWatch.Facts {
    FreshnessWatch.Facts(
      contentDate: card.contentDate,
      isKeptCurrent: card.isKeptCurrent,
      history: updates.plannedHistory,
      nextUpdate: updates.nextUpdate,
      awaitsTimer: updates.awaitsTimer,
      waitsForTimeline: updates.waitsForTimeline
    )
  }

  func freshnessDidChange(_ freshness: Freshness) {
    card.isUpdating = freshness.isUpdating
    card.hasMissedUpdate = freshness.hasMissedUpdate
    card.isStale = freshness.isStale
    page.cardDidChange()
  }

  /// Records the result of an update, saves its content, and schedules the next update.
  private func updateEnded(_ outcome: UpdateOutcome) {
    freshness.updateEnded()
    updates.note(outcome)
    // The history is written after the snapshot that it describes.
    if outcome.result == .newData { content.keep(with: outcome.timeline) }
    updates.keep(with: content.picture)
    updates.plan()
    updateMayHaveChanged()
    checkAge()
    page.cardDidUpdate(card.id, outcome)
    presses.deliverWaiting()
  }

  /// Takes over another host's update: its snapshot, and the history that belongs to it.
  func takeOver(_ other: RefreshHistory) {
    takeOverSnapshot()
    // Without the snapshot, for example because its locale differs, this host keeps its own schedule.
    guard content.isDescribed(by: other), let date = other.lastUpdate,
      Snapshot.isNewer(date, than: updates.history.lastUpdate, now: clock.date)
    else { return checkAge() }
    updates.adopt(other, updatedAt: date)
    if other.failures == 0, hasAppeared { health(.live, nil) }
    updates.plan()
    updateMayHaveChanged()
    checkAge()
  }

  /// Uses the age of the loaded snapshot if the history describes a snapshot that is not available
  /// here, so that an update whose result cannot be shown does not count as made.
  private func settleHistory() {
    let history = updates.history
    guard session != nil, content.hasLookedForSnapshot, !content.isDescribed(by: history) else {
      return
    }
    updates.replace(
      by: history.describing(
        content.picture,
        made: content.pictureDate,
        timeline: content.followedTimeline
      )
    )
    updates.plan()
  }
}

// MARK: - The process

extension CardController {
  /// Performs an effect that the session reports.
  private func perform(_ effect: CardEffect) {
    switch effect {
    case .apply(let content, let source): apply(content, source)
    case .becameLive: becameLive()
    case .disappeared: content.keep()
    case .health(let state, let message): health(state, message)
    case .marginInsets(let insets): setMarginInsets(insets)
    case .largestDisplayMode(let mode):
      run.hasStatedForms = true
      form.setLargest(mode, isLive: hasAppeared)
    case .alongside(let transition, let view): alongside(transition, view)
    case .updateEnded(let outcome): updateEnded(outcome)
    case .open(let url, let id): answerOpen(url, id)
    case .hasContent(let request, let id):
      let refusal = page.refusal(of: request, from: card.id)
      session?.answer(hasContent: id, refusal: refusal)
      if refusal == nil { page.setHasContent(request) }
    case .pressDropped: presses.drop()
    case .pressEnded(let action, let failure): pressEnded(action, failure: failure)
    case .suspended: page.cardDidFinish()
    case .finished: finish()
    }
    page.cardMayHaveSettled()
  }

  /// Called when a process starts: values of the previous one are used only until this one shows
  /// content.
  private func beginRun() {
    content.processDidBegin()
    run = CardRun()
  }

  /// The live view has replaced the snapshot.
  private func becameLive() {
    hasAppeared = true
    if card.view != nil || card.state != .failed {
      card.state = .live
      card.message = nil
    }
    presses.clearCue()
    card.pressCue = presses.cue
    dropWhatIsInherited()
    page.cardDidChange()
    refresh(.appear)
    checkAge()
    presses.deliverWaiting()
  }

  /// Discards inherited values after the first answers: values that the process did not set are reset
  /// to their defaults.
  private func dropWhatIsInherited() {
    if !run.hasStatedForms { form.setLargest(.compact, isLive: hasAppeared) }
    let asks = session?.state.implements.contains(WidgetMarginInsetsRequest.method) ?? false
    if !asks, card.marginInsets != .proposed { setMarginInsets(.proposed) }
  }

  /// Shows the widget's state in the heading.
  func health(_ state: CardState, _ message: String?) {
    if state == .live, !hasAppeared, isVisible { return }
    if state == .snapshot {
      becameSnapshot()
      return
    }
    if state == .failed || state == .stopped, session?.state.hasProcess == false {
      hasAppeared = false
      motion.finish()
      presses.processDidEnd()
    }
    let words = message.map { SafeText($0) }
    // An update without new data must not cause drawing.
    guard state != card.state || words != card.message else { return }
    card.state = state
    card.message = words
    page.cardDidChange()
  }

  /// Called when the process has ended normally: the content of the card is now a snapshot.
  private func becameSnapshot() {
    hasAppeared = false
    motion.finish()
    guard card.state == .live || card.state == .stopped else { return }
    card.state = card.view == nil ? .starting : .snapshot
    card.message = nil
    page.cardDidChange()
  }

  /// Called when the process has ended and no other one will be started.
  private func finish() {
    content.keep()
    isFinished = true
    updates.releaseLock()
    page.cardDidFinish()
  }

  /// Ends an update that was requested from a process that does not support updates, so that it is not
  /// requested again.
  private func endOfferedUpdate() {
    guard let state = session?.state, state.phase == .running, !state.awaitsUpdate,
      takesUpdates == false
    else { return }
    updates.learn()
    updates.releaseLock()
  }

  /// Whether the process may still push its first view, for which a printed page waits.
  private func awaitsFirstView() -> Bool {
    guard !services.schedulesUpdates, !run.hasOwnView, let takesUpdates,
      card.view == nil || !takesUpdates
    else { return false }
    let now = clock.now
    let deadline = run.firstViewDeadline ?? now + CardRun.firstViewPatience
    run.firstViewDeadline = deadline
    guard now < deadline else { return false }
    if run.firstViewTimer == nil {
      run.firstViewTimer = clock.schedule(after: now.duration(to: deadline)) { [weak self] in
        self?.page.cardMayHaveSettled()
      }
    }
    return true
  }
}
