import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// One process of an extension, from its launch to its end, whatever it shows.
///
/// ``ProcessChannel`` has what is said to it and what is to be done for it.
package struct ExtensionLife {
  /// That the machine of an extension is away.
  enum Absence: Hashable {
    /// It was there when this process was started.
    case begun
    /// It was away before.
    case goesOn
  }

  var channel: ProcessChannel
  /// Whether another process of the same program would end in the same way.
  private(set) var isFinalFailure = false
  /// Whether it has ended because its machine is away.
  private(set) var absence: Absence?
  private var resources: ResourceUse
  private var faults = MessageFaults()
  /// Whether a quitting host has nothing to wait for but activities.
  private var isLeaving = false
  /// URLs that it asked to open and transfers that it was told of, without an answer.
  private var openRequests = 0

  /// A process that is about to be started; `lastActivity` is the number of the last one before it.
  init(
    policy: SessionPolicy,
    resources: ResourceLimits = ResourceLimits(),
    lastActivity: Int = 0,
    host: HostState = .active
  ) {
    self.resources = ResourceUse(limits: resources)
    channel = ProcessChannel(policy: policy, lastActivity: lastActivity, host: host)
  }

  var stage: ProcessChannel.Stage { channel.stage }
  var isSuspended: Bool { channel.isSuspended }
  var activities: ExpiringActivities { channel.suspension.activities }

  /// Whether it works on something, besides what its owner knows of.
  func isAtWork(_ hasWork: Bool) -> Bool {
    stage == .initializing
      || stage == .running && !isSuspended && (hasWork || !activities.isEmpty)
  }

  // MARK: - Events

  /// Takes an event that means the same whatever the extension shows.
  mutating func handle(_ event: SessionEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .launched(let request): launched(request)
    case .withheld(let words): withheld(words)
    case .received(let message): received(message)
    case .strayReply: channel.log("unexpected answer: ignored")
    case .badMessage(let error): badMessage(error, at: now)
    case .violation(let words): violation(words)
    case .away(let words): away(words)
    case .heldLock(let path): heldLock(path)
    case .found(let finding): found(finding)
    case .opened: requestEnded()
    case .appearance(let appearance): channel.appearanceDidChange(appearance)
    case .sharedData(let change): channel.sharedDataDidChange(change)
    case .typed(let message): channel.tell(.fieldDidChange(message))
    case .displayMode(let mode, let size):
      channel.tell(.activeDisplayModeDidChange(.init(activeDisplayMode: mode, maximumSize: size)))
    case .transferEvents(let request): transfersEnded(request)
    // A suspended process is not woken for that.
    case .transferProgress(let message):
      if !isSuspended { channel.tell(.transferDidProgress(message)) }
    case .denyActivities(let isDenied): channel.policy.deniesActivities = isDenied
    case .expireActivities: channel.expireActivities()
    case .freeze: channel.freeze()
    case .deadline(let deadline): ranOut(deadline)
    default: break
    }
  }

  // MARK: - Start

  /// The program was started.
  mutating func launched(_ request: InitializeRequest) {
    channel.send(.initialize(request))
    channel.arm(.initialize)
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
    channel.disarm(.initialize)
    if let obstacle = Self.obstacle(version: reply.protocolVersion) {
      isFinalFailure = true
      kill(obstacle)
      return false
    }
    channel.begin(implementing: reply.implements)
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
    channel.disarm(.initialize)
    kill("Unable to Load: \(error.message)")
  }

  // MARK: - End

  /// Asks the process to exit; SIGTERM and SIGKILL follow if it does not.
  mutating func shutdown() {
    channel.end(nil)
    channel.send(.shutdown)
    channel.add(.closeInput)
    channel.arm(.shutdown)
  }

  /// Asks the process to exit, and sends SIGTERM without waiting for it.
  mutating func terminate() {
    channel.end(nil)
    channel.send(.shutdown)
    channel.add(.closeInput)
    sendSIGTERM()
  }

  private mutating func sendSIGTERM() {
    channel.resume()
    channel.add(.signal(.terminate))
    channel.arm(.terminate)
  }

  /// Kills the process; `failure` is shown in the heading.
  mutating func kill(_ failure: String) {
    channel.end(failure)
    sendSIGKILL()
  }

  private mutating func sendSIGKILL() {
    if !activities.isEmpty { channel.log("killed with \(activities.words) open", isKept: true) }
    channel.add(.signal(.kill))
  }

  /// Ends a suspended process that is not needed; this is no failure.
  private mutating func release(_ reason: String) {
    guard stage == .running, isSuspended else { return }
    channel.log("ended while suspended: \(reason)", isKept: true)
    shutdown()
  }

  /// The host quits, with shorter deadlines.
  mutating func quit() {
    channel.quit()
    switch stage {
    case .initializing: shutdown()
    case .running: channel.resume()
    case .ending: channel.arm(.terminate)
    }
  }

  /// Ends the process, or lets it continue without the host if it has granted activities.
  mutating func leave() {
    guard !activities.granted.isEmpty else { return shutdown() }
    isLeaving = true
    channel.report(.leaving)
  }

  /// What may continue after the host, if that is all that a quitting host has to wait for.
  var activitiesToContinue: OpenActivities? {
    guard isLeaving, stage == .running else { return nil }
    return OpenActivities(
      numbers: activities.granted,
      areHeard: channel.sends(ExpiringActivityNotification.method),
      limit: channel.policy.afterQuit,
      lastMoments: channel.policy.lastMoments
    )
  }

  // MARK: - Limits

  /// A limit was exceeded; `words` names it.
  mutating func violation(_ words: String) {
    guard channel.isUp else { return sendSIGKILL() }
    channel.log("ended: \(words)", isKept: true)
    kill("Unable to Load: \(words)")
  }

  /// Its machine is away, as `words` say.
  mutating func away(_ words: String) {
    guard channel.isUp else { return sendSIGKILL() }
    absence = stage == .running ? .begun : .goesOn
    kill(words)
  }

  /// A line could not be read as a message.
  mutating func badMessage(_ error: WireError, at now: ContinuousClock.Instant) {
    channel.log("invalid message: \(error)")
    if let words = faults.note(at: now, limit: channel.policy.protocolErrorsPerMinute) {
      violation(words)
    }
  }

  /// When it was suspended, it had an exclusive lock on a file that others use.
  mutating func heldLock(_ path: String) {
    guard isSuspended else { return }
    let words = "held an exclusive lock while being suspended"
    channel.log("\(words): \(path)", isKept: true)
    kill("Unable to Load: \(words)")
  }

  /// What its processes or its container use was measured.
  mutating func found(_ finding: ResourceFinding) {
    if case .release(let reason) = finding { return release(reason) }
    guard channel.isUp else { return }
    switch resources.verdict(on: finding) {
    case .withinLimits: break
    case .memoryWarning(let words):
      channel.log(words)
      channel.tell(.didReceiveMemoryWarning)
    case .exhausted(let reason, let words):
      channel.log(words, isKept: true)
      kill("Unable to Load (\(reason))")
    }
  }

  // MARK: - Requests that are open

  /// Tells it of transfers that have ended.
  private mutating func transfersEnded(_ request: HandleEventsForBackgroundURLSessionRequest) {
    guard channel.sends(HandleEventsForBackgroundURLSessionRequest.method) else { return }
    openRequests += 1
    channel.send(.handleEvents(request))
  }

  /// It has answered to that.
  mutating func eventsHandled(_ identifier: String, refusal: WireError?) {
    requestEnded()
    channel.report(.transferEventsHandled(identifier: identifier, refusal: refusal))
  }

  /// A URL that it asked to open was opened or refused, or it was told of transfers and has answered.
  private mutating func requestEnded() { openRequests = max(0, openRequests - 1) }

  /// Ends an event, and hands out what is to be done.
  ///
  /// - Parameters:
  ///   - isInUse: Whether somebody needs it.
  ///   - isBusy: Whether something other than an activity or a request of its own is not finished.
  ///   - view: Where its view is, and whether one is wanted.
  ///   - now: The time.
  /// - Returns: What is to be done, in order.
  mutating func settle(
    isInUse: Bool,
    isBusy: Bool,
    view: (state: ViewAppearance.State, isWanted: Bool),
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    channel.settle(isInUse: isInUse, isBusy: isBusy || openRequests > 0, view: view, at: now)
    return channel.takeEffects()
  }

  // MARK: - Its messages

  /// Takes a message that does not depend on what the extension shows.
  mutating func received(_ message: WidgetMessage) {
    switch message {
    case .log(let line):
      channel.log(line.level.map { "\($0): \(line.message)" } ?? line.message.string)
    case .openURL(let url, let id):
      openRequests += 1
      channel.report(.open(url: url, id: id))
    case .beginExpiringActivity(let reason, let id): channel.beginActivity(reason, id)
    case .endExpiringActivity(let number): endActivity(number)
    case .service(let request, let id): channel.add(.perform(request, id: id))
    case .content(let request, let id):
      // A widget has no request: to it there are no such methods.
      if let id { channel.send(.error(.methodNotFound(request.method), id: id)) }
      channel.log("\(request.method): it is for share and action extensions alone")
    case .setView, .setPreferredContentSize, .setLargestAvailableDisplayMode: break
    }
  }

  private mutating func endActivity(_ number: Int) {
    guard channel.endActivity(number) else { return }
    if isLeaving, stage == .running, activities.granted.isEmpty { shutdown() }
  }

  // MARK: - Deadlines

  /// The time for something has run out that does not depend on what the extension shows.
  mutating func ranOut(_ deadline: SessionDeadline) {
    channel.ranOut(deadline)
    switch deadline {
    case .initialize:
      guard stage == .initializing else { return }
      channel.log(noAnswer: InitializeRequest.method, .initialize)
      kill("Unable to Load: no answer in \(channel.policy.initialize.components.seconds) s")
    case .suspension:
      guard channel.suspensionStep() else { return }
      release("not needed for \(channel.policy.idle.components.seconds / 60) min")
    case .shutdown: sendSIGTERM()
    case .terminate: sendSIGKILL()
    case .widgetMarginInsets, .viewWillAppear, .viewWillDisappear, .widgetPerformUpdate, .answer,
      .restart:
      break
    }
  }
}
