import WidgetExtensions
package import WidgetKitCore
import WidgetPlatform

/// The life of one widget as a value: ``handle(_:at:)`` takes an event and returns what is to be done.
///
/// Processes, pipes and timers only perform that, so that all decisions are tested without them.
/// ``SessionDemand`` is what the page wants, over all processes; ``SessionRun`` is the present process.
/// This type decides when a process is started, and what follows its end.
package struct SessionState: ExtensionState {
  /// The stages of a process, and of a widget without one.
  package enum Phase: Hashable {
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
  private var effects: [SessionEffect] = []

  init(policy: SessionPolicy = SessionPolicy(), resources: ResourceLimits = ResourceLimits()) {
    self.policy = policy
    self.resources = resources
    restarts = RestartHistory(policy: policy.restarts)
  }

  // MARK: - What is known

  package var phase: Phase {
    switch run?.process.stage {
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

  package var process: ExtensionLife? { run?.process }
  /// Where the view is.
  package var appearance: ViewAppearance.State { run?.view.state ?? .off }
  /// Whether the view cannot appear yet, because the margins are not known.
  package var waitsForMargins: Bool { run?.view.waitsForMargins ?? false }
  /// Whether the widget works on something that it was asked for.
  package var isAtWork: Bool { run?.isAtWork(demand) ?? false }
  /// Whether the user can edit the widget now.
  package var canBeEdited: Bool { run?.canBeEdited ?? false }
  /// Whether the widget can be told of a transition.
  package var receivesTransitions: Bool { run?.receivesTransitions ?? false }
  /// The update in progress.
  package var update: UpdateReason? { demand.updates.current }
  /// The update that follows it, or waits for a process.
  package var nextUpdate: UpdateReason? { demand.updates.next }
  /// Whether an update is in progress, or waits for a process that exists.
  package var awaitsUpdate: Bool { run != nil && !demand.updates.isEmpty }
  /// Whether presses wait for the live view.
  var holdsPresses: Bool { !demand.presses.isEmpty }
  /// Whether the host is quitting.
  package var isQuitting: Bool { demand.isQuitting }
  package var isStopped: Bool { phase == .stopped }
  /// How many failures count.
  var failureCount: Int { restarts.count }

  // MARK: - Events

  /// Takes an event and returns what is to be done, in order.
  package mutating func handle(
    _ event: SessionEvent,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    decide(event, at: now)
    defer { effects = [] }
    return effects + (run?.settle(demand, at: now) ?? [])
  }

  private mutating func decide(_ event: SessionEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .appear(let size, let isAnimated): appear(.init(size: size, isAnimated: isAnimated))
    case .disappear: disappear()
    case .update(let reason): request(reason)
    case .press(let press): self.press(press)
    case .list(let change): self.change(change)
    case .edit(let begins): run?.edit(begins)
    case .transition(let request): run?.transition(request)
    case .transitionEnded(let id, let finished): run?.transitionEnded(id, finished: finished)
    case .configuration(let configuration): configurationDidChange(configuration)
    case .retry: retry()
    case .pause: pause()
    case .unpause(let view): unpause(showing: view)
    case .host(let state, let view): hostDidChange(state, showing: view)
    case .bundleChanged: bundleChanged()
    case .quit: quit(isHeldBack: false)
    case .quitWithoutNotice: quit(isHeldBack: true)
    case .left: left()
    case .launchWithheld(let words): launchWithheld(words)
    case .launchFailed(let reason): launchFailed(reason, at: now)
    case .replied(let reply): run?.replied(reply, &demand)
    case .received(let message): run?.received(message)
    case .ended(let status): ended(status, at: now)
    case .deadline(.restart): pauseEnded()
    case .deadline(let deadline): run?.ranOut(deadline, &demand)
    default:
      if case .denyActivities(let isDenied) = event { policy.deniesActivities = isDenied }
      run?.handle(event, at: now)
    }
  }

  /// Adds what is to be done although no process decides it.
  private mutating func add(_ new: ProcessEffect...) { effects += new.map { .process($0) } }

  private mutating func report(_ new: CardReport...) { effects += new.map { .card($0) } }

  // MARK: - From the page

  private mutating func appear(_ view: SessionDemand.View) {
    demand.appear(view)
    if run?.appear(&demand) == nil { start(.appear) }
  }

  private mutating func disappear() {
    demand.disappear()
    run?.disappear(&demand)
  }

  private mutating func press(_ press: PerformActionRequest) {
    guard run?.press(press, &demand) == nil else { return }
    let isHeld = absence != .stopped && demand.presses.hold(press, limit: policy.openPresses)
    if !isHeld { report(.pressDropped) }
  }

  private mutating func change(_ change: ListChange) {
    guard run?.change(change) == nil else { return }
    report(.listEnded(change, .failed("The widget is not running.")))
  }

  private mutating func request(_ reason: UpdateReason) {
    guard run?.request(reason, &demand) == nil else { return }
    if demand.isPaused || absence == .pausing { demand.updates.wait(for: reason) }
    guard !demand.isPaused, absence == .idle else { return }
    demand.updates.replaceNext(by: reason)
    start(.update)
  }

  /// The host is about to be suspended.
  private mutating func pause() {
    demand.setPaused(true)
    demand.disappear()
    run?.hostDidChange(demand)
    run?.pause(&demand)
  }

  /// The host continues; what was waited for gets its whole time again.
  private mutating func unpause(showing view: SessionDemand.View?) {
    demand.setPaused(false)
    run?.hostDidChange(demand)
    run?.unpause(demand)
    if let view { appear(view) }
    if let next = demand.updates.takeNext() { request(next) }
  }

  /// The page was hidden, is shown again, or has got or lost the focus.
  private mutating func hostDidChange(_ state: HostState, showing view: SessionDemand.View?) {
    demand.setHost(state)
    run?.hostDidChange(demand)
    if state == .background { disappear() } else if let view { appear(view) }
  }

  /// The user asks for new data, and for another start if there were failures.
  private mutating func retry() {
    if run?.doesNotAnswer == true, run?.process.channel.isUp == true {
      demand.updates.wait(for: .user)
      run?.replace()
      return
    }
    guard run == nil, absence != .idle else { return request(.user) }
    forgetFailures()
    add(.disarm(.restart))
    report(.health(.starting, message: nil))
    start(demand.view == nil ? .update : .appear)
  }

  /// A widget that has failed may succeed with other settings.
  private mutating func configurationDidChange(_ configuration: WidgetConfiguration) {
    guard run?.configurationDidChange(configuration) == nil else { return }
    startAgain("the settings have changed: retrying")
  }

  /// Failures of the old program do not count against the new one.
  private mutating func bundleChanged() {
    if run?.bundleChanged() == nil { startAgain("the bundle has changed: retrying") }
  }

  /// Starts a widget that has failed, for the reason that `words` say.
  private mutating func startAgain(_ words: String) {
    guard absence != .idle else { return }
    forgetFailures()
    add(.disarm(.restart), .log(words))
    guard demand.view != nil else { return report(.health(.snapshot, message: nil)) }
    report(.health(.starting, message: nil))
    start(.appear)
  }

  private mutating func forgetFailures() {
    restarts.forget()
    absence = .idle
  }

  private mutating func quit(isHeldBack: Bool) {
    demand.quit()
    guard run?.quit(isHeldBack: isHeldBack, &demand) == nil else { return }
    absence = .idle
    add(.disarm(.restart))
    report(.finished)
  }

  /// The process continues without the host.
  private mutating func left() {
    guard let run else { return }
    self.run = nil
    let seconds = policy.afterQuit.components.seconds
    let words =
      "the host has quit; \(run.process.activities.words) may end within \(seconds) s"
    add(.log(words, isKept: true))
    effects += SessionDeadline.allCases.map { .disarm($0) }
    report(.finished)
  }

  // MARK: - Start and end of a process

  private mutating func start(_ reason: LaunchReason) {
    guard run == nil, absence == .idle, !demand.isQuitting, !demand.isPaused else { return }
    run = SessionRun(
      ExtensionLife(
        policy: policy,
        resources: resources,
        lastActivity: lastActivity,
        host: demand.host
      )
    )
    add(.launch(reason))
  }

  /// The widget is not started before the user has set something; this is no failure.
  private mutating func launchWithheld(_ words: String) {
    run = nil
    add(.log("not started: \(words)", isKept: true))
    dropPresses()
    demand.isQuitting ? report(.finished) : stop(words)
  }

  private mutating func launchFailed(_ reason: String, at now: ContinuousClock.Instant) {
    run = nil
    failed("Unable to Load: \(reason)", isFinal: false, at: now)
  }

  private mutating func ended(_ status: TerminationStatus, at now: ContinuousClock.Instant) {
    guard let ended = run else { return }
    run = nil
    lastActivity = ended.process.activities.lastNumber
    demand.updates.processDidEnd()
    effects += SessionDeadline.allCases.filter { $0 != .restart }.map { .disarm($0) }
    if ended.editing.isUnderWay { report(.edited(false)) }
    switch ended.process.stage {
    case .ending(failure: nil):
      guard !demand.isQuitting else { return report(.finished) }
      report(.health(.snapshot, message: nil), .finished)
      // What was asked for meanwhile starts the next process.
      if let reason = demand.launchReason { start(reason) }
    case .ending(let failure?):
      if let absence = ended.process.absence { return away(failure, absence) }
      failed(failure, isFinal: ended.process.isFinalFailure, at: now)
    case .initializing, .running:
      failed("Unable to Load: \(status.failureWords)", isFinal: false, at: now)
    }
  }

  /// A process has failed, and `words` say how; `isFinal`: another one would fail in the same way.
  private mutating func failed(
    _ words: String,
    isFinal: Bool,
    at now: ContinuousClock.Instant
  ) {
    restarts.note(at: now)
    guard isWanted(afterFailure: words) else { return }
    guard !isFinal else { return stop(words) }
    switch restarts.decision {
    case .restart(let pause):
      let next = pause > .zero ? ", starts again in \(pause.components.seconds) s" : ""
      startLater(words + next, after: pause)
    case .stop: stop("Stopped after \(restarts.limit) failures: \(words)")
    }
  }

  /// The machine of the widget is away, as `words` say.
  private mutating func away(_ words: String, _ absence: ExtensionLife.Absence) {
    guard isWanted(afterFailure: words) else { return }
    startLater(words, after: restarts.note(absence))
  }

  /// Notes how a process has failed; returns whether another one is wanted.
  private mutating func isWanted(afterFailure words: String) -> Bool {
    add(.log(words, isKept: true))
    dropPresses()
    let isWanted = !demand.isQuitting && demand.launchReason != nil
    if !isWanted, !demand.isQuitting { report(.health(.failed, message: words)) }
    if !isWanted { report(.finished) }
    return isWanted
  }

  private mutating func dropPresses() {
    if !demand.presses.takeAll().isEmpty { report(.pressDropped) }
  }

  /// Lets the next process wait for its time.
  private mutating func startLater(_ words: String, after pause: Duration) {
    absence = .pausing
    report(.health(.failed, message: words))
    add(.arm(.restart, pause))
    report(.finished)
  }

  private mutating func stop(_ words: String) {
    absence = .stopped
    demand.updates.dropNext()
    report(.health(.stopped, message: words), .finished)
  }

  private mutating func pauseEnded() {
    guard run == nil, absence == .pausing else { return }
    absence = .idle
    if let reason = demand.launchReason { start(reason) }
  }
}

extension TerminationStatus {
  /// How a process failed that ended without being told to.
  fileprivate var failureWords: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signaled: "crashed (\(self))"
    case .unknown: "ended with an unknown status"
    }
  }
}
