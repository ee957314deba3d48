import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What is said to one process of an extension, and what is to be done for it.
///
/// Everything that is sent to it goes through ``send(_:)``, so that a suspended process is resumed before it is
/// sent anything. What is to be done collects in order, until ``takeEffects()`` hands it out after an event.
struct ProcessChannel {
  /// The stages of the process, in their order.
  enum Stage: Hashable {
    /// Started; `initialize` is not answered.
    case initializing
    /// `initialize` was answered.
    case running
    /// Was told to exit, or was killed; `failure` is the reason if it counts as a failure.
    case ending(failure: String?)
  }

  private(set) var stage = Stage.initializing
  /// The methods that it listed in its answer to `initialize`; empty before.
  private(set) var implements: Set<String> = []
  private(set) var suspension: Suspension
  var policy: SessionPolicy
  private var changes = PendingChanges()
  private var host: LastSentHostState
  /// Whether the host is about to be suspended, or is.
  private var isPaused = false
  private var isQuitting = false
  /// What has a deadline and was not answered.
  private var awaited: Set<SessionDeadline> = []
  private var effects: [SessionEffect] = []

  /// The channel to a process that is about to be started; `lastActivity` is the number of the last one before it.
  init(policy: SessionPolicy, lastActivity: Int = 0, host: HostState = .active) {
    self.policy = policy
    self.host = LastSentHostState(present: host)
    suspension = Suspension(activities: ExpiringActivities(after: lastActivity))
  }

  /// Whether the process has not been told to exit and has not been killed.
  var isUp: Bool { stage == .initializing || stage == .running }
  var isSuspended: Bool { suspension.rest == .suspended }

  /// The process has answered `initialize`.
  mutating func begin(implementing methods: [String]) {
    stage = .running
    implements = Set(methods)
    if !isQuitting { tellHost() }
  }

  /// The process is told to exit, or killed, for `failure` if that counts as one.
  mutating func end(_ failure: String?) {
    stage = .ending(failure: failure)
  }

  /// The host quits, with shorter deadlines.
  mutating func quit() {
    policy = policy.shortenedForQuit
    isQuitting = true
  }

  // MARK: - Messages

  /// Whether the process can be sent an optional method now.
  func sends(_ method: String) -> Bool { stage == .running && implements.contains(method) }

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

  // MARK: - Effects

  /// Hands out what is to be done, in order.
  mutating func takeEffects() -> [SessionEffect] {
    defer { effects = [] }
    return effects
  }

  /// Adds something that is to be done with the process.
  mutating func add(_ effect: ProcessEffect) { effects.append(.process(effect)) }

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

  /// A deadline is over.
  mutating func ranOut(_ deadline: SessionDeadline) { awaited.remove(deadline) }

  // MARK: - Changes around the process

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
  ///   - isBusy: Whether something other than an activity is not finished.
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
      isBusy: isBusy,
      isPaused: isPaused,
      policy,
      at: now
    )
  }

  /// The time of a step to the suspension is over.
  ///
  /// - Returns: Whether it was suspended for so long that it is not needed any more.
  mutating func suspensionStep() -> Bool {
    guard !isQuitting else { return false }
    switch suspension.ranOut() {
    case .none: break
    case .expire: expireActivities()
    case .suspend(let isCutOff):
      if isCutOff {
        let activities = suspension.activities
        log("suspended with \(activities.isEmpty ? "requests" : activities.words) still open")
      }
      effects += suspension.suspend(policy)
    case .end: return true
    }
    return false
  }

  // MARK: - Activities

  /// Grants an expiring activity, or refuses it; the process gets the answer.
  mutating func beginActivity(_ reason: String, _ id: MessageID) {
    if let fault = HostServiceSender.fault(ofActivityReason: reason) {
      return send(.error(fault, id: id))
    }
    let refusal =
      isUp ? suspension.refusal(isPaused: isPaused, policy) : "the widget is being ended"
    if let refusal { log("expiring activity “\(reason)” not granted: \(refusal)") }
    send(.activity(suspension.beginActivity(reason, isGranted: refusal == nil), id: id))
  }

  /// Ends an expiring activity.
  ///
  /// - Returns: Whether it was open.
  mutating func endActivity(_ number: Int) -> Bool {
    if suspension.endActivity(number) { return true }
    log("endExpiringActivity: no activity \(number) is open")
    return false
  }
}
