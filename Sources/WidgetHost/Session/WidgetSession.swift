import FoundationEssentials
import WidgetKitCore

/// Carries out what ``SessionState`` decides for one widget: process, messages and timers.
///
/// A class because it owns a process. The page's side of the effects goes to ``onEffect``.
final class WidgetSession {
  let id: CardID
  private(set) var bundle: WidgetBundle
  private(set) var state: SessionState
  /// Content, health and the rest of what the card shows.
  var onEffect: (CardEffect) -> Void = { _ in }
  /// Called when an update begins to be waited for, and when none is any more.
  var onUpdateChange: () -> Void = {}
  /// Called when a process is about to be started.
  var onLaunch: () -> Void = {}
  /// Makes the first message to a process that was started for a reason.
  var makeInitialize: ((LaunchReason) -> InitializeRequest)?
  /// The body's size at this moment: since the card appeared, content and margins may have come.
  var bodySize: (() -> Size)?

  let clock: any HostClock
  let limits: HostLimits
  let resources: ResourceWatch
  /// When its view was last on the screen, or its process began.
  private(set) var lastSeen: ContinuousClock.Instant
  /// What was started last, so that a bundle that was mended is told from one that was not.
  private var launched: FileIdentity?
  /// The manifest that ``bundle`` was read from.
  private var manifest: FileIdentity?
  private let launcher: WidgetLauncher
  let trace: TraceWriter?
  let log: WidgetLog
  private let runsPath: String
  /// The run that is under way; nil where there is none.
  var run: RunRecord?
  var connection: (any WidgetConnection)?
  private var timers: [SessionDeadline: any HostTimer] = [:]
  private var lastRequestID = 0
  var pending: [Int: HostCall] = [:]
  var openRequests: Set<MessageID> = []
  var views: NewestView
  var inbox = Inbox()
  let budget: ViewBudget
  var knownUnknowns: Set<String> = []

  init(
    id: CardID,
    bundle: WidgetBundle,
    services: SessionServices
  ) {
    self.id = id
    self.bundle = bundle
    manifest = FileIdentity(bundle.manifestPath)
    clock = services.clock
    limits = services.limits
    launcher = services.launcher
    trace = services.trace
    log = services.log(id)
    runsPath = services.runsPath(id)
    resources = services.resources
    lastSeen = services.clock.now
    state = SessionState(policy: services.policy, resources: services.limits.resources)
    budget = ViewBudget(services.limits.view)
    views = NewestView(interval: .seconds(1 / services.limits.picturesPerSecond))
    services.resources.add(self)
  }

  /// Tells the session what happened.
  func handle(_ event: SessionEvent) {
    if state.phase == .stopped, event.isReasonToLook, bundleHasChanged {
      handle(.bundleChanged)
    }
    let awaitedUpdate = state.awaitsUpdate
    let effects = state.handle(event, at: clock.now)
    if state.awaitsUpdate != awaitedUpdate { onUpdateChange() }
    for effect in effects { perform(effect) }
  }

  /// Ends the widget because the host ends.
  func quit() {
    handle(connection?.isHeldBack == true ? .quitWithoutNotice : .quit)
  }

  /// Answers an `openURL`.
  func answer(open id: MessageID, success: Bool) {
    guard openRequests.remove(id) != nil, connection != nil else { return }
    // Before it is forgotten: what waits for an answer is not suspended.
    send(OutgoingLine.result(OpenURLRequest.Reply(success: success), id: id))
    handle(.opened)
  }

  /// Answers a `setHasContent`.
  func answer(hasContent id: MessageID, refusal: WireError?) {
    guard let refusal else {
      send(OutgoingLine.result(NoMembers(), id: id))
      return
    }
    send(OutgoingLine.error(refusal, id: id))
    log.write(SafeText("refused: \(refusal)"))
  }

  /// All its processes; nil where none runs.
  var processRun: ProcessRun? { connection?.processRun }

  /// Its first process; nil where none runs.
  var processGroup: Int32? { processRun?.leader }

  /// Whether the manifest is another one than that which was read, or the program than that which
  /// was started.
  var isOutdated: Bool {
    FileIdentity(bundle.manifestPath) != manifest || launched != nil && bundleHasChanged
  }

  /// Takes the place of the bundle; a process of the old one is ended in the normal way, and what is
  /// wanted of the widget starts the new one.
  func replace(by bundle: WidgetBundle) {
    self.bundle = bundle
    manifest = FileIdentity(bundle.manifestPath)
    handle(.bundleChanged)
  }

  /// Whether the program on disk is another one than that which was started last.
  private var bundleHasChanged: Bool {
    FileIdentity(bundle.executablePath) != launched
  }

  // MARK: - Effects

  private func perform(_ effect: SessionEffect) {
    switch effect {
    case .process(let effect): perform(effect)
    case .card(let effect):
      if case .updateEnded(let outcome) = effect { run?.note(outcome) }
      if effect == .becameLive || effect == .disappeared { lastSeen = clock.now }
      onEffect(effect)
    }
  }

  private func perform(_ effect: ProcessEffect) {
    switch effect {
    case .launch(let reason): launch(reason)
    case .send(let message): send(message)
    case .signal(let signal): connection?.signal(signal)
    case .suspend:
      if let path = connection?.suspend() {
        handle(.heldLock(path))
      } else {
        onEffect(.suspended)
      }
    case .closeInput: connection?.closeInput()
    case .arm(let deadline, let delay):
      timers[deadline]?.cancel()
      timers[deadline] = clock.schedule(after: delay) { [weak self] in
        self?.timers[deadline] = nil
        if deadline == .widgetPerformUpdate { self?.forgetUpdate() }
        self?.handle(.deadline(deadline))
      }
    case .disarm(let deadline): timers.removeValue(forKey: deadline)?.cancel()
    case .log(let text, let isKept):
      if isKept { log.writeEnd(SafeText(text)) } else { log.write(SafeText(text)) }
    }
  }

  /// Stops waiting for an update, so that a late answer is not taken for that of the next one.
  private func forgetUpdate() {
    pending = pending.filter { if case .widgetPerformUpdate = $0.value { false } else { true } }
  }

  private func launch(_ reason: LaunchReason) {
    pending = [:]
    openRequests = []
    views.reset()
    guard let makeInitialize else { return }
    onLaunch()
    lastSeen = clock.now
    launched = FileIdentity(bundle.executablePath)
    run = RunRecord(start: clock.date, reason: reason)
    do throws(HostError) {
      connection = try launcher(bundle) { [weak self] in self?.report($0) }
    } catch {
      endRun("could not be started: \(error)", cpu: .zero)
      handle(.launchFailed(error.description))
      return
    }
    handle(.launched(makeInitialize(reason)))
  }

  private func send(_ message: HostMessage) {
    switch message {
    case .initialize(let request): send(request, as: .initialize)
    case .widgetMarginInsets(let request): send(request, as: .widgetMarginInsets)
    case .viewWillAppear(var request):
      request.size = bodySize?() ?? request.size
      send(request, as: .viewWillAppear)
    case .viewWillDisappear: send(ViewWillDisappearRequest(), as: .viewWillDisappear)
    case .widgetPerformUpdate(let reason):
      send(WidgetPerformUpdateRequest(reason: reason), as: .widgetPerformUpdate(reason))
    case .viewWillTransitionToSize(let request):
      send(request, as: .viewWillTransitionToSize(transition: request.transition))
    case .performAction(let request): send(request, as: .performAction(request.action))
    case .viewDidAppear: send(OutgoingLine.notification(ViewDidAppearNotification()))
    case .viewDidDisappear: send(OutgoingLine.notification(ViewDidDisappearNotification()))
    case .transitionDidComplete(let message): send(OutgoingLine.notification(message))
    case .activeDisplayModeDidChange(let message): send(OutgoingLine.notification(message))
    case .expiringActivity(let message): send(OutgoingLine.notification(message))
    case .didReceiveMemoryWarning:
      send(OutgoingLine.notification(DidReceiveMemoryWarningNotification()))
    case .shutdown: send(OutgoingLine.notification(ShutdownNotification()))
    case .activity(let reply, let id):
      openRequests.remove(id)
      send(OutgoingLine.result(reply, id: id))
    case .error(let error, let id):
      if let id { openRequests.remove(id) }
      send(OutgoingLine.error(error, id: id))
    }
  }

  private func send(_ request: some RequestMessage, as call: HostCall) {
    lastRequestID += 1
    pending[lastRequestID] = call
    send(OutgoingLine.request(request, id: lastRequestID))
  }

  func send(_ line: [UInt8]) {
    guard let connection else { return }
    trace?.write(.to, widget: id, message: line.dropLast(), isJSON: true)
    run?.bytesSent += line.count
    connection.send(line)
    resources.noteSent()
  }

  /// Keeps what the run was, with how it ended.
  func endRun(_ words: String, cpu: Duration) {
    guard var record = run else { return }
    run = nil
    record.milliseconds = max(0, Int(clock.date.timeIntervalSince(record.start) * 1000))
    record.cpuMilliseconds = Int(cpu / .milliseconds(1))
    record.end = words
    RunLog.append(record, to: runsPath)
  }
}

extension SessionEvent {
  /// Whether somebody wants something of a widget, so that a mended bundle is worth a look.
  fileprivate nonisolated var isReasonToLook: Bool {
    switch self {
    case .appear, .update, .press: true
    default: false
    }
  }
}

extension WidgetBundle {
  /// Its property list.
  fileprivate nonisolated var manifestPath: String { "\(path)/Info.plist" }
}
