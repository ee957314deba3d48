package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The session of a card of the Today view.
package typealias WidgetSession = ExtensionSession<SessionState>

/// Performs what the state of one extension decides, with processes and timers.
///
/// Effects on the card, or on what has no card, go to ``onReport``. A class because it owns processes.
@MainActor package final class ExtensionSession<State: ExtensionState> {
  package let id: ExtensionIdentity
  package let log: WidgetLog
  let services: SessionServices
  package private(set) var state: State
  /// The present process; nil if there is none.
  package private(set) var connection: SessionConnection?
  /// When the view was last on the screen, or the process was started.
  package private(set) var lastSeen: ContinuousClock.Instant

  /// Performs effects on the card.
  package var onReport: (CardReport) -> Void = { _ in }
  /// Performs a request of the widget that the page decides about.
  package var onRequest: (PageRequest, ServiceCall) -> Void = { _, _ in }
  /// Called whenever the state has taken an event, before its effects are performed.
  package var onChange: () -> Void = {}
  /// Called before a process is started.
  package var onLaunch: () -> Void = {}
  /// Makes the first message to a process that was started for a reason.
  package var makeInitialize: ((LaunchReason) -> InitializeRequest)?
  /// Reads what the first message needs, and then continues, with the reason if the widget cannot be
  /// started; nil if nothing has to be read.
  package var beforeInitialize: ((_ next: @escaping (_ obstacle: SafeText?) -> Void) -> Void)?
  /// The bytes that the host puts into its folders for a request, which do not count for what it stores.
  package var bytesGiven: UInt64 = 0
  /// The size of the body at present; it can differ from the size at which the card appeared.
  package var bodySize: (() -> Size)?

  /// The last messages that were exchanged.
  package let messages = MessageRing()

  private let types: UnknownTypes
  private var installed: InstalledBundle
  private var lastRequestID = 0
  private var timers: [SessionDeadline: any HostTimer] = [:]
  /// The events that came while effects were performed, in their order.
  private var events: [SessionEvent] = []
  /// What is called when they are taken.
  private var followers: [() -> Void] = []
  private var isPerforming = false

  package init(
    id: ExtensionIdentity,
    bundle: WidgetBundle,
    services: SessionServices,
    state: State
  ) {
    self.id = id
    self.state = state
    self.services = services
    installed = InstalledBundle(bundle)
    log = services.log(id)
    types = UnknownTypes(limits: services.limits.view, log: log)
    let path = bundle.path
    let wasThere = FileIdentity(path) != nil
    log.isWanted = { !wasThere || FileIdentity(path) != nil }
    lastSeen = services.clock.now
    services.resources.add(self)
  }

  /// Ends the widget because the host quits.
  package func quit() {
    handle(connection?.isHeldBack == true ? .quitWithoutNotice : .quit)
  }

  /// Whether ``leave()`` passes on everything that the process has asked for.
  package var canLeave: Bool { connection?.canLeave != false }

  /// Passes the process on, so that its activities can continue after the host; nil if it must be ended.
  package func leave() -> LeavingSession? {
    guard let activities = state.activitiesToContinue, var leaving = connection?.leave() else {
      return nil
    }
    leaving.widget.activities = activities
    lastRequestID = connection?.reader.lastRequestID ?? lastRequestID
    connection = nil
    return leaving
  }

  /// Answers an `openURL`; without an identifier it was a notification.
  package func answer(open id: MessageID?, success: Bool) {
    // The answer is sent first, because the event can suspend the widget.
    if let id, connection?.answer(open: id, success: success) != true { return }
    handle(.opened)
  }

  /// Why the present process is being killed; nil if it is not, and for no failure.
  package var failure: String? {
    guard case .ending(let words?)? = state.process?.stage else { return nil }
    let start = "Unable to Load: "
    return words.hasPrefix(start) ? String(words.dropFirst(start.count)) : words
  }

  /// Notes something in the trace of the messages, if one is written.
  package func note(_ event: TraceEvent) { services.trace?.write(event, widget: id) }

  // MARK: - The bundle

  package var bundle: WidgetBundle { installed.bundle }

  /// Whether the manifest was changed since it was read, or the program since it was started.
  package var isOutdated: Bool { installed.isOutdated }

  /// Whether another version of the bundle was installed since it was read.
  package var isReplaced: Bool { installed.isReplaced }

  /// Replaces the bundle; a process of the old one is asked to exit, and the new one is started if it is
  /// needed.
  package func replace(by bundle: WidgetBundle) {
    installed = InstalledBundle(bundle, replacing: installed)
    handle(.bundleChanged)
  }

  // MARK: - The process

  /// All processes of the widget; nil if none runs.
  package var processRun: ProcessRun? { connection?.processRun }

  /// The first process, which leads the process group; nil if none runs.
  package var processGroup: Int32? { processRun?.leader }

  /// The record of the present run; nil if none is in progress.
  package var run: RunRecord? { connection?.record }

  private func launch(_ reason: LaunchReason) {
    guard makeInitialize != nil else { return }
    var readiness = beforeInitialize == nil ? Readiness.ready : .unknown
    weak var started: SessionConnection?
    beforeInitialize? { [weak self] obstacle in
      readiness = obstacle.map { .obstacle($0) } ?? .ready
      if let self, let started { initialize(started, reason, readiness) }
    }
    // A program is not even started if it is known at once that something is missing.
    if case .obstacle(let words) = readiness { return handle(.launchWithheld(words.string)) }
    onLaunch()
    for problem in bundle.groupProblems {
      log.write(SafeText("warning: \(problem.name) \(problem.words)"))
    }
    lastSeen = services.clock.now
    installed.willLaunch(as: services.admitted(bundle, id))
    let connection = SessionConnection(
      owner: self,
      id: id,
      reason: reason,
      services: services,
      log: log,
      types: types,
      firstRequestID: lastRequestID + 1,
      messages: messages
    )
    do throws(HostError) {
      try connection.start(bundle)
    } catch {
      handle(
        error.code == .withheld
          ? .launchWithheld(error.description) : .launchFailed(error.description)
      )
      return
    }
    self.connection = connection
    started = connection
    initialize(connection, reason, readiness)
  }

  /// Sends the first message to a process, once what it needs is known.
  private func initialize(
    _ connection: SessionConnection,
    _ reason: LaunchReason,
    _ readiness: Readiness
  ) {
    // Meanwhile the process may have ended, or may have been told to.
    guard self.connection === connection, state.process?.stage == .initializing,
      let makeInitialize
    else { return }
    switch readiness {
    case .unknown: break
    case .ready: handle(.launched(makeInitialize(reason)))
    case .obstacle(let words): handle(.withheld(words.string))
    }
  }

  // MARK: - Effects

  private func perform(_ effect: SessionEffect) {
    switch effect {
    case .process(let effect): perform(effect)
    case .card(let effect):
      if case .updateEnded(let outcome) = effect { connection?.note(outcome) }
      if effect == .becameLive || effect == .disappeared { lastSeen = services.clock.now }
      onReport(effect)
    }
  }

  private func perform(_ effect: ProcessEffect) {
    switch effect {
    case .launch(let reason): launch(reason)
    case .send(.viewWillAppear(var request)):
      request.size = bodySize?() ?? request.size
      connection?.send(.viewWillAppear(request))
    case .send(let message): connection?.send(message)
    case .signal(let signal): connection?.signal(signal)
    case .suspend:
      if let path = connection?.suspend() {
        handle(.heldLock(path))
      } else {
        onReport(.suspended)
      }
    case .closeInput: connection?.closeInput()
    case .arm(let deadline, let delay): arm(deadline, after: delay)
    case .disarm(let deadline): timers.removeValue(forKey: deadline)?.cancel()
    case .perform(let request, let id): connection?.perform(request, id)
    case .log(let text, let isKept):
      if isKept { log.writeEnd(SafeText(text)) } else { log.write(SafeText(text)) }
    }
  }

  private func arm(_ deadline: SessionDeadline, after delay: Duration) {
    timers[deadline]?.cancel()
    timers[deadline] = services.clock.schedule(after: delay) { [weak self] in
      guard let self else { return }
      timers[deadline] = nil
      if SessionDeadline.answers.contains(deadline) {
        services.trace?.write(.timeout("\(deadline)"), widget: id)
      }
      if deadline == .widgetPerformUpdate { connection?.reader.forgetUpdate() }
      handle(.deadline(deadline))
    }
  }
}

extension ExtensionSession: SessionConnectionOwner {
  /// Takes an event, and performs what follows from it.
  ///
  /// What is performed can lead to another event, such as a view to a transition. That one is taken when all
  /// effects of this one were performed, so that none of them is overtaken by an effect of a later event.
  package func handle(_ event: SessionEvent) {
    events.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    while !events.isEmpty { take(events.removeFirst()) }
    isPerforming = false
    while !followers.isEmpty { followers.removeFirst()() }
  }

  /// Calls a function when all events so far were taken, and their effects performed.
  package func afterEvents(_ action: @escaping () -> Void) {
    if isPerforming { followers.append(action) } else { action() }
  }

  private func take(_ event: SessionEvent) {
    if state.isStopped, event.wantsWidget, installed.isProgramChanged {
      handle(.bundleChanged)
    }
    let effects = state.handle(event, at: services.clock.now)
    onChange()
    for effect in effects { perform(effect) }
  }

  func perform(_ request: PageRequest, _ call: ServiceCall) {
    onRequest(request, call)
  }

  func processDidEnd(_ status: TerminationStatus) {
    lastRequestID = connection?.reader.lastRequestID ?? lastRequestID
    connection = nil
    handle(.ended(status))
  }
}

extension ExtensionSession where State == SessionState {
  /// The session of a card.
  package convenience init(id: ExtensionIdentity, bundle: WidgetBundle, services: SessionServices) {
    let state = SessionState(policy: services.policy, resources: services.limits.resources)
    self.init(id: id, bundle: bundle, services: services, state: state)
  }
}

/// Whether what the first message needs could be read.
private enum Readiness {
  case unknown
  case ready
  case obstacle(SafeText)
}

extension ExtensionSession: ResourceUser {
  package var hasProcess: Bool { state.hasProcess }
  package var isAtRest: Bool { state.isAtRest }
  package var isAtWork: Bool { state.isAtWork }
  package var isSuspended: Bool { state.rest == .suspended }

  package func note(_ finding: ResourceFinding) {
    guard case .storage(let bytes) = finding, bytes < .max else { return handle(.found(finding)) }
    handle(.found(.storage(bytes - min(bytes, bytesGiven))))
  }
}

extension SessionEvent {
  /// Whether the page wants something of the widget, so that it is worth to look for a changed program.
  fileprivate var wantsWidget: Bool {
    switch self {
    case .appear, .update, .press: true
    default: false
    }
  }
}
