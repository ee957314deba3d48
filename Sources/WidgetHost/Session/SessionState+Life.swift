import WidgetKitCore

/// How a widget's process starts, ends, fails and is started again.
nonisolated extension SessionState {
  mutating func start(_ reason: LaunchReason) -> [SessionEffect] {
    guard phase == .idle, !isQuitting, !isPaused else { return [] }
    phase = .initializing
    return [.launch(reason)]
  }

  mutating func launched(_ request: InitializeRequest) -> [SessionEffect] {
    [.send(.initialize(request)), .arm(.initialize, policy.initialize)]
  }

  mutating func initialized(_ reply: InitializeRequest.Reply) -> [SessionEffect] {
    guard phase == .initializing else { return [] }
    guard reply.protocolVersion <= ProtocolVersion.current else {
      endsForGood = true
      phase = .ending(failure: "Needs protocol version \(reply.protocolVersion)")
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
  mutating func begin() -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if wantedSize != nil { effects += willAppear() }
    if let reason = nextUpdate {
      nextUpdate = nil
      effects += request(reason)
    }
    return effects
  }

  mutating func ended(
    _ status: TerminationStatus,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    let before = phase
    let effects = forget()
    phase = .idle
    switch before {
    case .ending(failure: nil): return effects + endedWell()
    case .ending(let words?): return effects + fail(words, at: now)
    default: return effects + fail("Unable to Load: \(Self.words(status))", at: now)
    }
  }

  /// After an end that is no failure; what was asked for meanwhile starts it again.
  private mutating func endedWell() -> [SessionEffect] {
    guard !isQuitting else { return [.finished] }
    let effects: [SessionEffect] = [.health(.snapshot, message: nil), .finished]
    guard wantedSize != nil || nextUpdate != nil else { return effects }
    return effects + start(wantedSize != nil ? .appear : .update)
  }

  static func words(_ status: TerminationStatus) -> String {
    switch status {
    case .exited(let code): "exited with code \(code)"
    case .signaled: "crashed (\(status))"
    case .unknown: "ended with an unknown status"
    }
  }

  /// Drops everything that belonged to the process that is gone.
  mutating func forget() -> [SessionEffect] {
    appearance = .off
    implements = []
    openActions = 0
    openTransitions = []
    activities = [:]
    wasDenied = false
    openURLs = 0
    rest = .awake
    graceEnd = nil
    hasExpired = false
    isShortOfMemory = false
    protocolErrors = []
    waitsForMargins = false
    if let update { nextUpdate = nextUpdate ?? update }
    update = nil
    return SessionDeadline.allCases.filter { $0 != .restart }.map { .disarm($0) }
  }

  mutating func fail(
    _ words: String,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    if let last = failures.last, last.duration(to: now) > policy.restarts.forgiveness {
      failures = []
    }
    failures.append(now)
    var effects: [SessionEffect] = [.log(words, isKept: true)]
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
    if endsForGood {
      endsForGood = false
      phase = .stopped
      nextUpdate = nil
      return effects + [.health(.stopped, message: words), .finished]
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
        .health(.stopped, message: "Stopped after \(count) failures: \(words) · press t to retry"),
        .finished,
      ]
    }
  }

  mutating func retry() -> [SessionEffect] {
    guard phase == .stopped || phase == .pausing else { return request(.user) }
    failures = []
    phase = .idle
    return [.disarm(.restart), .health(.starting, message: nil)]
      + start(wantedSize == nil ? .update : .appear)
  }

  /// Another bundle is another widget: what the old one did does not count against it.
  mutating func bundleChanged() -> [SessionEffect] {
    switch phase {
    case .idle, .ending:
      return []
    case .initializing, .running:
      // It ends in the normal way; who has it on the page starts the new one.
      return [
        .log("the bundle has changed: the process was ended, the new one starts"),
        .disarm(.initialize),
      ]
        + shutdown()
    case .pausing, .stopped:
      break
    }
    failures = []
    phase = .idle
    let effects: [SessionEffect] = [
      .disarm(.restart), .log("the bundle has changed: retrying"),
    ]
    guard wantedSize != nil else { return effects + [.health(.snapshot, message: nil)] }
    return effects + [.health(.starting, message: nil)] + start(.appear)
  }

  mutating func quit(isHeldBack: Bool) -> [SessionEffect] {
    isQuitting = true
    policy = Self.quittingPolicy(policy)
    let expired: [SessionEffect] =
      activities.isEmpty ? [] : expireActivities() + [.arm(.lastMoments, policy.lastMoments)]
    return expired + quitStep(isHeldBack: isHeldBack)
  }

  private mutating func quitStep(isHeldBack: Bool) -> [SessionEffect] {
    switch phase {
    case .idle, .pausing, .stopped:
      phase = .idle
      return [.disarm(.restart), .finished]
    case .ending:
      return [.arm(.terminate, policy.terminate)]
    case .initializing:
      return shutdown()
    case .running where isHeldBack:
      // Its answers are not read, so there is nothing to wait for.
      phase = .ending(failure: nil)
      return [
        .send(.shutdown), .closeInput, .signal(.terminate), .arm(.terminate, policy.terminate),
      ]
    case .running:
      return appearance == .on || appearance == .appearing ? disappear() : endAfterActivities()
    }
  }

  /// Ends the widget when its activities have, or when their time has run out.
  mutating func endAfterActivities() -> [SessionEffect] {
    activities.isEmpty || hasOutlivedActivities ? shutdown() : []
  }

  static func quittingPolicy(_ policy: SessionPolicy) -> SessionPolicy {
    var shorter = policy
    shorter.viewWillDisappear = min(
      policy.viewWillDisappear,
      SessionPolicy.quitting.viewWillDisappear
    )
    shorter.shutdown = min(policy.shutdown, SessionPolicy.quitting.shutdown)
    shorter.lastMoments = min(policy.lastMoments, SessionPolicy.quitting.lastMoments)
    shorter.terminate = min(policy.terminate, SessionPolicy.quitting.terminate)
    return shorter
  }

  mutating func shutdown() -> [SessionEffect] {
    phase = .ending(failure: nil)
    return [.send(.shutdown), .closeInput, .arm(.shutdown, policy.shutdown)]
  }

  mutating func violation(_ words: String) -> [SessionEffect] {
    guard hasProcess else { return [] }
    if case .ending = phase { return [.signal(.kill)] }
    phase = .ending(failure: "Unable to Load: \(words)")
    return [.log("ended: \(words)", isKept: true), .signal(.kill)]
  }

  mutating func badMessage(
    _ error: WireError,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    protocolErrors.append(now)
    protocolErrors.removeAll { $0.duration(to: now) > .seconds(60) }
    let log = SessionEffect.log("invalid message: \(error)")
    guard protocolErrors.count > policy.protocolErrorsPerMinute else { return [log] }
    let limit = policy.protocolErrorsPerMinute
    return [log] + violation("too many invalid messages (more than \(limit) a minute)")
  }
}
