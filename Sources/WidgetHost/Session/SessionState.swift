import WidgetKitCore

/// The life of one widget as a value: ``handle(_:at:)`` takes an event and returns what is to be done.
///
/// Processes, pipes and timers only perform that, so that all decisions are tested without them.
/// ``SessionDemand`` is what the page wants, over all processes; ``SessionRun`` is the present process.
/// This type decides when a process is started, and what follows its end.
nonisolated struct SessionState {
  /// The stages of a process, and of a widget without one.
  enum Phase: Hashable {
    /// There is no process, and none is needed.
    case idle
    /// The process was started; `initialize` is not answered.
    case initializing
    /// `initialize` was answered.
    case running
    /// The process was told to exit, or was killed; `failure` is the reason if it counts as a failure.
    case ending(failure: String?)
    /// The process has failed; the next start waits for its time.
    case pausing
    /// Processes have failed too often; the user can start it again.
    case stopped
  }

  /// Why there is no process; as long as there is one, `idle`.
  private enum Absence {
    case idle
    case pausing
    case stopped
  }

  private var demand = SessionDemand()
  private var run: SessionRun?
  private var absence = Absence.idle
  private var restarts: RestartHistory
  /// The number of the last activity of the processes that have ended.
  private var lastActivity = 0
  private var policy: SessionPolicy
  private let resources: ResourceLimits

  init(policy: SessionPolicy = SessionPolicy(), resources: ResourceLimits = ResourceLimits()) {
    self.policy = policy
    self.resources = resources
    restarts = RestartHistory(policy: policy.restarts)
  }

  // MARK: - What is known

  var phase: Phase {
    switch run?.life.stage {
    case .initializing: return .initializing
    case .running: return .running
    case .ending(let failure): return .ending(failure: failure)
    case nil: break
    }
    switch absence {
    case .idle: return .idle
    case .pausing: return .pausing
    case .stopped: return .stopped
    }
  }

  /// Whether a process exists.
  var hasProcess: Bool { run != nil }
  /// Where the view is.
  var appearance: ViewAppearance.State { run?.view.state ?? .off }
  /// Whether the view cannot appear yet, because the margins are not known.
  var waitsForMargins: Bool { run?.view.waitsForMargins ?? false }
  /// The optional methods that the process has listed.
  var implements: Set<String> { run?.life.implements ?? [] }
  /// How far the process is on the way to its suspension.
  var rest: Suspension.Rest { run?.suspension.rest ?? .awake }
  /// Whether no process runs: it is suspended, or there is none.
  var isAtRest: Bool { run == nil || rest == .suspended }
  /// Whether the widget works on something that it was asked for.
  var isAtWork: Bool { run?.isAtWork(demand) ?? false }
  /// Whether the user can edit the widget now.
  var canBeEdited: Bool { run?.canBeEdited ?? false }
  /// Whether the widget can be told of a transition.
  var hearsTransitions: Bool { run?.hearsTransitions ?? false }
  /// How many expiring activities are open.
  var openActivities: Int { run?.suspension.activities.count ?? 0 }
  /// What may continue after the host, if that is all that a quitting host has to wait for.
  var activitiesToContinue: OpenActivities? { run?.activitiesToContinue }
  /// The update in progress.
  var update: UpdateReason? { demand.updates.current }
  /// The update that follows it, or waits for a process.
  var nextUpdate: UpdateReason? { demand.updates.next }
  /// Whether an update is in progress, or waits for a process that exists.
  var awaitsUpdate: Bool { run != nil && !demand.updates.isEmpty }
  /// Whether presses wait for the live view.
  var holdsPresses: Bool { !demand.presses.isEmpty }
  /// Whether the host is quitting.
  var isQuitting: Bool { demand.isQuitting }
  /// How many failures count.
  var failureCount: Int { restarts.count }

  // MARK: - Events

  /// Takes an event and returns what is to be done, in order.
  mutating func handle(
    _ event: SessionEvent,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    let effects = decide(event, at: now)
    return run?.completing(effects, demand, at: now) ?? effects
  }

  private mutating func decide(
    _ event: SessionEvent,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch event {
    case .appear(let size, let isAnimated): appear(.init(size: size, isAnimated: isAnimated))
    case .disappear: disappear()
    case .update(let reason): request(reason)
    case .press(let press): self.press(press)
    case .list(let change): self.change(change)
    case .edit(let begins): run?.edit(begins) ?? []
    case .typed(let message): run?.typed(message) ?? []
    case .transition(let request): run?.transition(request) ?? []
    case .transitionEnded(let id, let finished): run?.transitionEnded(id, finished: finished) ?? []
    case .displayMode(let mode, let maximumSize):
      run?.displayMode(.init(activeDisplayMode: mode, maximumSize: maximumSize)) ?? []
    case .appearance(let appearance): run?.appearanceDidChange(appearance) ?? []
    case .denyActivities(let isDenied): denyActivities(isDenied)
    case .expireActivities: run?.expireActivities() ?? []
    case .configuration(let configuration): configurationDidChange(configuration)
    case .sharedData(let change): run?.sharedDataDidChange(change) ?? []
    case .retry: retry()
    case .pause: pause()
    case .freeze: run?.freeze() ?? []
    case .unpause(let view): unpause(showing: view)
    case .host(let state, let view): hostDidChange(state, showing: view)
    case .opened: run?.opened() ?? []
    case .transferEvents(let request): run?.transfersEnded(request) ?? []
    case .transferProgress(let message): run?.transferDidProgress(message) ?? []
    case .bundleChanged: bundleChanged()
    case .quit: quit(isHeldBack: false)
    case .quitWithoutNotice: quit(isHeldBack: true)
    case .left: left()
    case .launched(let request): run?.launched(request) ?? []
    case .launchWithheld(let words): launchWithheld(words)
    case .withheld(let words): run?.withheld(words) ?? []
    case .launchFailed(let reason): launchFailed(reason, at: now)
    case .replied(let reply): run?.replied(reply, &demand) ?? []
    case .strayReply: [.log("unexpected answer: ignored")]
    case .received(let message): run?.received(message, demand) ?? []
    case .badMessage(let error): run?.badMessage(error, at: now) ?? []
    case .violation(let words): run?.violation(words) ?? []
    case .away(let words): run?.away(words) ?? []
    case .heldLock(let path): run?.heldLock(path) ?? []
    case .found(let finding): run?.found(finding) ?? []
    case .ended(let status): ended(status, at: now)
    case .deadline(.restart): pauseEnded()
    case .deadline(let deadline): run?.ranOut(deadline, &demand) ?? []
    }
  }

  // MARK: - From the page

  private mutating func appear(_ view: SessionDemand.View) -> [SessionEffect] {
    demand.appear(view)
    return run?.appear(&demand) ?? start(.appear)
  }

  private mutating func disappear() -> [SessionEffect] {
    demand.disappear()
    return run?.disappear(&demand) ?? []
  }

  private mutating func press(_ press: PerformActionRequest) -> [SessionEffect] {
    if let effects = run?.press(press, &demand) { return effects }
    guard absence != .stopped else { return [.pressDropped] }
    return demand.presses.hold(press, limit: policy.openPresses)
  }

  private mutating func change(_ change: ListChange) -> [SessionEffect] {
    run?.change(change) ?? [.listEnded(change, .failed("The widget is not running."))]
  }

  private mutating func request(_ reason: UpdateReason) -> [SessionEffect] {
    if let effects = run?.request(reason, &demand) { return effects }
    if demand.isPaused || absence == .pausing { demand.updates.wait(for: reason) }
    guard !demand.isPaused, absence == .idle else { return [] }
    demand.updates.replaceNext(by: reason)
    return start(.update)
  }

  private mutating func denyActivities(_ isDenied: Bool) -> [SessionEffect] {
    policy.deniesActivities = isDenied
    run?.denyActivities(isDenied)
    return []
  }

  /// The host is about to be suspended.
  private mutating func pause() -> [SessionEffect] {
    demand.setPaused(true)
    demand.disappear()
    return run?.pause(&demand) ?? []
  }

  /// The host continues; what was waited for gets its whole time again.
  private mutating func unpause(showing view: SessionDemand.View?) -> [SessionEffect] {
    demand.setPaused(false)
    let effects = view.map { appear($0) } ?? []
    guard let next = demand.updates.takeNext() else { return effects }
    return effects + request(next)
  }

  /// The page was hidden, is shown again, or has got or lost the focus.
  private mutating func hostDidChange(
    _ state: HostState,
    showing view: SessionDemand.View?
  ) -> [SessionEffect] {
    demand.setHost(state)
    guard state != .background else { return disappear() }
    return view.map { appear($0) } ?? []
  }

  /// The user asks for new data, and for another start if there were failures.
  private mutating func retry() -> [SessionEffect] {
    if run?.doesNotAnswer == true, run?.life.isUp == true {
      demand.updates.wait(for: .user)
      return run?.replace() ?? []
    }
    guard run == nil, absence != .idle else { return request(.user) }
    forgetFailures()
    return [.disarm(.restart), .health(.starting, message: nil)]
      + start(demand.view == nil ? .update : .appear)
  }

  /// A widget that has failed may succeed with other settings.
  private mutating func configurationDidChange(
    _ configuration: WidgetConfiguration
  ) -> [SessionEffect] {
    run?.configurationDidChange(configuration) ?? startAgain("the settings have changed: retrying")
  }

  /// Failures of the old program do not count against the new one.
  private mutating func bundleChanged() -> [SessionEffect] {
    run?.bundleChanged() ?? startAgain("the bundle has changed: retrying")
  }

  /// Starts a widget that has failed, for the reason that `words` say.
  private mutating func startAgain(_ words: String) -> [SessionEffect] {
    guard absence != .idle else { return [] }
    forgetFailures()
    let effects: [SessionEffect] = [.disarm(.restart), .log(words)]
    guard demand.view != nil else { return effects + [.health(.snapshot, message: nil)] }
    return effects + [.health(.starting, message: nil)] + start(.appear)
  }

  private mutating func forgetFailures() {
    restarts.forget()
    absence = .idle
  }

  private mutating func quit(isHeldBack: Bool) -> [SessionEffect] {
    demand.quit()
    if let effects = run?.quit(isHeldBack: isHeldBack, &demand) { return effects }
    absence = .idle
    return [.disarm(.restart), .finished]
  }

  /// The process continues without the host.
  private mutating func left() -> [SessionEffect] {
    guard let run else { return [] }
    self.run = nil
    let words =
      "the host has quit; \(run.suspension.activities.words) may end within \(policy.afterQuit.components.seconds) s"
    return [.log(words, isKept: true)] + SessionDeadline.allCases.map { .disarm($0) } + [.finished]
  }

  // MARK: - Start and end of a process

  private mutating func start(_ reason: LaunchReason) -> [SessionEffect] {
    guard run == nil, absence == .idle, !demand.isQuitting, !demand.isPaused else { return [] }
    run = SessionRun(policy: policy, resources: resources, lastActivity: lastActivity)
    return [.launch(reason)]
  }

  /// The widget is not started before the user has set something; this is no failure.
  private mutating func launchWithheld(_ words: String) -> [SessionEffect] {
    run = nil
    let effects = [.log("not started: \(words)", isKept: true)] + demand.presses.drop()
    return effects + (demand.isQuitting ? [.finished] : stop(words))
  }

  private mutating func launchFailed(
    _ reason: String,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    run = nil
    return failed("Unable to Load: \(reason)", isFinal: false, at: now)
  }

  private mutating func ended(
    _ status: TerminationStatus,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    guard let ended = run else { return [] }
    run = nil
    lastActivity = ended.suspension.activities.lastNumber
    demand.updates.processDidEnd()
    let disarmed = SessionDeadline.allCases.filter { $0 != .restart }
    let unedited: [SessionEffect] = ended.editing.isUnderWay ? [.edited(false)] : []
    return disarmed.map { .disarm($0) } + unedited + afterEnd(of: ended, status, at: now)
  }

  private mutating func afterEnd(
    of ended: SessionRun,
    _ status: TerminationStatus,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch ended.life.stage {
    case .ending(failure: nil):
      guard !demand.isQuitting else { return [.finished] }
      let effects: [SessionEffect] = [.health(.snapshot, message: nil), .finished]
      // What was asked for meanwhile starts the next process.
      return effects + (demand.launchReason.map { start($0) } ?? [])
    case .ending(let failure?):
      if let absence = ended.life.absence { return away(failure, absence) }
      return failed(failure, isFinal: ended.life.isFinalFailure, at: now)
    case .initializing, .running:
      return failed("Unable to Load: \(status.failureWords)", isFinal: false, at: now)
    }
  }

  /// A process has failed, and `words` say how; `isFinal`: another one would fail in the same way.
  private mutating func failed(
    _ words: String,
    isFinal: Bool,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    restarts.note(at: now)
    let effects = [.log(words, isKept: true)] + demand.presses.drop()
    guard !demand.isQuitting else { return effects + [.finished] }
    guard demand.launchReason != nil else {
      return effects + [.health(.failed, message: words), .finished]
    }
    guard !isFinal else { return effects + stop(words) }
    switch restarts.decision {
    case .restart(let pause):
      absence = .pausing
      let next = pause > .zero ? ", starts again in \(pause.components.seconds) s" : ""
      return effects + [.health(.failed, message: words + next), .arm(.restart, pause), .finished]
    case .stop:
      return effects
        + stop("Stopped after \(restarts.limit) failures: \(words) · press t to retry")
    }
  }

  /// The machine of the widget is away, as `words` say.
  private mutating func away(_ words: String, _ absence: ProcessLife.Absence) -> [SessionEffect] {
    let effects = [.log(words, isKept: true)] + demand.presses.drop()
    guard !demand.isQuitting else { return effects + [.finished] }
    guard demand.launchReason != nil else {
      return effects + [.health(.failed, message: words), .finished]
    }
    let pause = restarts.note(absence)
    self.absence = .pausing
    return effects + [.health(.failed, message: words), .arm(.restart, pause), .finished]
  }

  private mutating func stop(_ words: String) -> [SessionEffect] {
    absence = .stopped
    demand.updates.dropNext()
    return [.health(.stopped, message: words), .finished]
  }

  private mutating func pauseEnded() -> [SessionEffect] {
    guard run == nil, absence == .pausing else { return [] }
    absence = .idle
    return demand.launchReason.map { start($0) } ?? []
  }
}

extension TerminationStatus {
  /// How a process failed that ended without being told to.
  fileprivate nonisolated var failureWords: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signaled: "crashed (\(self))"
    case .unknown: "ended with an unknown status"
    }
  }
}
