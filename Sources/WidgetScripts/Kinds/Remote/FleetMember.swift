import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The widget of a fleet on one machine: started, asked for updates, and started again when its machine is back.
///
/// It is the host of that widget in a small way: the card of the fleet has the life that cards have, and passes on
/// what the page says.
@MainActor final class FleetMember {
  typealias Start = (
    _ report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection

  /// The name of the machine, as the user knows it.
  let name: String
  private let limits: HostLimits
  private let clock: any HostClock
  private let start: Start
  /// Called when it has something else to show, and when an update was answered.
  private let onChange: () -> Void
  private let onLog: ([SafeText]) -> Void
  private var run: (any WidgetConnection)?
  private var calls: [Int: HostCall] = [:]
  private var lastCall = 0
  private var implements: Set<String> = []
  /// Whether it has answered `initialize`.
  private var isGreeted = false
  private var first: HostMessage?
  private var appearance: HostMessage?
  private var retry: (any HostTimer)?
  private var deadline: (any HostTimer)?
  private var failures = 0
  private var isEnding = false
  private(set) var row: FleetView.Row
  /// Whether an update was asked for that is not answered.
  private(set) var isAsked = false

  /// The time for an update, which is shorter than that of the card.
  private static let patience = Duration.seconds(20)
  /// The time to a first answer, with the connection, for which others may have to be made before.
  private static let startPatience = Duration.seconds(60)
  /// The longest pause before it is started again.
  private static let longestPause = Duration.seconds(120)
  private static let spread = 0.5
  /// The most requests that it may leave without an answer.
  private static let callLimit = 16

  init(
    _ name: String,
    limits: HostLimits,
    clock: any HostClock,
    start: @escaping Start,
    onChange: @escaping () -> Void,
    onLog: @escaping ([SafeText]) -> Void
  ) {
    (self.name, self.limits, self.clock, self.start) = (name, limits, clock, start)
    (self.onChange, self.onLog) = (onChange, onLog)
    row = FleetView.Row(name: name, state: .waiting)
  }

  var hasEnded: Bool { run == nil }

  // MARK: - From the card

  /// Starts the widget with the first message of the page.
  func begin(_ message: HostMessage) {
    first = message
    launch()
  }

  /// The view of the card appears, or has another size or look.
  func take(_ message: HostMessage) {
    if case .viewWillAppear = message { appearance = message }
    guard let method = message.method, implements.contains(method) else { return }
    tell(message)
  }

  /// Asks for new data; a machine that is away is tried at once where the user wants it.
  func update(_ reason: UpdateReason) {
    if run == nil, retry != nil, reason == .user || reason == .event { launch() }
    guard run != nil, implements.contains(WidgetPerformUpdateRequest.method) else {
      isAsked = run != nil && !isGreeted && row.state == .waiting
      return
    }
    isAsked = true
    tell(.widgetPerformUpdate(reason))
    arm()
  }

  func suspend() { _ = run?.suspend() }
  func signal(_ signal: ProcessSignal) {
    if signal != .resume { end() }
    run?.signal(signal)
  }

  func close() {
    end()
    run?.closeInput()
  }

  private func end() {
    isEnding = true
    retry?.cancel()
    deadline?.cancel()
  }

  // MARK: - The widget

  private func launch() {
    retry?.cancel()
    retry = nil
    guard run == nil, !isEnding, let first else { return }
    (calls, implements, isGreeted) = ([:], [], false)
    isAsked = row.state == .waiting
    do throws(HostError) {
      run = try start { [weak self] in self?.take($0) }
      tell(first)
      arm(Self.startPatience)
    } catch {
      fail(SafeText(error.description), .failed)
      again()
    }
  }

  private func tell(_ message: HostMessage) {
    guard case .request(_, let call) = message.form else {
      run?.send(SentMessage(message))
      return
    }
    lastCall += 1
    calls[lastCall] = call
    run?.send(SentMessage(message, id: lastCall))
  }

  private func arm(_ patience: Duration = FleetMember.patience) {
    deadline?.cancel()
    deadline = clock.schedule(after: patience) { [weak self] in
      guard let self, isAsked else { return }
      fail("no answer in \(SafeText("\(patience.components.seconds)")) s", .failed)
      // It is started again: one that never answered has said nothing yet, and one that leaves many open hangs.
      if !isGreeted || calls.count > Self.callLimit { run?.signal(.kill) }
    }
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let line): read(line)
    case .message(let message): if let message = message as? SaidMessage { read(message) }
    case .log(let lines): onLog(lines)
    case .violation(let words):
      fail(SafeText(words), .failed)
      run?.signal(.kill)
    case .away(let words):
      fail(SafeText(words), .away)
      run?.signal(.kill)
    case .outOfMemory: fail("used too much memory", .failed)
    case .ended(let status):
      run = nil
      if row.trouble == nil, !isEnding { fail(SafeText("ended: \(status)"), .failed) }
      isAsked = false
      onChange()
      again()
    }
  }

  /// Starts it again after a pause that grows, and that is another one for each machine.
  private func again() {
    guard !isEnding else { return }
    failures += 1
    let pause = min(Self.longestPause, .seconds(1 << min(failures - 1, 7)))
    retry = clock.schedule(after: pause + pause * Double.random(in: 0...Self.spread)) {
      [weak self] in self?.launch()
    }
  }

  private func fail(_ words: SafeText, _ state: FleetView.Row.State) {
    isAsked = false
    deadline?.cancel()
    (row.state, row.trouble) = (state, words)
    onChange()
  }

  // MARK: - From the widget

  private func read(_ line: ArraySlice<UInt8>) {
    guard let message = try? IncomingLine(line, depthLimit: limits.jsonDepth) else { return }
    switch message.kind {
    case .result(.number(let id)), .error(.number(let id)?):
      guard let call = calls.removeValue(forKey: id) else { return }
      took(HostReply(to: call, message, budget: ViewBudget(limits.view)))
    case .notification(SetViewNotification.method):
      let budget = ViewBudget(limits.view)
      if let said = try? message.decode(SetViewNotification.self, budget: budget) {
        show(said.view)
      }
    case .request(let id, let method): refuse(id, method)
    case .notification, .result, .error: break
    }
  }

  private func read(_ message: SaidMessage) {
    switch message.content {
    case .reply(let reply):
      if case .number(let id)? = message.id { calls[id] = nil }
      took(reply)
    case .view(let view): show(view)
    case .log(let log): onLog([log.message])
    case .request(.update, _):
      if let id = message.id { run?.send(SentMessage(answer: ServiceAnswer(NoMembers()), id: id)) }
      update(.event)
    case .request(_, let request):
      if let id = message.id { refuse(id, type(of: request).method) }
    case .refusal: break
    }
  }

  /// A card of many machines opens and asks nothing for one of them.
  private func refuse(_ id: MessageID, _ method: String) {
    let words = "\(method.prefix(80)) is not available to a card of many machines"
    let error = WireError(code: .notPermitted, message: words)
    run?.send(SentMessage(answer: ServiceAnswer(refusal: error), id: id))
  }

  private func took(_ reply: HostReply) {
    switch reply {
    case .initialize(let answer):
      (implements, isGreeted) = (Set(answer.implements), true)
      if let appearance { take(appearance) }
      if let view = answer.content.view { show(view) }
      update(.event)
      if !isAsked { settled() }
    case .widgetPerformUpdate(let answer):
      settled()
      if answer.result == .failed {
        let words = answer.error ?? "the update has failed"
        return fail(words, RemoteFailure.isAbsence(words.string) ? .away : .failed)
      }
      if let view = answer.content.view { show(view) } else { recovered() }
    case .refused(let call, let error):
      if case .initialize = call {
        fail(SafeText("\(error)"), .failed)
        run?.signal(.kill)
      } else if case .widgetPerformUpdate = call {
        fail(SafeText("\(error)"), .failed)
      }
    default: if let view = reply.view { show(view) }
    }
  }

  private func settled() {
    isAsked = false
    deadline?.cancel()
  }

  private func show(_ view: ViewNode) {
    row.view = view
    row.summary = FleetSummary(view)
    recovered()
  }

  private func recovered() {
    failures = 0
    (row.state, row.trouble) = (.known, nil)
    onChange()
  }
}
