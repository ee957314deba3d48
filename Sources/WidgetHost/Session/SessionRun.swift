import WidgetKitCore

/// One process of a widget, from its launch to its end: what it is sent, and what its answers lead to.
///
/// Everything that is known of a process is in here, so that nothing of it remains when the value is
/// dropped. What the page wants of the widget outlives the process, and is passed in. The file is long because
/// every event of a process has a function here, which combines the parts.
///
/// | part | job |
/// | --- | --- |
/// | ``ProcessLife`` | started, initialized, ending |
/// | ``ViewAppearance`` | margins, and how the view appears and disappears |
/// | ``OpenWork`` | presses, transitions and URLs that are not finished |
/// | ``Suspension`` | from use to suspension and back, with ``ExpiringActivities`` |
/// | ``ResourceUse`` | memory, processes and files, compared with the limits |
/// | ``MessageFaults`` | invalid messages |
/// | ``UntoldChanges`` | colours and settings that it could not be told of |
/// | ``ToldHostState`` | what it was told of the focus, and of the page being hidden |
/// | ``WidgetEditing`` | whether the user edits the widget |
nonisolated struct SessionRun {
  private(set) var life = ProcessLife()
  private(set) var view = ViewAppearance()
  private(set) var suspension: Suspension
  private var work = OpenWork()
  private var resources: ResourceUse
  private var faults = MessageFaults()
  private var policy: SessionPolicy
  private var changes = UntoldChanges()
  private var hostState = ToldHostState()
  private(set) var editing = WidgetEditing()
  /// Whether an update was not answered in time, and nothing has come since.
  private(set) var doesNotAnswer = false
  /// Whether a quitting host has nothing to wait for but activities.
  private var isLeaving = false

  /// A process that is about to be started; `lastActivity` is the number of the last one before it.
  init(policy: SessionPolicy, resources: ResourceLimits, lastActivity: Int) {
    self.policy = policy
    self.resources = ResourceUse(limits: resources)
    suspension = Suspension(activities: ExpiringActivities(after: lastActivity))
  }

  private var stage: ProcessLife.Stage { life.stage }
  private var activities: ExpiringActivities { suspension.activities }

  /// Whether it can be told of a transition; a suspended one is told its size when it appears.
  var hearsTransitions: Bool {
    suspension.rest != .suspended && life.sends(ViewWillTransitionToSizeRequest.method)
  }

  /// Whether the widget works on something that it was asked for.
  func isAtWork(_ demand: SessionDemand) -> Bool {
    let isBusy = demand.updates.isUpdating || !work.isWidgetIdle || !activities.isEmpty
    return stage == .initializing || stage == .running && suspension.rest != .suspended && isBusy
  }

  /// Whether the page needs it at this moment.
  private func isInUse(_ demand: SessionDemand) -> Bool {
    view.state != .off || demand.view != nil || view.waitsForMargins || demand.updates.isUpdating
  }

  // MARK: - After every event

  /// Adds to the effects of an event what follows for the suspension, and for the log.
  mutating func completing(
    _ effects: [SessionEffect],
    _ demand: SessionDemand,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    var effects = effects
    if !activities.isEmpty, effects.contains(.signal(.kill)) {
      effects.insert(.log("killed with \(activities.words) open", isKept: true), at: 0)
    }
    effects = editing.following(effects, life, view)
    if mustResume(for: effects, demand) {
      effects = suspension.resume() + rearmed(demand) + tellChanges() + effects
    }
    guard stage == .running, !demand.isQuitting else { return effects }
    if suspension.rest != .suspended { effects = hostState.around(effects, demand, view, life) }
    return effects
      + suspension.follow(
        isInUse: isInUse(demand),
        isBusy: !work.isEmpty,
        isPaused: demand.isPaused,
        policy,
        at: now
      )
  }

  /// Whether SIGCONT is needed before effects, or because the widget is needed again.
  private func mustResume(for effects: [SessionEffect], _ demand: SessionDemand) -> Bool {
    guard suspension.rest == .suspended else { return false }
    if demand.isQuitting, stage == .running { return true }
    if effects.contains(where: \.needsRunningWidget) { return true }
    return !demand.isPaused && (stage == .initializing || stage == .running && isInUse(demand))
  }

  /// Sets the deadlines of all requests that are not answered again.
  private func rearmed(_ demand: SessionDemand) -> [SessionEffect] {
    guard life.isUp else { return [] }
    return life.rearmed(policy) + view.rearmed(policy) + demand.updates.rearmed(policy)
  }

  // MARK: - Start and end

  /// The program was started.
  func launched(_ request: InitializeRequest) -> [SessionEffect] { life.launched(request, policy) }

  /// Something is missing that the user must set before the process can do anything.
  mutating func withheld(_ words: String) -> [SessionEffect] { life.withheld(words) }

  private mutating func initialized(
    _ reply: InitializeRequest.Reply,
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    guard stage == .initializing else { return [] }
    let effects = life.initialized(reply)
    guard stage == .running else { return effects }
    if changes.hasConfiguration, !life.sends(ConfigurationDidChangeNotification.method) {
      return effects + restartForSettings()
    }
    let told = effects + tellChanges()
    guard life.sends(WidgetMarginInsetsRequest.method) else { return told + begin(&demand) }
    return told + view.requestMargins(policy)
  }

  private mutating func marginsEnded(_ demand: inout SessionDemand) -> [SessionEffect] {
    guard let effects = view.marginsEnded() else { return [] }
    return effects + begin(&demand)
  }

  /// Starts what the page has wanted since before the process was ready.
  private mutating func begin(_ demand: inout SessionDemand) -> [SessionEffect] {
    let effects = willAppear(&demand)
    guard let reason = demand.updates.takeNext() else { return effects }
    return effects + request(reason, &demand)
  }

  /// Ends a suspended process that is not needed; this is no failure.
  private mutating func release(_ reason: String) -> [SessionEffect] {
    guard stage == .running, suspension.rest == .suspended else { return [] }
    return [.log("ended while suspended: \(reason)", isKept: true)] + life.shutdown(policy)
  }

  /// The program on disk is another one.
  mutating func bundleChanged() -> [SessionEffect] {
    guard life.isUp else { return [] }
    let words = "the bundle has changed: the process was ended, the new one starts"
    return [.log(words), .disarm(.initialize)] + life.shutdown(policy)
  }

  /// Ends a process that does not answer, so that another one takes its place.
  mutating func replace() -> [SessionEffect] {
    let words = "does not answer: the process is ended, and a new one starts"
    return [.log(words, isKept: true), .disarm(.widgetPerformUpdate)] + life.terminate(policy)
  }

  /// The host quits, with shorter deadlines; `isHeldBack`: it does not read what the widget sends.
  mutating func quit(isHeldBack: Bool, _ demand: inout SessionDemand) -> [SessionEffect] {
    policy = policy.shortenedForQuit
    switch stage {
    case .initializing: return life.shutdown(policy)
    case .ending: return [.arm(.terminate, policy.terminate)]
    // Answers are not read, so nothing is waited for.
    case .running where isHeldBack:
      return activities.granted.isEmpty ? life.terminate(policy) : leave()
    case .running: return view.isVisible ? disappear(&demand) : leave()
    }
  }

  /// Ends the process, or lets it continue without the host if it has granted activities.
  private mutating func leave() -> [SessionEffect] {
    guard !activities.granted.isEmpty else { return life.shutdown(policy) }
    isLeaving = true
    return [.leaving]
  }

  /// What may continue after the host, if that is all that a quitting host has to wait for.
  var activitiesToContinue: OpenActivities? {
    guard isLeaving, stage == .running else { return nil }
    return OpenActivities(
      numbers: activities.granted,
      areHeard: life.sends(ExpiringActivityNotification.method),
      limit: policy.afterQuit,
      lastMoments: policy.lastMoments
    )
  }

  /// A limit was exceeded; `words` names it.
  mutating func violation(_ words: String) -> [SessionEffect] { life.violation(words) }
  mutating func away(_ words: String) -> [SessionEffect] { life.away(words) }

  /// A line could not be read as a message.
  mutating func badMessage(_ error: WireError, at now: ContinuousClock.Instant) -> [SessionEffect] {
    let words = faults.note(at: now, limit: policy.protocolErrorsPerMinute)
    return [.log("invalid message: \(error)")] + (words.map { violation($0) } ?? [])
  }

  /// When it was suspended, it had an exclusive lock on a file that others use.
  mutating func heldLock(_ path: String) -> [SessionEffect] {
    suspension.rest == .suspended ? life.heldLock(path) : []
  }

  /// What its processes or its container use was measured.
  mutating func found(_ finding: ResourceFinding) -> [SessionEffect] {
    if case .release(let reason) = finding { return release(reason) }
    return life.isUp ? life.take(resources.verdict(on: finding)) : []
  }

  // MARK: - View

  /// The card is on the screen.
  mutating func appear(_ demand: inout SessionDemand) -> [SessionEffect] {
    stage == .running && !view.waitsForMargins ? willAppear(&demand) : []
  }

  /// The card is off the screen, or the host is about to be suspended or to quit.
  mutating func disappear(_ demand: inout SessionDemand) -> [SessionEffect] {
    guard view.state == .on || demand.isQuitting && view.state == .appearing else { return [] }
    return changed(from: view.state, view.willDisappear(life.methods, policy), &demand)
  }

  private mutating func willAppear(_ demand: inout SessionDemand) -> [SessionEffect] {
    guard view.state == .off, let wanted = demand.view else { return [] }
    return changed(from: .off, view.willAppear(wanted, life.methods, policy), &demand)
  }

  private mutating func didAppear(_ demand: inout SessionDemand) -> [SessionEffect] {
    changed(from: view.state, view.didAppear(life.methods), &demand)
  }

  private mutating func didDisappear(_ demand: inout SessionDemand) -> [SessionEffect] {
    changed(from: view.state, view.didDisappear(life.methods), &demand)
  }

  /// Adds what follows if the view has come on the screen or left it.
  private mutating func changed(
    from state: ViewAppearance.State,
    _ effects: [SessionEffect],
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    guard view.state != state else { return effects }
    switch view.state {
    case .appearing, .disappearing: return effects
    case .on:
      let presses = demand.presses.takeAll().flatMap { press($0, &demand) }
      return effects + presses + (demand.view == nil ? disappear(&demand) : [])
    case .off:
      return effects + (demand.isQuitting ? leave() : willAppear(&demand))
    }
  }

  // MARK: - From the page

  /// Sends a press, or lets it wait for the live view, which may be that of the next process.
  mutating func press(
    _ press: PerformActionRequest,
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    switch stage {
    case .running where view.acceptsPresses:
      return work.press(press, life.methods, limit: policy.openPresses)
    case .ending where demand.isQuitting, .ending(failure: _?):
      return [.pressDropped]
    case .initializing, .running, .ending(failure: nil):
      return demand.presses.hold(press, limit: policy.openPresses)
    }
  }

  /// Tells the widget of a change of a list, which is not done if it cannot be told now.
  mutating func change(_ change: ListChange) -> [SessionEffect] {
    guard stage == .running, view.acceptsPresses else {
      return [.listEnded(change, .failed("The widget is not ready."))]
    }
    return work.change(change, life.methods, limit: policy.openPresses)
  }

  /// Whether the user can edit the widget now.
  var canBeEdited: Bool { WidgetEditing.isPossible(life, view) }

  /// The user begins to edit the widget, or has finished.
  mutating func edit(_ begins: Bool) -> [SessionEffect] {
    begins ? editing.begin(life, view) : editing.end(life)
  }

  /// Tells the widget of what is typed.
  func typed(_ message: FieldDidChangeNotification) -> [SessionEffect] {
    guard stage == .running, life.sends(FieldDidChangeNotification.method) else { return [] }
    return [.send(.fieldDidChange(message))]
  }

  /// Asks for an update now or later.
  mutating func request(
    _ reason: UpdateReason,
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    switch stage {
    case .running where !demand.isPaused && !view.waitsForMargins:
      guard life.sends(WidgetPerformUpdateRequest.method) else { return [] }
      return demand.updates.begin(reason, policy)
    case .ending where demand.isQuitting && !demand.isPaused:
      return []
    case .initializing, .running, .ending:
      demand.updates.wait(for: reason)
      return []
    }
  }

  /// Adds the update that has waited, if the one in progress has ended.
  private mutating func updateEnded(
    _ old: UpdateReason?,
    _ effects: [SessionEffect],
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    guard old != nil, !demand.isPaused, let next = demand.updates.takeNext() else { return effects }
    return effects + request(next, &demand)
  }

  /// Tells the widget of a transition, if it can be told.
  mutating func transition(_ request: ViewWillTransitionToSizeRequest) -> [SessionEffect] {
    hearsTransitions ? work.transition(request) : []
  }

  /// Tells the widget of the end of a transition that it was told of.
  mutating func transitionEnded(_ id: Int, finished: Bool) -> [SessionEffect] {
    work.transitionEnded(id, finished: finished, life.methods)
  }

  /// Tells the widget that the user has chosen another display mode.
  func displayMode(_ message: ActiveDisplayModeDidChangeNotification) -> [SessionEffect] {
    let isSent = life.sends(ActiveDisplayModeDidChangeNotification.method)
    return isSent ? [.send(.activeDisplayModeDidChange(message))] : []
  }

  /// Tells the widget of other colours; a suspended one is not woken for that.
  mutating func appearanceDidChange(_ appearance: Appearance) -> [SessionEffect] {
    changes.note(appearance)
    return suspension.rest == .suspended ? [] : tellChanges()
  }

  /// Refuses expiring activities from now on, or grants them again.
  mutating func denyActivities(_ isDenied: Bool) {
    policy.deniesActivities = isDenied
  }

  /// Tells the widget that the time of all its activities has run out.
  mutating func expireActivities() -> [SessionEffect] {
    suspension.expire(life.methods, policy)
  }

  /// Tells the widget what other processes did with data that it shares; a suspended one is not woken
  /// for that.
  mutating func sharedDataDidChange(_ change: SharedDataChange) -> [SessionEffect] {
    changes.note(change)
    return suspension.rest == .suspended ? [] : tellChanges()
  }

  /// Tells the widget of other settings, a suspended one later; one that cannot be told is ended, and
  /// the next process has them.
  mutating func configurationDidChange(_ configuration: WidgetConfiguration) -> [SessionEffect] {
    if case .ending = stage { return [] }
    changes.note(configuration)
    if stage == .running, !life.sends(ConfigurationDidChangeNotification.method) {
      return restartForSettings()
    }
    return suspension.rest == .suspended ? [] : tellChanges()
  }

  private mutating func restartForSettings() -> [SessionEffect] {
    changes.dropConfiguration()
    let words = "the settings have changed: the process was ended, the new one starts"
    return [.log(words)] + life.shutdown(policy)
  }

  /// Tells the widget of what has changed while it could not be told.
  private mutating func tellChanges() -> [SessionEffect] {
    stage == .running ? changes.tell(life.methods) : []
  }

  /// A URL that the widget asked to open was opened or refused.
  mutating func opened() -> [SessionEffect] {
    work.opened()
    return []
  }

  /// Tells the widget of transfers that have ended.
  mutating func transfersEnded(
    _ request: HandleEventsForBackgroundURLSessionRequest
  ) -> [SessionEffect] {
    guard life.sends(HandleEventsForBackgroundURLSessionRequest.method) else { return [] }
    return work.handleEvents(request)
  }

  /// Tells the widget how far a transfer is; a suspended one is not woken for that.
  func transferDidProgress(_ message: TransferDidProgressNotification) -> [SessionEffect] {
    guard suspension.rest != .suspended, life.sends(TransferDidProgressNotification.method) else {
      return []
    }
    return [.send(.transferDidProgress(message))]
  }

  /// The host is about to be suspended: the view disappears, and open activities get a last moment.
  mutating func pause(_ demand: inout SessionDemand) -> [SessionEffect] {
    disappear(&demand) + suspension.expire(life.methods, policy)
  }

  /// The host is suspended now, whatever the widget is doing; deadlines do not run meanwhile.
  mutating func freeze() -> [SessionEffect] {
    guard life.isUp, suspension.rest != .suspended else { return [] }
    return SessionDeadline.answers.map { .disarm($0) } + suspension.suspend(policy)
  }

  // MARK: - From the widget

  /// Takes an answer to a request of the host.
  mutating func replied(_ reply: HostReply, _ demand: inout SessionDemand) -> [SessionEffect] {
    doesNotAnswer = false
    switch reply {
    case .initialize(let reply):
      return initialized(reply, &demand)
    case .widgetMarginInsets(let insets):
      return [.marginInsets(insets)] + marginsEnded(&demand)
    case .viewWillAppear(let content):
      return content.effects(.appearance) + didAppear(&demand)
    case .viewWillDisappear(let content):
      guard view.state == .disappearing else { return [] }
      return content.effects(.disappearance) + didDisappear(&demand)
    case .widgetPerformUpdate(let reply):
      return updateEnded(demand.updates.current, demand.updates.replied(reply), &demand)
    case .viewWillTransitionToSize(let transition, let reply):
      return [.alongside(transition: transition, reply.alongside)]
    case .performAction(let action, let reply):
      return work.pressEnded(action, reply)
    case .handleEvents(let identifier):
      return work.eventsHandled(identifier, refusal: nil)
    case .list(let change, let isAllowed, let content):
      return work.changeEnded(change, isAllowed ? .done : .refused) + content.effects(.action)
    case .refused(let call, let error):
      return [.log("\(call.method): \(error)")] + refused(call, error, &demand)
    }
  }

  /// Takes an error, which counts as an answer.
  private mutating func refused(
    _ call: HostCall,
    _ error: WireError,
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    switch call {
    case .initialize: life.initializeFailed(error)
    case .widgetMarginInsets: marginsEnded(&demand)
    case .viewWillAppear: didAppear(&demand)
    case .viewWillDisappear: didDisappear(&demand)
    case .widgetPerformUpdate:
      updateEnded(demand.updates.current, demand.updates.refused(error), &demand)
    case .viewWillTransitionToSize(let id): [.alongside(transition: id, nil)]
    case .performAction(let action): work.pressEnded(action, failure: error.message)
    case .list(let change): work.changeEnded(change, .failed(error.message))
    case .handleEvents(let identifier): work.eventsHandled(identifier, refusal: error)
    }
  }

  /// Takes a notification or a request.
  mutating func received(_ message: WidgetMessage, _ demand: SessionDemand) -> [SessionEffect] {
    doesNotAnswer = false
    return switch message {
    case .setView where stage == .initializing:
      [.log("setView before initialize was answered: dropped")]
    case .setView(let view): [.apply(ContentUpdate(view: view), .push)]
    case .setPreferredContentSize(let size):
      [.apply(ContentUpdate(preferredContentSize: size.stated), .push)]
    case .setLargestAvailableDisplayMode(let mode): [.largestDisplayMode(mode)]
    case .log(let line):
      [.log(line.level.map { "\($0): \(line.message)" } ?? line.message.string)]
    case .openURL(let url, let id): work.open(url: url, id: id)
    case .beginExpiringActivity(let reason, let id):
      suspension.beginActivity(reason, id: id, demand, policy, isEnding: !life.isUp)
    case .endExpiringActivity(let number): endActivity(number)
    case .service(let request, let id): [.process(.perform(request, id: id))]
    }
  }

  private mutating func endActivity(_ number: Int) -> [SessionEffect] {
    guard suspension.endActivity(number) else {
      return [.log("endExpiringActivity: no activity \(number) is open")]
    }
    guard isLeaving, stage == .running, activities.granted.isEmpty else { return [] }
    return life.shutdown(policy)
  }

  // MARK: - Deadlines

  /// The time for something has run out.
  mutating func ranOut(
    _ deadline: SessionDeadline,
    _ demand: inout SessionDemand
  ) -> [SessionEffect] {
    switch deadline {
    case .initialize:
      return life.initializeTimedOut(policy)
    case .widgetMarginInsets:
      return [.log("slow: no answer to widgetMarginInsets")] + marginsEnded(&demand)
    case .viewWillAppear:
      return changed(from: view.state, view.appearTimedOut(life.methods, policy), &demand)
    case .viewWillDisappear:
      return changed(from: view.state, view.disappearTimedOut(life.methods), &demand)
    case .widgetPerformUpdate:
      doesNotAnswer = demand.updates.isUpdating && stage == .running
      return updateEnded(demand.updates.current, demand.updates.timedOut(policy), &demand)
    case .suspension:
      guard !demand.isQuitting else { return [] }
      return suspension.ranOut(life.methods, policy)
        ?? release("not needed for \(policy.idle.components.seconds / 60) min")
    case .shutdown:
      return [.signal(.terminate), .arm(.terminate, policy.terminate)]
    case .terminate:
      return [.signal(.kill)]
    case .restart:
      return []
    }
  }
}
