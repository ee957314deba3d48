import WidgetKitCore

/// The life of one widget as a value: what it is doing, and what is waited for.
///
/// `handle` is the whole of a session's decisions: it takes an event and returns what is to be
/// done. Processes, pipes and timers only carry that out, so that all of this is tested without
/// any of them.
nonisolated struct SessionState {
  /// Where the process is.
  enum Phase: Hashable {
    /// None, and no reason for one.
    case idle
    /// Started; its first answer has not come.
    case initializing
    /// Up.
    case running
    /// Told to go, or killed; `failure` says why where that counts against the widget.
    case ending(failure: String?)
    /// Failed; the next start waits for its time.
    case pausing
    /// Failed too often; waits for somebody to ask.
    case stopped
  }

  /// Where the view is.
  enum Appearance: Hashable {
    case off
    case appearing
    case on
    case disappearing
  }

  var policy: SessionPolicy
  private(set) var phase = Phase.idle
  private(set) var appearance = Appearance.off
  /// The size of the card while it is on the screen.
  private(set) var wantedSize: (size: Size, animated: Bool)?
  private(set) var implements: Set<String> = []
  /// The update in flight, and the one that follows it.
  private(set) var update: UpdateReason?
  private(set) var nextUpdate: UpdateReason?
  private(set) var heldPresses: [PerformActionRequest] = []
  private var openActions = 0
  private var isQuitting = false
  private var waitsForMargins = false
  private var activities: Set<Int> = []
  private var activityCount = 0
  var failures: [ContinuousClock.Instant] = []
  private var protocolErrors: [ContinuousClock.Instant] = []
  /// Transitions that the widget heard of and whose end it has not heard of.
  private var openTransitions: Set<Int> = []

  init(policy: SessionPolicy = SessionPolicy()) {
    self.policy = policy
  }

  /// Whether a process exists.
  var hasProcess: Bool {
    switch phase {
    case .initializing, .running, .ending: true
    case .idle, .pausing, .stopped: false
    }
  }

  /// Takes an event and returns what is to be done, in order.
  mutating func handle(
    _ event: SessionEvent,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch event {
    case .appear(let size, let animated): appear(size, animated)
    case .disappear: disappear()
    case .update(let reason): request(reason)
    case .press(let press): self.press(press)
    case .transition(let request): transition(request)
    case .transitionEnded(let id, let finished): transitionEnded(id, finished)
    case .displayMode(let mode, let maximumSize): displayMode(mode, maximumSize)
    case .retry: retry()
    case .quit: quit()
    case .launched(let request): launched(request)
    case .launchFailed(let reason): fail("Unable to load: \(reason)", at: now)
    case .replied(let reply): replied(reply, at: now)
    case .strayReply: [.log("an answer that nobody waits for: dropped")]
    case .received(let message): received(message)
    case .badMessage(let error): badMessage(error, at: now)
    case .violation(let words): violation(words)
    case .ended(let status): ended(status, at: now)
    case .deadline(let deadline): ranOut(deadline, at: now)
    }
  }

  private func sends(_ method: String) -> Bool {
    phase == .running && implements.contains(method)
  }

  // MARK: - Life

  private mutating func start(_ reason: LaunchReason) -> [SessionEffect] {
    guard phase == .idle, !isQuitting else { return [] }
    phase = .initializing
    return [.launch(reason)]
  }

  private mutating func launched(_ request: InitializeRequest) -> [SessionEffect] {
    [.send(.initialize(request)), .arm(.initialize, policy.initialize)]
  }

  private mutating func initialized(_ reply: InitializeRequest.Reply) -> [SessionEffect] {
    guard phase == .initializing else { return [] }
    guard reply.protocolVersion <= ProtocolVersion.current else {
      phase = .ending(failure: "Needs protocol version \(reply.protocolVersion) of today")
      return [.disarm(.initialize), .signal(.kill)]
    }
    phase = .running
    implements = Set(reply.implements)
    var effects: [SessionEffect] = [.disarm(.initialize)]
    if let mode = reply.largestAvailableDisplayMode { effects.append(.largestDisplayMode(mode)) }
    if !reply.content.isEmpty { effects.append(.apply(reply.content, .appearance)) }
    if sends(WidgetMarginInsetsRequest.method) {
      waitsForMargins = true
      effects += [
        .send(.widgetMarginInsets(WidgetMarginInsetsRequest(proposed: .proposed))),
        .arm(.widgetMarginInsets, policy.widgetMarginInsets),
      ]
      return effects
    }
    return effects + begin()
  }

  /// What an initialized widget is there for.
  private mutating func begin() -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if wantedSize != nil { effects += willAppear() }
    if let reason = nextUpdate {
      nextUpdate = nil
      effects += request(reason)
    }
    return effects
  }

  private mutating func ended(
    _ status: TerminationStatus,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    let before = phase
    let effects = forget()
    phase = .idle
    switch before {
    case .ending(failure: nil): return effects + [.finished]
    case .ending(let words?): return effects + fail(words, at: now)
    default: return effects + fail("Unable to load: \(Self.words(status))", at: now)
    }
  }

  private static func words(_ status: TerminationStatus) -> String {
    switch status {
    case .exited(let code): "exited with code \(code)"
    case .signaled: "crashed (\(status))"
    }
  }

  /// Drops everything that belonged to the process that is gone.
  private mutating func forget() -> [SessionEffect] {
    appearance = .off
    implements = []
    openActions = 0
    openTransitions = []
    activities = []
    protocolErrors = []
    waitsForMargins = false
    if let update { nextUpdate = nextUpdate ?? update }
    update = nil
    return SessionDeadline.allCases.filter { $0 != .restart }.map { .disarm($0) }
  }

  private mutating func fail(
    _ words: String,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    if let last = failures.last, last.duration(to: now) > policy.restarts.forgiveness {
      failures = []
    }
    failures.append(now)
    var effects: [SessionEffect] = [.log(words)]
    if !heldPresses.isEmpty {
      heldPresses = []
      effects.append(.pressDropped)
    }
    guard !isQuitting else {
      phase = .idle
      return effects + [.finished]
    }
    guard wantedSize != nil || nextUpdate != nil else {
      phase = .idle
      return effects + [.health(.failed, message: words), .finished]
    }
    switch policy.restarts.decision(after: failures) {
    case .restart(let pause):
      phase = .pausing
      let next = pause > .zero ? ", starts again in \(pause.components.seconds) s" : ""
      return effects + [.health(.failed, message: words + next), .arm(.restart, pause), .finished]
    case .stop:
      phase = .stopped
      nextUpdate = nil
      let count = policy.restarts.failureLimit
      return effects + [
        .health(.stopped, message: "Stopped after \(count) failures: \(words) · t tries again"),
        .finished,
      ]
    }
  }

  private mutating func retry() -> [SessionEffect] {
    guard phase == .stopped || phase == .pausing else { return request(.user) }
    failures = []
    phase = .idle
    return [.disarm(.restart), .health(.starting, message: nil)]
      + start(wantedSize == nil ? .update : .appear)
  }

  private mutating func quit() -> [SessionEffect] {
    isQuitting = true
    policy = Self.quittingPolicy(policy)
    switch phase {
    case .idle, .pausing, .stopped:
      phase = .idle
      return [.disarm(.restart), .finished]
    case .ending:
      return [.arm(.terminate, policy.terminate)]
    case .initializing:
      return shutdown()
    case .running:
      return appearance == .on || appearance == .appearing ? disappear() : shutdown()
    }
  }

  private static func quittingPolicy(_ policy: SessionPolicy) -> SessionPolicy {
    var shorter = policy
    shorter.viewWillDisappear = min(policy.viewWillDisappear, SessionPolicy.quitting.viewWillDisappear)
    shorter.shutdown = min(policy.shutdown, SessionPolicy.quitting.shutdown)
    shorter.terminate = min(policy.terminate, SessionPolicy.quitting.terminate)
    return shorter
  }

  private mutating func shutdown() -> [SessionEffect] {
    phase = .ending(failure: nil)
    return [.send(.shutdown), .closeInput, .arm(.shutdown, policy.shutdown)]
  }

  private mutating func violation(_ words: String) -> [SessionEffect] {
    guard hasProcess else { return [] }
    if case .ending = phase { return [.signal(.kill)] }
    phase = .ending(failure: "Ended: \(words)")
    return [.log("ended: \(words)"), .signal(.kill)]
  }

  private mutating func badMessage(
    _ error: WireError,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    protocolErrors.append(now)
    protocolErrors.removeAll { $0.duration(to: now) > .seconds(60) }
    let log = SessionEffect.log("bad message: \(error)")
    guard protocolErrors.count > policy.protocolErrorsPerMinute else { return [log] }
    let limit = policy.protocolErrorsPerMinute
    return [log] + violation("speaks another language (more than \(limit) bad messages a minute)")
  }

  // MARK: - Appearance

  private mutating func appear(_ size: Size, _ animated: Bool) -> [SessionEffect] {
    wantedSize = (size, animated)
    if phase == .idle { return start(.appear) }
    guard phase == .running, appearance == .off, !waitsForMargins else { return [] }
    return willAppear()
  }

  private mutating func willAppear() -> [SessionEffect] {
    guard appearance == .off, let (size, animated) = wantedSize else { return [] }
    guard sends(ViewWillAppearRequest.method) else { return didAppear() }
    appearance = .appearing
    return [
      .send(.viewWillAppear(ViewWillAppearRequest(size: size, animated: animated))),
      .arm(.viewWillAppear, policy.viewWillAppear),
    ]
  }

  private mutating func didAppear() -> [SessionEffect] {
    appearance = .on
    var effects: [SessionEffect] = [.disarm(.viewWillAppear)]
    if sends(ViewDidAppearNotification.method) { effects.append(.send(.viewDidAppear)) }
    effects.append(.becameLive)
    let presses = heldPresses
    heldPresses = []
    for press in presses { effects += self.press(press) }
    if wantedSize == nil { effects += disappear() }
    return effects
  }

  private mutating func disappear() -> [SessionEffect] {
    if !isQuitting { wantedSize = nil }
    guard appearance == .on || (isQuitting && appearance == .appearing) else { return [] }
    guard sends(ViewWillDisappearRequest.method) else { return didDisappear() }
    appearance = .disappearing
    return [
      .disarm(.viewWillAppear), .send(.viewWillDisappear),
      .arm(.viewWillDisappear, policy.viewWillDisappear),
    ]
  }

  private mutating func didDisappear() -> [SessionEffect] {
    appearance = .off
    var effects: [SessionEffect] = [.disarm(.viewWillDisappear)]
    if sends(ViewDidDisappearNotification.method) { effects.append(.send(.viewDidDisappear)) }
    effects.append(.disappeared)
    if isQuitting { return effects + shutdown() }
    return effects + willAppear()
  }

  // MARK: - Updates

  private mutating func request(_ reason: UpdateReason) -> [SessionEffect] {
    switch phase {
    case .idle:
      nextUpdate = reason
      return start(.update)
    case .initializing, .pausing:
      nextUpdate = nextUpdate ?? reason
      return []
    case .running where waitsForMargins:
      nextUpdate = nextUpdate ?? reason
      return []
    case .running:
      guard implements.contains(WidgetPerformUpdateRequest.method) else { return [] }
      guard update == nil else {
        nextUpdate = reason
        return []
      }
      update = reason
      return [
        .send(.widgetPerformUpdate(reason)),
        .arm(.widgetPerformUpdate, policy.widgetPerformUpdate),
      ]
    case .ending, .stopped:
      return []
    }
  }

  private mutating func updated(_ reply: WidgetPerformUpdateRequest.Reply) -> [SessionEffect] {
    guard update != nil else { return [.log("a late answer to widgetPerformUpdate: dropped")] }
    let outcome = UpdateOutcome(
      result: reply.result,
      error: reply.error?.string,
      refreshAfter: reply.refreshAfter.map { .seconds(min($0, 1e9)) }
    )
    var effects: [SessionEffect] = []
    if reply.result == .newData, !reply.content.isEmpty {
      effects.append(.apply(reply.content, .update))
    }
    return effects + updateEnded(outcome)
  }

  private mutating func updateEnded(_ outcome: UpdateOutcome) -> [SessionEffect] {
    guard update != nil else { return [] }
    update = nil
    var effects: [SessionEffect] = [.disarm(.widgetPerformUpdate)]
    switch outcome.result {
    case .newData, .noData: effects.append(.health(.live, message: nil))
    case .failed:
      effects.append(.health(.failed, message: outcome.error ?? "The update failed"))
    }
    effects.append(.updateEnded(outcome))
    if let next = nextUpdate {
      nextUpdate = nil
      effects += request(next)
    }
    return effects
  }

  // MARK: - Presses, transitions, modes

  private mutating func press(_ press: PerformActionRequest) -> [SessionEffect] {
    if phase == .running, appearance == .on || appearance == .off, !waitsForMargins {
      guard sends(PerformActionRequest.method) else {
        return [.log("a press on “\(press.action)”, but performAction is not implemented")]
      }
      guard openActions < policy.openPresses else { return [.pressDropped] }
      openActions += 1
      return [.send(.performAction(press))]
    }
    switch phase {
    case .running, .initializing, .idle, .pausing:
      guard heldPresses.count < policy.openPresses else { return [.pressDropped] }
      heldPresses.append(press)
      return []
    case .ending, .stopped:
      return [.pressDropped]
    }
  }

  private mutating func transition(
    _ request: ViewWillTransitionToSizeRequest
  ) -> [SessionEffect] {
    guard sends(ViewWillTransitionToSizeRequest.method) else { return [] }
    openTransitions.insert(request.transition)
    return [.send(.viewWillTransitionToSize(request))]
  }

  private mutating func transitionEnded(_ id: Int, _ finished: Bool) -> [SessionEffect] {
    guard openTransitions.remove(id) != nil,
      sends(TransitionDidCompleteNotification.method)
    else { return [] }
    return [.send(.transitionDidComplete(.init(transition: id, finished: finished)))]
  }

  private func displayMode(_ mode: DisplayMode, _ maximumSize: Size) -> [SessionEffect] {
    guard sends(ActiveDisplayModeDidChangeNotification.method) else { return [] }
    return [
      .send(.activeDisplayModeDidChange(.init(activeDisplayMode: mode, maximumSize: maximumSize)))
    ]
  }

  // MARK: - What comes in

  private mutating func replied(
    _ reply: HostReply,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch reply {
    case .initialize(let reply):
      return initialized(reply)
    case .widgetMarginInsets(let insets):
      return [.marginInsets(insets)] + marginsEnded()
    case .viewWillAppear(let content):
      return applying(content, .appearance) + (appearance == .appearing ? didAppear() : [])
    case .viewWillDisappear(let content):
      guard appearance == .disappearing else { return [] }
      return applying(content, .disappearance) + didDisappear()
    case .widgetPerformUpdate(let reply):
      return updated(reply)
    case .viewWillTransitionToSize(let transition, let reply):
      return [.alongside(transition: transition, reply.alongside)]
    case .performAction(let reply):
      openActions = max(0, openActions - 1)
      return applying(reply.content, .action)
    case .refused(let call, let error):
      return refused(call, error)
    }
  }

  private func applying(_ content: ContentUpdate, _ source: ContentSource) -> [SessionEffect] {
    content.isEmpty ? [] : [.apply(content, source)]
  }

  private mutating func refused(_ call: HostCall, _ error: WireError) -> [SessionEffect] {
    let log = SessionEffect.log("\(call.method): \(error)")
    switch call {
    case .initialize:
      guard phase == .initializing else { return [log] }
      phase = .ending(failure: "Unable to load: \(error.message)")
      return [log, .disarm(.initialize), .signal(.kill)]
    case .widgetMarginInsets:
      return [log] + marginsEnded()
    case .viewWillAppear:
      return [log] + (appearance == .appearing ? didAppear() : [])
    case .viewWillDisappear:
      return [log] + (appearance == .disappearing ? didDisappear() : [])
    case .widgetPerformUpdate:
      return [log] + updateEnded(UpdateOutcome(result: .failed, error: error.message))
    case .viewWillTransitionToSize(let transition):
      return [log, .alongside(transition: transition, nil)]
    case .performAction:
      openActions = max(0, openActions - 1)
      return [log, .pressDropped]
    }
  }

  private mutating func marginsEnded() -> [SessionEffect] {
    guard waitsForMargins else { return [] }
    waitsForMargins = false
    return [.disarm(.widgetMarginInsets)] + begin()
  }

  private mutating func received(_ message: WidgetMessage) -> [SessionEffect] {
    switch message {
    case .setView(let view):
      return [.apply(ContentUpdate(view: view), .push)]
    case .setPreferredContentSize(let size):
      let stated: Stated<PreferredContentSize> = size.height == nil ? .null : .value(size)
      return [.apply(ContentUpdate(preferredContentSize: stated), .push)]
    case .setLargestAvailableDisplayMode(let mode):
      return [.largestDisplayMode(mode)]
    case .log(let line):
      return [.log(line.level.map { "\($0): \(line.message)" } ?? line.message.string)]
    case .openURL(let url, let id):
      return [.open(url: url, id: id)]
    case .beginExpiringActivity(let reason, let id):
      guard !reason.isEmpty else {
        let error = WireError(
          code: .invalidParams,
          message: "params.reason: expected a short word for the developer, found an empty string"
        )
        return [.send(.error(error, id: id))]
      }
      activityCount += 1
      activities.insert(activityCount)
      return [.send(.activity(.init(activity: activityCount, expired: isQuitting), id: id))]
    case .endExpiringActivity(let activity):
      return activities.remove(activity) == nil
        ? [.log("endExpiringActivity: no activity \(activity) is open")] : []
    }
  }

  private mutating func ranOut(
    _ deadline: SessionDeadline,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch deadline {
    case .initialize:
      guard phase == .initializing else { return [] }
      phase = .ending(
        failure: "Unable to load: no answer in \(policy.initialize.components.seconds) s"
      )
      return [.signal(.kill)]
    case .widgetMarginInsets:
      return [.log("slow: no answer to widgetMarginInsets")] + marginsEnded()
    case .viewWillAppear:
      guard appearance == .appearing else { return [] }
      return [.log("slow: the view was not up after \(policy.viewWillAppear)")] + didAppear()
    case .viewWillDisappear:
      guard appearance == .disappearing else { return [] }
      return [.log("slow: no answer to viewWillDisappear")] + didDisappear()
    case .widgetPerformUpdate:
      let seconds = policy.widgetPerformUpdate.components.seconds
      return updateEnded(UpdateOutcome(result: .failed, error: "No answer in \(seconds) s"))
    case .shutdown:
      return [.signal(.terminate), .arm(.terminate, policy.terminate)]
    case .terminate:
      return [.signal(.kill)]
    case .restart:
      guard phase == .pausing else { return [] }
      phase = .idle
      guard wantedSize != nil || nextUpdate != nil else { return [] }
      return start(wantedSize != nil ? .appear : .update)
    }
  }
}

extension EdgeInsets {
  /// What the host proposes around a body: one column of air on both sides.
  nonisolated static let proposed = EdgeInsets(left: 1, right: 1)
}
