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
  var phase = Phase.idle
  var appearance = Appearance.off
  /// The size of the card while it is on the screen.
  var wantedSize: (size: Size, animated: Bool)?
  var implements: Set<String> = []
  /// The update in flight, and the one that follows it.
  var update: UpdateReason?
  var nextUpdate: UpdateReason?
  var heldPresses: [PerformActionRequest] = []
  var openActions = 0
  var isQuitting = false
  var waitsForMargins = false
  var activities: [Int: Activity] = [:]
  var activityCount = 0
  /// Whether an activity was refused since the widget last had time for itself.
  var wasDenied = false
  /// URLs that the widget asked for and was not answered.
  var openURLs = 0
  var rest = Rest.awake
  /// When the time ends for what the widget began before its view went.
  var graceEnd: ContinuousClock.Instant?
  /// Whether that time has run out.
  var hasExpired = false
  /// Whether the host is about to stand still, or does.
  var isPaused = false
  var resources: ResourceLimits
  /// Whether the widget was warned and has not let go of enough since.
  var isShortOfMemory = false
  /// Whether the time of activities at the host's end has run out.
  var hasOutlivedActivities = false
  /// Whether the present end is one that another start would only repeat.
  var endsForGood = false
  var failures: [ContinuousClock.Instant] = []
  var protocolErrors: [ContinuousClock.Instant] = []
  /// Transitions that the widget heard of and whose end it has not heard of.
  var openTransitions: Set<Int> = []

  init(policy: SessionPolicy = SessionPolicy(), resources: ResourceLimits = ResourceLimits()) {
    self.policy = policy
    self.resources = resources
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
    let effects = decide(event, at: now)
    return resumingFirst(namingWhatIsCutOff(effects)) + restfulness(at: now)
  }

  private mutating func decide(
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
    case .pause: pause()
    case .freeze: freeze()
    case .unpause: unpause()
    case .release(let reason): release(reason)
    case .opened: opened()
    case .heldLock(let path): heldLock(path)
    case .memory(let bytes): memory(bytes)
    case .processes(let count): processes(count)
    case .storage(let bytes): storage(bytes)
    case .bundleChanged: bundleChanged()
    case .quit: quit(isHeldBack: false)
    case .quitWithoutNotice: quit(isHeldBack: true)
    case .launched(let request): launched(request)
    case .launchFailed(let reason): fail("Unable to Load: \(reason)", at: now)
    case .replied(let reply): replied(reply, at: now)
    case .strayReply: [.log("unexpected answer: ignored")]
    case .received(let message): received(message)
    case .badMessage(let error): badMessage(error, at: now)
    case .violation(let words): violation(words)
    case .ended(let status): ended(status, at: now)
    case .deadline(let deadline): ranOut(deadline, at: now)
    }
  }

  func sends(_ method: String) -> Bool {
    phase == .running && implements.contains(method)
  }
}

extension EdgeInsets {
  /// What the host proposes around a body: one column of air on both sides.
  nonisolated static let proposed = EdgeInsets(left: 1, right: 1)
}
