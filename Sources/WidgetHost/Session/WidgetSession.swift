import WidgetKitCore

/// Carries out what ``SessionState`` decides for one widget: process, messages and timers.
///
/// A class because it owns a process. The page's side of the effects goes to ``onEffect``.
final class WidgetSession {
  let id: CardID
  let bundle: WidgetBundle
  private(set) var state: SessionState
  /// Content, health and the rest of what the card shows.
  var onEffect: (SessionEffect) -> Void = { _ in }
  /// Makes the first message to a process that was started for a reason.
  var makeInitialize: ((LaunchReason) -> InitializeRequest)?
  /// The body's size at this moment: since the card appeared, content and margins may have come.
  var bodySize: (() -> Size)?

  private let clock: any HostClock
  private let limits: HostLimits
  private let launcher: WidgetLauncher
  private let trace: TraceWriter?
  private let log: WidgetLog
  private var connection: (any WidgetConnection)?
  private var timers: [SessionDeadline: any HostTimer] = [:]
  private var lastRequestID = 0
  private var pending: [Int: HostCall] = [:]
  private var openRequests: Set<MessageID> = []
  private var views: NewestView
  private let budget: ViewBudget
  private var knownUnknowns: Set<String> = []

  init(
    id: CardID,
    bundle: WidgetBundle,
    services: SessionServices
  ) {
    self.id = id
    self.bundle = bundle
    clock = services.clock
    limits = services.limits
    launcher = services.launcher
    trace = services.trace
    log = services.log(id)
    state = SessionState(policy: services.policy)
    budget = ViewBudget(services.limits.view)
    views = NewestView(interval: .seconds(1 / services.limits.picturesPerSecond))
  }

  /// Tells the session what happened.
  func handle(_ event: SessionEvent) {
    for effect in state.handle(event, at: clock.now) { carryOut(effect) }
  }

  /// Answers an `openURL`.
  func answer(open id: MessageID, success: Bool) {
    openRequests.remove(id)
    guard connection != nil else { return }
    send(OutgoingLine.result(OpenURLRequest.Reply(success: success), id: id))
  }

  // MARK: - Effects

  private func carryOut(_ effect: SessionEffect) {
    switch effect {
    case .launch(let reason): launch(reason)
    case .send(let message): send(message)
    case .signal(let signal): connection?.signal(signal)
    case .closeInput: connection?.closeInput()
    case .arm(let deadline, let delay):
      timers[deadline]?.cancel()
      timers[deadline] = clock.schedule(after: delay) { [weak self] in
        self?.timers[deadline] = nil
        if deadline == .widgetPerformUpdate { self?.forgetUpdate() }
        self?.handle(.deadline(deadline))
      }
    case .disarm(let deadline):
      timers.removeValue(forKey: deadline)?.cancel()
    case .log(let text):
      log.write(SafeText(text))
    default:
      onEffect(effect)
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
    do throws(HostError) {
      connection = try launcher(bundle) { [weak self] in self?.report($0) }
    } catch {
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

  private func send(_ line: [UInt8]) {
    guard let connection else { return }
    trace?.write(.to, widget: id, message: line.dropLast(), isJSON: true)
    connection.send(line)
  }

  // MARK: - Reports

  private func report(_ report: WidgetReport) {
    switch report {
    case .line(let bytes): read(bytes)
    case .log(let lines): for line in lines { log.write(line) }
    case .violation(let words): handle(.violation(words))
    case .ended(let status):
      flushView()
      connection = nil
      log.write(SafeText("ended: \(status)"))
      handle(.ended(status))
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>) {
    let line: IncomingLine
    do throws(WireError) {
      line = try IncomingLine(bytes, depthLimit: limits.jsonDepth)
    } catch {
      trace?.write(.from, widget: id, message: bytes, isJSON: error.code != .parseError)
      refuse(error, id: nil)
      return
    }
    trace?.write(.from, widget: id, message: bytes, isJSON: true)
    do throws(WireError) {
      try read(line)
    } catch {
      refuse(error, id: nil)
    }
  }

  private func read(_ line: IncomingLine) throws(WireError) {
    switch line.kind {
    case .result(let id), .error(.some(let id)):
      flushView()
      guard case .number(let number) = id, let call = pending.removeValue(forKey: number) else {
        handle(.strayReply)
        return
      }
      handle(.replied(HostReply(to: call, line, budget: budget)))
      noteUnknownTypes()
    case .error(nil):
      log.write("the widget could not read a line of the host")
    case .notification(let method):
      if method == SetViewNotification.method {
        hold(line)
        return
      }
      flushView()
      try notified(method, line)
    case .request(let id, let method):
      flushView()
      do throws(WireError) {
        try requested(method, id, line)
      } catch {
        refuse(error, id: id)
      }
    }
  }

  private func notified(_ method: String, _ line: IncomingLine) throws(WireError) {
    switch method {
    case SetPreferredContentSizeNotification.method:
      let message = try line.decode(SetPreferredContentSizeNotification.self)
      handle(.received(.setPreferredContentSize(message.size)))
    case SetLargestAvailableDisplayModeNotification.method:
      let message = try line.decode(SetLargestAvailableDisplayModeNotification.self)
      handle(.received(.setLargestAvailableDisplayMode(message.mode)))
    case LogNotification.method:
      handle(.received(.log(try line.decode(LogNotification.self))))
    case EndExpiringActivityNotification.method:
      let message = try line.decode(EndExpiringActivityNotification.self)
      handle(.received(.endExpiringActivity(message.activity)))
    default:
      // A notification has no answer (JSON-RPC 2.0 §4.1); the log is where its author looks.
      log.write(SafeText("no method “\(method)”"))
    }
  }

  private func requested(
    _ method: String,
    _ id: MessageID,
    _ line: IncomingLine
  ) throws(WireError) {
    guard openRequests.count < limits.openRequests else {
      throw WireError(
        code: .tooManyRequests,
        message: "\(openRequests.count) requests are open, the limit"
      )
    }
    switch method {
    case OpenURLRequest.method:
      let request = try line.decode(OpenURLRequest.self)
      openRequests.insert(id)
      handle(.received(.openURL(request.url, id: id)))
    case BeginExpiringActivityRequest.method:
      let request = try line.decode(BeginExpiringActivityRequest.self)
      openRequests.insert(id)
      handle(.received(.beginExpiringActivity(request.reason, id: id)))
    default:
      throw .methodNotFound(method)
    }
  }

  /// Answers a message that was no good, notes it, and counts it where it was no message at all.
  private func refuse(_ error: WireError, id: MessageID?) {
    let isFault = error.code == .parseError || error.code == .invalidRequest
    if isFault || id != nil { send(OutgoingLine.error(error, id: id)) }
    if isFault {
      handle(.badMessage(error))
    } else {
      log.write(SafeText("refused: \(error)"))
    }
  }

  // MARK: - Views

  /// Names in the log, once, each type of element that this version does not know.
  private func noteUnknownTypes() {
    for type in budget.unknownTypes where knownUnknowns.insert(type).inserted {
      log.write(SafeText("no element “\(type)”; its alt or its children are shown"))
    }
  }

  /// Keeps the newest view undecoded until its turn.
  private func hold(_ line: IncomingLine) {
    guard let delay = views.hold(line, at: clock.now) else { return }
    views.timer = clock.schedule(after: delay) { [weak self] in self?.flushView() }
  }

  private func flushView() {
    guard let line = views.take(at: clock.now) else { return }
    do throws(WireError) {
      let message = try line.decode(SetViewNotification.self, budget: budget)
      noteUnknownTypes()
      handle(.received(.setView(message.view)))
    } catch {
      log.write(SafeText("refused: \(error)"))
    }
  }
}
