public import WidgetHost
public import WidgetKitCore

/// A host that is controlled by a test: it starts a widget's real process and exchanges messages.
///
/// The process is started in the same way as by the dashboard. Calls wait for their answer or their
/// deadline; other messages of the widget are collected. Everything runs on the main actor.
public final class ScriptedHost {
  /// The bundle that is run.
  public let bundle: WidgetBundle
  /// The newest view that the widget showed, from any answer or `setView`.
  public private(set) var view: ViewNode? {
    didSet {
      if view != oldValue, oldValue != nil { showsFirstView = false }
      if view != nil { viewWaiter?() }
    }
  }
  /// The height that the widget stated by itself after its first view had appeared, while that was still
  /// its view and nothing was asked of it; nil if it did not.
  public private(set) var lateHeight: Int?
  /// The unknown types in its views, at most 16 of them, sorted.
  public var unknownTypes: [String] { budget.unknownTypes }
  /// The height that the widget last requested; nil for the height of the view.
  public private(set) var preferredHeight: Int?
  /// Violations of the protocol, a sentence each: invalid lines and exceeded limits.
  public private(set) var faults: [String] = []
  /// What the widget wrote to standard error or sent to its log.
  public private(set) var log: [SafeText] = []
  /// The URLs that the widget asked to open.
  public private(set) var openedURLs: [String] = []
  /// How the process ended; nil while it runs.
  public private(set) var status: TerminationStatus?
  /// Whether the widget has something to show, according to its last `setHasContent`.
  public var hasContent: Bool { services.hasContent }
  /// The answer to `openURL`.
  public var opensURLs = true

  private let clock: any HostClock
  private let trace: TraceWriter?
  private let id: ExtensionIdentity
  private var run: WidgetRun?
  private var sandbox: Sandbox?
  private var lastID = 0
  private var waiting: [Int: (Result<IncomingLine, CallFailure>) -> Void] = [:]
  private var exitWaiter: (() -> Void)?
  private var viewWaiter: (() -> Void)?
  private let budget = ViewBudget()
  private var activities = 0
  private var services: ScriptedServices
  /// Whether the first view of the process has appeared, and nothing was asked of it since then.
  private var hasAppeared = false
  /// Whether the view is the first one of the process.
  private var showsFirstView = true

  /// Why a call failed.
  public enum CallFailure: Error, CustomStringConvertible {
    /// No answer arrived in time.
    case timedOut(Duration)
    /// The widget answered with an error, or with an invalid result.
    case refused(WireError)
    /// The answer is not a valid message.
    case unreadable(WireError)
    /// The process ended before it answered.
    case ended(TerminationStatus?)

    /// What happened, in a few words.
    public var description: String {
      switch self {
      case .timedOut(let limit):
        "no answer in \(limit.words); standard output may be buffered: flush it after each line"
      case .refused(let error): "\(error)"
      case .unreadable(let error):
        "the answer cannot be read: \(error)\n"
          + "only messages may be written to standard output, one per line; use standard error for others"
      case .ended(let status): "the process ended\(status.map { " (\($0))" } ?? "")"
      }
    }
  }

  /// Creates a host for a bundle; nothing is started yet.
  public init(bundle: WidgetBundle, clock: any HostClock = SystemClock(), trace: TraceWriter? = nil)
  {
    self.bundle = bundle
    self.clock = clock
    self.trace = trace
    id = ExtensionIdentity(bundle.bundleIdentifier)
    services = ScriptedServices(bundle: bundle)
  }

  /// Starts the process.
  ///
  /// - Throws: ``HostError`` if the program cannot be started.
  public func launch(environment: [String: String]) throws(HostError) {
    status = nil
    (hasAppeared, showsFirstView) = (false, true)
    services.folders = StateFolders(environment: environment)
    let sandbox = sandbox ?? Sandbox(.automatic, environment: environment)
    self.sandbox = sandbox
    run = try WidgetRun(bundle: bundle, environment: environment, sandbox: sandbox) {
      [weak self] in self?.take($0)
    }
  }

  /// Makes a call and waits for its answer.
  ///
  /// - Returns: The answer and how long it took.
  /// - Throws: ``CallFailure``.
  public func call<Request: RequestMessage>(
    _ request: Request,
    within limit: Duration
  ) async throws -> (reply: Request.Reply, took: Duration) {
    guard status == nil, run != nil else { throw CallFailure.ended(status) }
    lastID += 1
    let number = lastID
    if [PerformActionRequest.method, ViewWillTransitionToSizeRequest.method].contains(
      Request.method
    ) {
      hasAppeared = false
    }
    let start = clock.now
    let line = try await withCheckedThrowingContinuation { continuation in
      let timer = clock.schedule(after: limit) { [weak self] in
        self?.waiting.removeValue(forKey: number)?(.failure(.timedOut(limit)))
      }
      waiting[number] = { result in
        timer.cancel()
        continuation.resume(with: result.mapError { $0 as any Error })
      }
      send(OutgoingLine.request(request, id: number))
    }
    let took = start.duration(to: clock.now)
    do throws(WireError) {
      if case .error = line.kind { throw try line.decode(WireError.self) }
      if line.contentBytes.elementsEqual("null".utf8), let empty = NoMembers() as? Request.Reply {
        return (empty, took)
      }
      let reply = try line.decode(Request.Reply.self, budget: budget)
      note(reply)
      return (reply, took)
    } catch {
      throw CallFailure.refused(error)
    }
  }

  /// Sends a notification.
  public func notify(_ message: some NotificationMessage) {
    if message is ViewDidAppearNotification { hasAppeared = view != nil }
    send(OutgoingLine.notification(message))
  }

  /// Closes the widget's standard input.
  public func closeInput() {
    run?.closeInput()
  }

  /// Waits until the process has ended; false if it has not in time.
  public func waitForExit(within limit: Duration) async -> Bool {
    if status != nil { return true }
    return await withCheckedContinuation { continuation in
      let timer = clock.schedule(after: limit) { [weak self] in
        guard let self, exitWaiter != nil else { return }
        exitWaiter = nil
        continuation.resume(returning: false)
      }
      exitWaiter = {
        timer.cancel()
        continuation.resume(returning: true)
      }
    }
  }

  /// Waits for the first view, in an answer or pushed; false if none arrives in time.
  public func waitForView(within limit: Duration) async -> Bool {
    if view != nil || status != nil { return view != nil }
    return await withCheckedContinuation { continuation in
      let timer = clock.schedule(after: limit) { [weak self] in self?.viewWaiter?() }
      viewWaiter = { [weak self] in
        timer.cancel()
        self?.viewWaiter = nil
        continuation.resume(returning: self?.view != nil)
      }
    }
  }

  /// Waits, for example for messages that the widget sends by itself.
  public func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      pauseTimer = clock.schedule(after: duration) { continuation.resume() }
    }
  }

  private var pauseTimer: (any HostTimer)?

  /// Kills the process.
  public func kill() {
    run?.kill()
  }

  private func send(_ line: [UInt8], traced: [UInt8]? = nil) {
    trace?.write(.to, widget: id, message: (traced ?? line).dropLast(), isJSON: true)
    run?.send(line)
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let bytes): read(bytes)
    case .log(let lines): log += lines
    case .violation(let words):
      faults.append(words)
      run?.kill()
    case .ended(let status):
      self.status = status
      run = nil
      let left = waiting
      waiting = [:]
      for answer in left.values { answer(.failure(.ended(status))) }
      exitWaiter?()
      exitWaiter = nil
      viewWaiter?()
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>) {
    let line: IncomingLine
    do throws(WireError) {
      line = try IncomingLine(bytes)
    } catch {
      let shown = SecretMask.recorded(bytes, error)
      trace?.write(.from, widget: id, message: shown.line, isJSON: shown.isJSON)
      faults.append("not a message: \(shown.error)")
      send(OutgoingLine.error(error, id: nil))
      if let number = UnreadableLine.answered(bytes, waiting: waiting.keys) {
        waiting.removeValue(forKey: number)?(.failure(.unreadable(error)))
      }
      return
    }
    trace?.write(.from, widget: id, message: SecretMask.recorded(line), isJSON: true)
    do throws(WireError) {
      try dispatch(line)
    } catch {
      faults.append("\(line.methodName.map { "\($0): " } ?? "")\(error)")
      if case .request(let id, _) = line.kind { send(OutgoingLine.error(error, id: id)) }
    }
  }

  private func dispatch(_ line: IncomingLine) throws(WireError) {
    switch line.kind {
    case .result(let id), .error(.some(let id)):
      guard case .number(let number) = id, let answer = waiting.removeValue(forKey: number) else {
        faults.append("an answer without a pending request (a second or a late answer)")
        return
      }
      answer(.success(line))
    case .error(nil):
      faults.append("the widget answered a message of the host with a parse error")
    case .notification(let method):
      try perform(WidgetMessage(notification: method, line, budget))
    case .request(let id, let method):
      try perform(HostService.message(of: method, id: id, line))
    }
  }

  private func perform(_ message: WidgetMessage) throws(WireError) {
    switch message {
    case .setView(let view): self.view = view
    case .setPreferredContentSize(let size):
      if hasAppeared, showsFirstView, lateHeight == nil, size.height != preferredHeight {
        lateHeight = size.height
      }
      preferredHeight = size.height
    case .setLargestAvailableDisplayMode, .endExpiringActivity: break
    case .log(let line): log.append(line.message)
    case .openURL(let url, let id):
      openedURLs.append(url)
      if let id { send(OutgoingLine.result(OpenURLRequest.Reply(success: opensURLs), id: id)) }
    case .beginExpiringActivity(let reason, let id):
      if let fault = HostServiceSender.fault(ofActivityReason: reason) { throw fault }
      activities += 1
      let reply = BeginExpiringActivityRequest.Reply(activity: activities, expired: false)
      send(OutgoingLine.result(reply, id: id))
    case .service(let request, let id):
      let answer = try services.answer(request)
      if let id { send(answer.line(to: id), traced: answer.shownLine(to: id)) }
    }
  }

  private func note(_ reply: any Sendable) {
    let content: ContentUpdate? =
      switch reply {
      case let reply as InitializeRequest.Reply: reply.content
      case let reply as WidgetPerformUpdateRequest.Reply: reply.content
      case let reply as PerformActionRequest.Reply: reply.content
      case let reply as ContentUpdate: reply
      default: nil
      }
    if let newView = content?.view { view = newView }
    switch content?.preferredContentSize {
    case .null: preferredHeight = nil
    case .value(let size): preferredHeight = size.height
    case .unstated, nil: break
    }
    if let reply = reply as? ViewWillTransitionToSizeRequest.Reply, let alongside = reply.alongside
    {
      view = alongside
    }
  }
}

extension IncomingLine {
  /// The method of a call; nil for an answer.
  fileprivate nonisolated var methodName: String? {
    switch kind {
    case .request(_, let method), .notification(let method): method
    case .result, .error: nil
    }
  }
}

extension Duration {
  /// Seconds or milliseconds with their unit: `5 s`, `100 ms`.
  nonisolated var words: String {
    self < .seconds(1)
      ? "\(Int(self / .milliseconds(1))) ms" : "\(Int(self / .seconds(1))) s"
  }
}
