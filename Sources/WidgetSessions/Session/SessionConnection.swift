import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The session of a ``SessionConnection``.
@MainActor protocol SessionConnectionOwner: AnyObject {
  /// The process has done something that ``SessionState`` decides about.
  func handle(_ event: SessionEvent)
  /// The page is to decide about a request of the process.
  func perform(_ request: PageRequest, _ call: ServiceCall)
  /// The process has ended, and everything that it has sent was handled.
  func processDidEnd(_ status: TerminationStatus)
}

/// The host's side of one process: what it is sent, what it answers, and the record of its run.
///
/// Made for each launch, and dropped when the process has ended. A class because the process calls it back.
@MainActor package final class SessionConnection {
  private weak var owner: (any SessionConnectionOwner)?
  private let id: ExtensionIdentity
  private let services: SessionServices
  private let log: WidgetLog
  /// What is known of the run so far.
  private(set) var record: RunRecord
  /// Nil until the process is started.
  private var process: (any WidgetConnection)?
  package private(set) lazy var reader = MessageReader(
    owner: self,
    id: id,
    services: services,
    log: log,
    types: types,
    lastRequestID: firstRequestID - 1
  )
  /// Nil until the process is started.
  private var hostServices: HostServices?
  private let types: UnknownTypes
  private let firstRequestID: Int
  private let messages: MessageRing
  /// What is left out of the trace and the inspector.
  private var givenSecrets = GivenSecrets()
  /// Whether the widget can be told a time that is not that of the system.
  private var receivesTime = false
  /// The time that it was told last; nil if it was told none.
  private var lastSentTime: Date?
  /// When the update in progress was requested.
  private var updateStart: ContinuousClock.Instant?

  init(
    owner: any SessionConnectionOwner,
    id: ExtensionIdentity,
    reason: LaunchReason,
    services: SessionServices,
    log: WidgetLog,
    types: UnknownTypes,
    firstRequestID: Int,
    messages: MessageRing
  ) {
    self.owner = owner
    self.id = id
    self.services = services
    self.log = log
    self.types = types
    self.firstRequestID = firstRequestID
    self.messages = messages
    record = RunRecord(start: services.clock.date, reason: reason)
  }

  /// Starts the program of a bundle.
  func start(_ bundle: WidgetBundle) throws(HostError) {
    services.trace?.write(
      .start(
        name: bundle.displayName.string,
        bundle.infoPlist.widgetExtension?.mark ?? CardMark(),
        reason: record.reason
      ),
      widget: id
    )
    do throws(HostError) {
      process = try services.launcher(bundle, id) { [weak self] in self?.receive($0) }
      hostServices = HostServices(
        owner: self,
        bundle: bundle,
        id: id,
        secrets: services.secrets(bundle),
        watch: services.sharedData
      )
    } catch {
      keepRecord("could not be started: \(error)", cpu: .zero)
      throw error
    }
  }

  // MARK: - The process

  /// All its processes; nil if none runs.
  package var processRun: ProcessRun? { process?.processRun }
  /// Whether it waits for something to happen, and everything that it was sent and has sent was read.
  package var isIdle: Bool {
    !reader.isReading && !reader.awaitsAnswers && !reader.hasOpenRequests && process?.isIdle ?? true
  }
  /// Whether it sends so much that nothing is read for a while.
  var isHeldBack: Bool { process?.isHeldBack ?? false }

  package func signal(_ signal: ProcessSignal) {
    if signal == .resume {
      services.trace?.write(.resume, widget: id)
      hostServices?.resume()
    }
    process?.signal(signal)
  }

  /// Suspends it; returns the file on which it has an exclusive lock, or to which it has a coordinated
  /// access, nil if there is none.
  func suspend() -> String? {
    let path = process?.suspend()
    services.trace?.write(.suspend, widget: id)
    return hostServices?.suspend() ?? path
  }

  package func closeInput() {
    process?.closeInput()
  }

  /// Whether everything that it has sent was handled, and no data that it shares is being read or written.
  var canLeave: Bool { reader.isAtRest && hostServices?.isAtRest != false }

  /// Stops following the process, which continues for its activities; nil if it must be ended.
  func leave() -> LeavingSession? {
    guard let hostServices, let widget = process?.release() else { return nil }
    keepRecord("continued after the host for its expiring activities", cpu: process?.cpu ?? .zero)
    let shared = hostServices.handOver()
    let unanswered = reader.openRequestIDs.subtracting(shared.waits.map(\.id))
    return LeavingSession(widget: widget, shared: shared, unanswered: Array(unanswered))
  }

  private func receive(_ report: WidgetReport) {
    switch report {
    case .line(let bytes):
      services.resources.noteHeard(from: id)
      record.bytesReceived += bytes.count + 1
    case .message: services.resources.noteHeard(from: id)
    case .log, .violation, .outOfMemory, .away, .ended: break
    }
    reader.receive(report)
  }

  /// Counts the result of an update in the record of the run.
  func note(_ outcome: CompletedUpdate) {
    record.note(outcome, took: updateStart.map { $0.duration(to: services.clock.now) })
    updateStart = nil
  }

  /// Adds the record of the run, with how it has ended, to those of the widget.
  private func keepRecord(_ words: String, cpu: Duration) {
    record.milliseconds = max(0, Int(services.clock.date.timeIntervalSince(record.start) * 1000))
    record.cpuMilliseconds = Int(cpu / .milliseconds(1))
    record.end = words
    if log.isWanted() { RunLog.append(record, to: services.runsPath(id)) }
  }

  // MARK: - To the widget

  /// Sends a message.
  package func send(_ message: HostMessage) {
    for name in message.configuration?.secrets ?? [] {
      if let secret = message.configuration?.string(name) { givenSecrets.add(secret) }
    }
    switch message.form {
    case .request(_, let call):
      if case .widgetPerformUpdate = call { updateStart = services.clock.now }
      send(SentMessage(message, id: reader.expectAnswer(to: call)))
    case .answer(_, let id), .error(_, let id?):
      _ = reader.close(id)
      send(SentMessage(message))
    case .notification, .error(_, nil): send(SentMessage(message))
    }
  }

  private func send(_ message: SentMessage) {
    tellTime()
    write(message)
  }

  private func write(_ message: SentMessage) {
    guard let process else { return }
    var message = message
    if process.exchangesLines || services.trace != nil {
      message.encode()
      let line = (message.recordedLine ?? message.line).dropLast()
      let shown = givenSecrets.masked(line, isJSON: true)
      services.trace?.write(.to, widget: id, message: shown, isJSON: true)
      messages.note(.to, shown, at: services.clock.date)
    } else {
      messages.note(.to, words: message.words, at: services.clock.date)
    }
    if process.exchangesLines { record.bytesSent += message.line.count }
    process.send(message)
    services.resources.noteSent(to: id)
  }

  /// Tells the widget the time, if it is not that of the system, and has changed.
  package func tellTime() {
    guard receivesTime, let date = services.hostDate(), date != lastSentTime else { return }
    lastSentTime = date
    write(SentMessage(.clockDidChange(ClockDidChangeNotification(now: date))))
  }

  /// Answers an `openURL`; false if it is not open.
  func answer(open id: MessageID, success: Bool) -> Bool {
    guard reader.close(id) else { return false }
    let answer = ServiceAnswer(OpenURLRequest.Reply(success: success))
    send(SentMessage(answer: answer, id: id))
    return true
  }

  /// Performs a request of the widget.
  func perform(_ request: ServiceRequest, _ id: MessageID?) {
    switch request {
    case .secret(.add(let request)): givenSecrets.add(request.value.text)
    case .secret(.update(let request)): givenSecrets.add(request.value.text)
    default: break
    }
    hostServices?.perform(request, id)
  }
}

extension SessionConnection: HostServicesOwner {
  package func answer(_ answer: ServiceAnswer, to id: MessageID?) {
    if let id {
      guard reader.close(id) else { return }
      if let secret = answer.secret { givenSecrets.add(secret) }
      send(SentMessage(answer: answer, id: id))
    }
    if let refusal = answer.refusal { log.write(SafeText("refused: \(refusal)")) }
  }

  package func perform(_ request: PageRequest, _ call: ServiceCall) {
    owner?.perform(request, call)
  }

  package func sharedDataDidChange(_ change: SharedDataChange) {
    handle(.sharedData(change))
  }
}

extension SessionConnection: MessageReaderOwner {
  func handle(_ event: SessionEvent) {
    if case .replied(.initialize(let reply)) = event {
      if reply.implements.contains(DefaultsDidChangeNotification.method) {
        hostServices?.followDefaults()
      }
      receivesTime = reply.implements.contains(ClockDidChangeNotification.method)
      // The request had it.
      lastSentTime = services.hostDate()
    }
    owner?.handle(event)
  }

  func note(_ line: ArraySlice<UInt8>, isJSON: Bool) {
    let shown = givenSecrets.masked(line, isJSON: isJSON)
    services.trace?.write(.from, widget: id, message: shown, isJSON: isJSON)
    messages.note(.from, shown, at: services.clock.date)
  }

  func note(_ message: SaidMessage) {
    guard services.trace != nil else {
      return messages.note(.from, words: message.words, at: services.clock.date)
    }
    note(message.line.dropLast(), isJSON: true)
  }

  func refuse(_ error: WireError, id: MessageID?) {
    record.faults += 1
    let isFault = error.code == .parseError || error.code == .invalidRequest
    // A notification is not answered (JSON-RPC 2.0, section 4.1); its author finds the error in the log.
    if isFault || id != nil { send(SentMessage(.error(error, id: id))) }
    if isFault {
      handle(.badMessage(error))
    } else {
      log.write(SafeText("refused: \(error)"))
    }
  }

  func processDidEnd(_ status: TerminationStatus) {
    keepRecord("\(status)", cpu: process?.cpu ?? .zero)
    log.writeEnd(SafeText("ended: \(status)"))
    services.trace?.write(.exit(status), widget: id)
    owner?.processDidEnd(status)
  }
}
