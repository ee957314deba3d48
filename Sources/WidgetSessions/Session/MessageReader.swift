import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What a ``MessageReader`` reads for.
@MainActor protocol MessageReaderOwner: AnyObject {
  /// A message or an answer was read, for ``SessionState``.
  func handle(_ event: SessionEvent)
  /// A line was read, for the trace.
  func note(_ line: ArraySlice<UInt8>, isJSON: Bool)
  /// A message was read that is no line, for the trace.
  func note(_ message: SaidMessage)
  /// A message was not accepted; `id` is that of a request.
  func refuse(_ error: WireError, id: MessageID?)
  /// The process has ended, and everything that it has sent was handled.
  func processDidEnd(_ status: TerminationStatus)
}

/// Reads what one process reports, in order, and hands it to its owner.
///
/// A line passes three steps: its kind is found, its content is decoded, and the event is handed over.
/// Lines of more than ``Inbox/longLineBytes`` are read and decoded on another thread, so that they delay
/// neither keys nor other cards; everything after such a line waits in the ``Inbox``. Of several views in
/// a short time only the newest is decoded (``NewestView``), but before any message that follows it.
///
/// A class because timers and the other thread call it back.
@MainActor package final class MessageReader {
  /// Weak, because a line can be decoded when the session is gone.
  private weak var owner: (any MessageReaderOwner)?
  private let id: ExtensionIdentity
  private let services: SessionServices
  private let log: WidgetLog
  private let types: UnknownTypes
  private var calls: PendingCalls
  /// Requests of the widget that are not answered.
  private var openRequests: Set<MessageID> = []
  private var views: NewestView
  private var inbox = Inbox()
  /// Handles the rest of the inbox in the next turn of the event loop.
  private var nextTurn: (any HostTimer)?

  /// A reader for one process of the widget `id`; its requests have ids after `lastRequestID`.
  init(
    owner: any MessageReaderOwner,
    id: ExtensionIdentity,
    services: SessionServices,
    log: WidgetLog,
    types: UnknownTypes,
    lastRequestID: Int
  ) {
    self.owner = owner
    self.id = id
    self.services = services
    self.log = log
    self.types = types
    calls = PendingCalls(after: lastRequestID)
    views = NewestView(interval: .seconds(1 / services.limits.picturesPerSecond))
  }

  // MARK: - Requests

  /// Whether a line is being decoded on another thread.
  var isReading: Bool { inbox.isReading }

  /// Whether a request of the host is not answered.
  var awaitsAnswers: Bool { !calls.isEmpty }

  /// The methods of the requests of the host that are not answered.
  package var unanswered: [String] { calls.methods }

  /// Whether a request of the widget is not answered.
  var hasOpenRequests: Bool { !openRequests.isEmpty }

  /// Its requests that are not answered.
  var openRequestIDs: Set<MessageID> { openRequests }

  /// Whether everything that has come was handled.
  var isAtRest: Bool { !inbox.isReading && inbox.isEmpty }

  /// The id of the latest request of the host.
  var lastRequestID: Int { calls.lastID }

  /// Waits for the answer to a request from now on; returns the id for the request.
  func expectAnswer(to call: HostCall) -> Int { calls.add(call) }

  /// Does not wait any longer for the answer to an update.
  func forgetUpdate() {
    calls.removeUpdate()
  }

  /// A request of the widget is to be answered later.
  func open(_ request: MessageID) {
    openRequests.insert(request)
  }

  /// A request of the widget is answered; false if it was not open.
  func close(_ request: MessageID) -> Bool { openRequests.remove(request) != nil }

  // MARK: - Order

  /// Takes a report of the process, and handles it now or after what is being read.
  func receive(_ report: WidgetReport) {
    receive(.report(report))
  }

  private func receive(_ item: Inbox.Item) {
    guard !inbox.isReading, inbox.isEmpty else {
      inbox.append(item)
      return
    }
    handle(item)
    handleRest()
  }

  private func handleRest() {
    var count = 0
    while let item = inbox.next() {
      handle(item)
      count += 1
      if count == Inbox.turn, !inbox.isEmpty, !inbox.isReading {
        nextTurn = EventLoop.main.schedule(after: .zero) { [weak self] in self?.handleRest() }
        return
      }
    }
  }

  private func handle(_ item: Inbox.Item) {
    switch item {
    case .report(.line(let bytes)): scan(bytes)
    case .report(.message(let value)):
      guard let message = value as? SaidMessage else { return }
      if case .view(let view) = message.content {
        owner?.note(message)
        return hold(.view(view))
      }
      guard hasShownView(before: item) else { return }
      owner?.note(message)
      take(message)
    case .report(.log(let lines)):
      for line in lines { log.write(SafeText("stderr: \(line)")) }
    case .report(.violation(let words)): owner?.handle(.violation(words))
    case .report(.outOfMemory): owner?.handle(.found(.outOfMemory))
    case .report(.away(let words)): owner?.handle(.away(words))
    case .report(.ended(let status)):
      guard hasShownView(before: item) else { return }
      views.reset()
      owner?.processDidEnd(status)
    case .message(let line): dispatch(line)
    case .view: showView()
    }
  }

  /// Reads something of `byteCount` bytes and accepts the result: at once if it is short, and otherwise
  /// on another thread.
  private func read<Value: Sendable>(
    byteCount: Int,
    _ read: @escaping @Sendable () -> Value,
    then accept: @escaping @MainActor (Value) -> Void
  ) {
    guard byteCount > Inbox.longLineBytes else {
      accept(read())
      return
    }
    inbox.beginReading()
    let done: @MainActor (Value) -> Void = { [weak self] value in
      guard let self else { return }
      inbox.endReading()
      accept(value)
      handleRest()
    }
    Worker.decoding.async {
      let value = read()
      MainQueue.perform { done(value) }
    }
  }

  /// Takes a message that is no line.
  private func take(_ message: SaidMessage) {
    switch message.content {
    case .reply(let reply):
      guard case .number(let id)? = message.id, calls.take(id) != nil else {
        owner?.handle(.strayReply)
        return
      }
      if let view = reply.view, let error = excess(of: view, "result") {
        owner?.handle(.replied(.refused(reply.call, error)))
      } else {
        owner?.handle(.replied(reply))
      }
    case .log(let line): owner?.handle(.received(.log(line)))
    case .request(let request, _):
      if let id = message.id { open(id) }
      owner?.handle(.received(.service(.page(request), id: message.id)))
    case .view, .refusal: break
    }
  }

  /// Which limit a view exceeds that was not decoded; nil if none.
  private func excess(of view: ViewNode, _ member: String) -> WireError? {
    do throws(ViewLimitError) {
      try types.budget.check(view)
      return nil
    } catch {
      return .invalidParams(error, under: member)
    }
  }

  // MARK: - Lines

  /// Finds the kind and the content of a line.
  private func scan(_ bytes: ArraySlice<UInt8>) {
    let depthLimit = services.limits.jsonDepth
    read(byteCount: bytes.count) {
      Result { () throws(WireError) in try IncomingLine(bytes, depthLimit: depthLimit) }
    } then: { [self] line in
      switch line {
      case .success(let line):
        owner?.note(SecretMask.recorded(line), isJSON: true)
        dispatch(line)
      case .failure(let error):
        let shown = SecretMask.recorded(bytes, error)
        owner?.note(shown.line, isJSON: shown.isJSON)
        owner?.refuse(shown.error, id: nil)
        failCall(answeredBy: bytes, error)
      }
    }
  }

  /// Ends the wait for an answer that has come and could not be read.
  private func failCall(answeredBy bytes: ArraySlice<UInt8>, _ error: WireError) {
    guard let id = UnreadableLine.answered(bytes, waiting: calls.ids), let call = calls.take(id)
    else { return }
    owner?.handle(.replied(.refused(call, error)))
  }

  private func dispatch(_ line: IncomingLine) {
    if case .notification(SetViewNotification.method) = line.kind {
      hold(.line(line))
      return
    }
    guard hasShownView(before: .message(line)) else { return }
    switch line.kind {
    case .result(let id), .error(.some(let id)): decodeAnswer(line, id: id)
    case .error(nil): log.write("the widget could not read a line of the host")
    case .notification(let method):
      decode(line, id: nil) { line, budget throws(WireError) in
        try WidgetMessage(notification: method, line, budget)
      }
    case .request(let id, let method): decodeRequest(line, id: id, method)
    }
  }

  private func decodeAnswer(_ line: IncomingLine, id: MessageID) {
    guard case .number(let number) = id, let call = calls.take(number) else {
      owner?.handle(.strayReply)
      return
    }
    let budget = types.budget
    read(byteCount: line.bytes.count) {
      HostReply(to: call, line, budget: budget)
    } then: { [self] reply in
      owner?.handle(.replied(reply))
      types.writeNew()
    }
  }

  private func decodeRequest(_ line: IncomingLine, id: MessageID, _ method: String) {
    let limit = services.limits.openRequests
    guard openRequests.count < limit else {
      let message = "\(openRequests.count) requests are open, the limit is \(limit)"
      owner?.refuse(WireError(code: .tooManyRequests, message: message), id: id)
      return
    }
    decode(line, id: id) { line, _ throws(WireError) in
      try HostService.message(of: method, id: id, line)
    }
  }

  /// Decodes a notification or a request.
  private func decode(
    _ line: IncomingLine,
    id: MessageID?,
    _ decode: @escaping @Sendable (IncomingLine, ViewBudget) throws(WireError) -> WidgetMessage
  ) {
    let budget = types.budget
    read(byteCount: line.bytes.count) {
      Result { () throws(WireError) in try decode(line, budget) }
    } then: { [self] message in
      switch message {
      case .success(let message):
        if let id, message.staysOpen { open(id) }
        types.writeNew()
        owner?.handle(.received(message))
      case .failure(let error):
        owner?.refuse(error, id: id)
      }
    }
  }

  // MARK: - Views

  /// Keeps the newest view until it can be shown.
  private func hold(_ view: NewestView.Item) {
    guard let delay = views.hold(view, at: services.clock.now) else { return }
    views.timer = services.clock.schedule(after: delay) { [weak self] in self?.receive(.view) }
  }

  /// Shows the view that was sent before an item; false if the item has to wait for its decoding.
  private func hasShownView(before item: Inbox.Item) -> Bool {
    showView()
    guard inbox.isReading else { return true }
    inbox.putBack(item)
    return false
  }

  private func showView() {
    switch views.take(at: services.clock.now) {
    case .line(let line)?:
      decode(line, id: nil) { line, budget throws(WireError) in
        try WidgetMessage(notification: SetViewNotification.method, line, budget)
      }
    case .view(let view)?:
      if let error = excess(of: view, "params") {
        owner?.refuse(error, id: nil)
      } else {
        owner?.handle(.received(.setView(view)))
      }
    case nil: break
    }
  }
}
