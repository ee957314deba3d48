import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// One process of an extension, from its launch to its end, whatever it shows.
///
/// Everything that is sent to it goes through ``send(_:)``, so that a suspended process is resumed before it is
/// sent anything. What is to be done collects in order, until ``takeEffects()`` hands it out after an event.
package struct ExtensionLife {
  /// The stages, in their order.
  enum Stage: Hashable {
    /// Started; `initialize` is not answered.
    case initializing
    /// `initialize` was answered.
    case running
    /// Was told to exit, or was killed; `failure` is the reason if it counts as a failure.
    case ending(failure: String?)
  }

  /// That the machine of an extension is away.
  enum Absence: Hashable {
    /// It was there when this process was started.
    case begun
    /// It was away before.
    case goesOn
  }

  private(set) var stage = Stage.initializing
  /// The methods that it listed in its answer to `initialize`; empty before.
  private(set) var implements: Set<String> = []
  /// Whether another process of the same program would end in the same way.
  private(set) var isFinalFailure = false
  /// Whether it has ended because its machine is away.
  private(set) var absence: Absence?
  private(set) var policy: SessionPolicy
  private(set) var suspension: Suspension
  private var resources: ResourceUse
  private var faults = MessageFaults()
  private var changes = PendingChanges()
  private var host: LastSentHostState
  /// Whether the host is about to be suspended, or is.
  private var isPaused = false
  private var isQuitting = false
  /// Whether a quitting host has nothing to wait for but activities.
  private var isLeaving = false
  /// URLs that it asked to open and transfers that it was told of, without an answer.
  private var openRequests = 0
  /// What has a deadline and was not answered.
  private var awaited: Set<SessionDeadline> = []
  private var effects: [SessionEffect] = []

  /// A process that is about to be started; `lastActivity` is the number of the last one before it.
  init(
    policy: SessionPolicy,
    resources: ResourceLimits = ResourceLimits(),
    lastActivity: Int = 0,
    host: HostState = .active
  ) {
    self.policy = policy
    self.resources = ResourceUse(limits: resources)
    self.host = LastSentHostState(present: host)
    suspension = Suspension(activities: ExpiringActivities(after: lastActivity))
  }

  /// Whether it has not been told to exit and has not been killed.
  var isUp: Bool { stage == .initializing || stage == .running }
  var isSuspended: Bool { suspension.rest == .suspended }
  var activities: ExpiringActivities { suspension.activities }

  /// Whether it can be sent an optional method now.
  func sends(_ method: String) -> Bool { stage == .running && implements.contains(method) }

  /// Whether it works on something, besides what its owner knows of.
  func isAtWork(_ hasWork: Bool) -> Bool {
    stage == .initializing
      || stage == .running && !isSuspended && (hasWork || !activities.isEmpty)
  }

  // MARK: - Effects

  /// Hands out what is to be done, in order.
  mutating func takeEffects() -> [SessionEffect] {
    defer { effects = [] }
    return effects
  }

  /// Sends a message; a suspended process is resumed before.
  mutating func send(_ message: HostMessage) {
    resume()
    effects.append(.send(message))
  }

  /// Sends a message if the process implements it.
  mutating func tell(_ message: HostMessage) {
    if let method = message.method, sends(method) { send(message) }
  }

  /// Sends a request and sets its deadline, if the process implements it; false otherwise.
  mutating func ask(_ message: HostMessage, within deadline: SessionDeadline) -> Bool {
    guard let method = message.method, sends(method) else { return false }
    send(message)
    arm(deadline)
    return true
  }

  /// Reports something to the owner of the card.
  mutating func report(_ effect: CardReport) { effects.append(.card(effect)) }

  /// Shows content, if there is any.
  mutating func apply(_ content: ContentUpdate, _ source: ContentSource) {
    if !content.isEmpty { report(.apply(content, source)) }
  }

  mutating func log(_ words: String, isKept: Bool = false) {
    effects.append(.log(words, isKept: isKept))
  }

  /// Notes a missing answer, and its most frequent cause.
  mutating func log(noAnswer method: String, _ deadline: SessionDeadline) {
    log(
      "no answer to \(method) in \(policy.limit(of: deadline).components.seconds) s; standard output may be "
        + "buffered: flush it after each line"
    )
  }

  /// Sets a deadline, or sets it again.
  mutating func arm(_ deadline: SessionDeadline) {
    awaited.insert(deadline)
    effects.append(.arm(deadline, policy.limit(of: deadline)))
  }

  mutating func disarm(_ deadline: SessionDeadline) {
    awaited.remove(deadline)
    effects.append(.disarm(deadline))
  }

  // MARK: - Events

  /// Takes an event that means the same whatever the extension shows.
  mutating func handle(_ event: SessionEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .launched(let request): launched(request)
    case .withheld(let words): withheld(words)
    case .received(let message): received(message)
    case .strayReply: log("unexpected answer: ignored")
    case .badMessage(let error): badMessage(error, at: now)
    case .violation(let words): violation(words)
    case .away(let words): away(words)
    case .heldLock(let path): heldLock(path)
    case .found(let finding): found(finding)
    case .opened: requestEnded()
    case .appearance(let appearance): appearanceDidChange(appearance)
    case .sharedData(let change): sharedDataDidChange(change)
    case .typed(let message): tell(.fieldDidChange(message))
    case .displayMode(let mode, let size):
      tell(.activeDisplayModeDidChange(.init(activeDisplayMode: mode, maximumSize: size)))
    case .transferEvents(let request): transfersEnded(request)
    case .transferProgress(let message): transferDidProgress(message)
    case .denyActivities(let isDenied): policy.deniesActivities = isDenied
    case .expireActivities: expireActivities()
    case .freeze: freeze()
    case .deadline(let deadline): ranOut(deadline)
    default: break
    }
  }

  // MARK: - Start

  /// The program was started.
  mutating func launched(_ request: InitializeRequest) {
    send(.initialize(request))
    arm(.initialize)
  }

  /// Kills a process that was sent nothing yet, as would another one of the same program.
  mutating func withheld(_ words: String) {
    guard stage == .initializing else { return }
    isFinalFailure = true
    kill(words)
  }

  /// Takes the answer to `initialize`; false if it is not waited for, or the process needs another protocol and is
  /// killed.
  mutating func initialized(_ reply: InitializeRequest.Reply) -> Bool {
    guard stage == .initializing else { return false }
    disarm(.initialize)
    if let obstacle = Self.obstacle(version: reply.protocolVersion) {
      isFinalFailure = true
      kill(obstacle)
      return false
    }
    stage = .running
    implements = Set(reply.implements)
    if !isQuitting { tellHost() }
    return true
  }

  /// Why a process with a version of the protocol cannot be used; nil if it can.
  private static func obstacle(version: Int) -> String? {
    let current = ProtocolVersion.current
    if version < 1 {
      return "Unable to Load: protocolVersion is \(version); expected \(current)"
    }
    guard version > current else { return nil }
    // A number that is out of range is read as the largest.
    return version == .max
      ? "Needs a later protocol version; expected \(current)"
      : "Needs protocol version \(version)"
  }

  /// `initialize` was answered with an error.
  mutating func initializeFailed(_ error: WireError) {
    guard stage == .initializing else { return }
    disarm(.initialize)
    kill("Unable to Load: \(error.message)")
  }

  // MARK: - End

  /// Asks the process to exit; SIGTERM and SIGKILL follow if it does not.
  mutating func shutdown() {
    stage = .ending(failure: nil)
    send(.shutdown)
    effects.append(.closeInput)
    arm(.shutdown)
  }

  /// Asks the process to exit, and sends SIGTERM without waiting for it.
  mutating func terminate() {
    stage = .ending(failure: nil)
    send(.shutdown)
    effects.append(.closeInput)
    sendSIGTERM()
  }

  private mutating func sendSIGTERM() {
    resume()
    effects.append(.signal(.terminate))
    arm(.terminate)
  }

  /// Kills the process; `failure` is shown in the heading.
  mutating func kill(_ failure: String) {
    stage = .ending(failure: failure)
    sendSIGKILL()
  }

  private mutating func sendSIGKILL() {
    if !activities.isEmpty { log("killed with \(activities.words) open", isKept: true) }
    effects.append(.signal(.kill))
  }

  /// Ends a suspended process that is not needed; this is no failure.
  private mutating func release(_ reason: String) {
    guard stage == .running, isSuspended else { return }
    log("ended while suspended: \(reason)", isKept: true)
    shutdown()
  }

  /// The host quits, with shorter deadlines.
  mutating func quit() {
    policy = policy.shortenedForQuit
    isQuitting = true
    switch stage {
    case .initializing: shutdown()
    case .running: resume()
    case .ending: arm(.terminate)
    }
  }

  /// Ends the process, or lets it continue without the host if it has granted activities.
  mutating func leave() {
    guard !activities.granted.isEmpty else { return shutdown() }
    isLeaving = true
    report(.leaving)
  }

  /// What may continue after the host, if that is all that a quitting host has to wait for.
  var activitiesToContinue: OpenActivities? {
    guard isLeaving, stage == .running else { return nil }
    return OpenActivities(
      numbers: activities.granted,
      areHeard: sends(ExpiringActivityNotification.method),
      limit: policy.afterQuit,
      lastMoments: policy.lastMoments
    )
  }

  // MARK: - Limits

  /// A limit was exceeded; `words` names it.
  mutating func violation(_ words: String) {
    guard isUp else { return sendSIGKILL() }
    log("ended: \(words)", isKept: true)
    kill("Unable to Load: \(words)")
  }

  /// Its machine is away, as `words` say.
  mutating func away(_ words: String) {
    guard isUp else { return sendSIGKILL() }
    absence = stage == .running ? .begun : .goesOn
    kill(words)
  }

  /// A line could not be read as a message.
  mutating func badMessage(_ error: WireError, at now: ContinuousClock.Instant) {
    log("invalid message: \(error)")
    if let words = faults.note(at: now, limit: policy.protocolErrorsPerMinute) { violation(words) }
  }

  /// When it was suspended, it had an exclusive lock on a file that others use.
  mutating func heldLock(_ path: String) {
    guard isSuspended else { return }
    let words = "held an exclusive lock while being suspended"
    log("\(words): \(path)", isKept: true)
    kill("Unable to Load: \(words)")
  }

  /// What its processes or its container use was measured.
  mutating func found(_ finding: ResourceFinding) {
    if case .release(let reason) = finding { return release(reason) }
    guard isUp else { return }
    switch resources.verdict(on: finding) {
    case .withinLimits: break
    case .memoryWarning(let words):
      log(words)
      tell(.didReceiveMemoryWarning)
    case .exhausted(let reason, let words):
      log(words, isKept: true)
      kill("Unable to Load (\(reason))")
    }
  }
}

// MARK: - Changes around it

extension ExtensionLife {
  /// Tells it of other colours; a suspended one is not woken for that.
  mutating func appearanceDidChange(_ appearance: Appearance) {
    changes.note(appearance)
    tellChanges()
  }

  /// Tells it what other processes did with data that it shares; a suspended one is not woken for that.
  mutating func sharedDataDidChange(_ change: SharedDataChange) {
    changes.note(change)
    tellChanges()
  }

  /// Tells it of other settings, a suspended one later; false if it cannot be told, so that it must be ended.
  mutating func configurationDidChange(_ configuration: WidgetConfiguration) -> Bool {
    guard isUp else { return true }
    changes.note(configuration)
    guard knowsSettings else { return false }
    tellChanges()
    return true
  }

  /// Whether it has the present settings, or can be told of them.
  var knowsSettings: Bool {
    !changes.hasConfiguration || stage != .running
      || implements.contains(ConfigurationDidChangeNotification.method)
  }

  /// Tells it of what has changed while it could not be told.
  mutating func tellChanges() {
    guard stage == .running, !isSuspended else { return }
    for message in changes.take() { tell(message) }
  }

  /// Tells it how far a transfer is; a suspended one is not woken for that.
  mutating func transferDidProgress(_ message: TransferDidProgressNotification) {
    if !isSuspended { tell(.transferDidProgress(message)) }
  }

  /// Tells it of transfers that have ended.
  mutating func transfersEnded(_ request: HandleEventsForBackgroundURLSessionRequest) {
    guard sends(HandleEventsForBackgroundURLSessionRequest.method) else { return }
    openRequests += 1
    send(.handleEvents(request))
  }

  /// It has answered to that.
  mutating func eventsHandled(_ identifier: String, refusal: WireError?) {
    requestEnded()
    report(.transferEventsHandled(identifier: identifier, refusal: refusal))
  }

  /// A URL that it asked to open was opened or refused, or it was told of transfers and has answered.
  mutating func requestEnded() { openRequests = max(0, openRequests - 1) }

  /// The host has another state; `isPaused` if it is about to be suspended, or is.
  mutating func hostDidChange(_ state: HostState, isPaused: Bool) {
    self.isPaused = isPaused
    host.present = state
    if stage == .running, !isSuspended, !isQuitting { tellHost() }
  }

  /// Tells what precedes all other messages about a change of the host.
  private mutating func tellHost() {
    if let message = host.before() { tell(message) }
  }

  // MARK: - Suspension

  /// Resumes a suspended process, and tells it what it has missed.
  mutating func resume() {
    guard isSuspended else { return }
    effects += suspension.resume()
    if stage == .running {
      if !isQuitting { tellHost() }
      tellChanges()
    }
    guard isUp else { return }
    for deadline in SessionDeadline.answers where awaited.contains(deadline) { arm(deadline) }
  }

  /// The host is about to be suspended, or a test lets the time of all expiring activities run out: it is told, and
  /// has a last moment.
  mutating func expireActivities() {
    let isLastMoment = suspension.rest == .finishing
    for message in suspension.expire() { tell(message) }
    if isLastMoment { effects.append(.arm(.suspension, policy.lastMoments)) }
  }

  /// The host is suspended now, whatever the extension is doing; deadlines do not run meanwhile.
  mutating func freeze() {
    guard isUp, !isSuspended else { return }
    effects += SessionDeadline.answers.map { .disarm($0) }
    effects += suspension.suspend(policy)
  }

  /// Ends an event: tells what follows all other messages about a change of the host, and takes a step to the
  /// suspension of a process that is not needed, or back.
  ///
  /// - Parameters:
  ///   - isInUse: Whether somebody needs it.
  ///   - isBusy: Whether something other than an activity or a request of its own is not finished.
  ///   - view: Where its view is, and whether one is wanted.
  ///   - now: The time.
  mutating func settle(
    isInUse: Bool,
    isBusy: Bool,
    view: (state: ViewAppearance.State, isWanted: Bool),
    at now: ContinuousClock.Instant
  ) {
    guard stage == .running, !isQuitting, !isSuspended else { return }
    if let message = host.after(view.state, isViewWanted: view.isWanted) { tell(message) }
    effects += suspension.follow(
      isInUse: isInUse,
      isBusy: isBusy || openRequests > 0,
      isPaused: isPaused,
      policy,
      at: now
    )
  }

  // MARK: - Its messages

  /// Takes a message that does not depend on what the extension shows.
  mutating func received(_ message: WidgetMessage) {
    switch message {
    case .log(let line): log(line.level.map { "\($0): \(line.message)" } ?? line.message.string)
    case .openURL(let url, let id):
      openRequests += 1
      report(.open(url: url, id: id))
    case .beginExpiringActivity(let reason, let id): beginActivity(reason, id)
    case .endExpiringActivity(let number): endActivity(number)
    case .service(let request, let id): effects.append(.process(.perform(request, id: id)))
    case .content(let request, let id):
      // A widget has no request: to it there are no such methods.
      if let id { send(.error(.methodNotFound(request.method), id: id)) }
      log("\(request.method): it is for share and action extensions alone")
    case .setView, .setPreferredContentSize, .setLargestAvailableDisplayMode: break
    }
  }

  private mutating func beginActivity(_ reason: String, _ id: MessageID) {
    if let fault = HostServiceSender.fault(ofActivityReason: reason) {
      return send(.error(fault, id: id))
    }
    let refusal =
      isUp ? suspension.refusal(isPaused: isPaused, policy) : "the widget is being ended"
    if let refusal { log("expiring activity “\(reason)” not granted: \(refusal)") }
    send(.activity(suspension.beginActivity(reason, isGranted: refusal == nil), id: id))
  }

  private mutating func endActivity(_ number: Int) {
    guard suspension.endActivity(number) else {
      return log("endExpiringActivity: no activity \(number) is open")
    }
    if isLeaving, stage == .running, activities.granted.isEmpty { shutdown() }
  }

  // MARK: - Deadlines

  /// The time for something has run out that does not depend on what the extension shows.
  mutating func ranOut(_ deadline: SessionDeadline) {
    awaited.remove(deadline)
    switch deadline {
    case .initialize:
      guard stage == .initializing else { return }
      log(noAnswer: InitializeRequest.method, .initialize)
      kill("Unable to Load: no answer in \(policy.initialize.components.seconds) s")
    case .suspension: if !isQuitting { suspensionStep() }
    case .shutdown: sendSIGTERM()
    case .terminate: sendSIGKILL()
    case .widgetMarginInsets, .viewWillAppear, .viewWillDisappear, .widgetPerformUpdate, .answer,
      .restart:
      break
    }
  }

  private mutating func suspensionStep() {
    switch suspension.ranOut() {
    case .none: break
    case .expire: expireActivities()
    case .suspend(let isCutOff):
      if isCutOff {
        log("suspended with \(activities.isEmpty ? "requests" : activities.words) still open")
      }
      effects += suspension.suspend(policy)
    case .end: release("not needed for \(policy.idle.components.seconds / 60) min")
    }
  }
}
