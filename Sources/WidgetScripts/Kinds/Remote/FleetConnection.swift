import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// One widget or script on many machines, as one card that compares them.
///
/// To the session it looks like a widget; what the session says is passed to the widget of each machine, and their
/// answers make one view.
@MainActor package final class FleetConnection: WidgetConnection {
  /// How the machines are shown.
  package enum Form {
    /// A line a machine.
    case table
    /// The views below each other.
    case stack(lines: Int)
  }

  private let form: Form
  private let refreshAfter: Double?
  private let report: (WidgetReport) -> Void
  private let clock: any HostClock
  private var members: [FleetMember] = []
  /// The update that is not answered.
  private var update: MessageID?
  private var deadline: (any HostTimer)?
  private var change: (any HostTimer)?
  private var shown: ViewNode?
  private var end: TerminationStatus?
  private var hasEnded = false

  /// How long an update waits for machines that are slow; what they say later is shown then.
  private static let patience = Duration.seconds(5)
  /// How long what machines say is gathered, so that many of them change the card once.
  private static let gathering = Duration.seconds(1)

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - machines: The machines, each with what starts the widget there.
  ///   - form: How they are shown.
  ///   - refreshAfter: The seconds between two updates; nil where the widget or the user says that.
  ///   - limits: The limits of each widget.
  ///   - clock: The clock for pauses and deadlines.
  ///   - start: Starts the widget on one machine.
  ///   - report: Called with what the card says.
  package init(
    _ machines: [RemoteDestination],
    form: Form,
    refreshAfter: Double? = nil,
    limits: HostLimits,
    clock: any HostClock = SystemClock(),
    start:
      @escaping (
        _ machine: RemoteDestination, _ report: @escaping (WidgetReport) -> Void
      ) throws(HostError) -> any WidgetConnection,
    report: @escaping (WidgetReport) -> Void
  ) {
    (self.form, self.refreshAfter) = (form, refreshAfter)
    (self.clock, self.report) = (clock, report)
    members = machines.map { machine in
      FleetMember(
        machine.machine,
        limits: limits,
        clock: clock,
        start: { report throws(HostError) in try start(machine, report) },
        onChange: { [weak self] in self?.memberDidChange() },
        onLog: { lines in report(.log(lines.map { SafeText("\(machine.machine): \($0)") })) }
      )
    }
  }

  package var exchangesLines: Bool { false }
  package var processRun: ProcessRun? { nil }

  // MARK: - From the host

  package func send(_ message: any ConnectionMessage) {
    guard end == nil, let message = message as? SentMessage,
      case .message(let content) = message.content
    else { return }
    switch content {
    case .initialize:
      let methods = [
        ViewWillAppearRequest.method, ViewWillTransitionToSizeRequest.method,
        WidgetPerformUpdateRequest.method, AppearanceDidChangeNotification.method,
      ]
      say(.reply(.initialize(InitializeRequest.Reply(implements: methods))), message.id)
      for member in members { member.begin(content) }
    case .viewWillAppear:
      for member in members { member.take(content) }
      say(.reply(.viewWillAppear(ContentUpdate())), message.id)
    case .viewWillTransitionToSize(let request):
      let reply = ViewWillTransitionToSizeRequest.Reply(alongside: nil)
      say(
        .reply(.viewWillTransitionToSize(transition: request.transition, reply)),
        message.id
      )
    case .widgetPerformUpdate(let reason): perform(reason, message.id)
    case .appearanceDidChange: for member in members { member.take(content) }
    // It was not asked for anything else.
    default: break
    }
  }

  private func perform(_ reason: UpdateReason, _ id: MessageID?) {
    update = id
    for member in members where !member.isAsked { member.update(reason) }
    deadline?.cancel()
    deadline = clock.schedule(after: Self.patience) { [weak self] in self?.answer() }
    answerIfDone()
  }

  package func closeInput() { finish(.exited(0)) { $0.close() } }

  package func signal(_ signal: ProcessSignal) {
    switch signal {
    case .terminate: finish(.exited(0)) { $0.signal(.terminate) }
    case .kill:
      finish(.signaled(9)) { $0.signal(.kill) }
      hasEndedNow()
    case .resume: for member in members { member.signal(.resume) }
    }
  }

  package func suspend() -> String? {
    for member in members { member.suspend() }
    return nil
  }

  private func finish(_ status: TerminationStatus, _ end: (FleetMember) -> Void) {
    self.end = self.end ?? status
    deadline?.cancel()
    change?.cancel()
    for member in members { end(member) }
    endIfDone()
  }

  private func endIfDone() {
    guard end != nil, members.allSatisfy(\.hasEnded) else { return }
    MainQueue.perform { self.hasEndedNow() }
  }

  private func hasEndedNow() {
    guard !hasEnded else { return }
    hasEnded = true
    report(.ended(end ?? .unknown))
  }

  // MARK: - To the host

  private func memberDidChange() {
    guard end == nil else { return endIfDone() }
    if update != nil { return answerIfDone() }
    guard change == nil else { return }
    change = clock.schedule(after: Self.gathering) { [weak self] in
      self?.change = nil
      self?.showChanges()
    }
  }

  private func showChanges() {
    guard end == nil, update == nil else { return }
    let view = view
    guard view != shown else { return }
    shown = view
    say(.view(view))
  }

  private func answerIfDone() {
    if members.allSatisfy({ !$0.isAsked }) { answer() }
  }

  private func answer() {
    deadline?.cancel()
    guard let id = update else { return }
    update = nil
    let view = view
    let isNew = view != shown
    shown = view
    let reply = WidgetPerformUpdateRequest.Reply(
      isNew ? .newData : .noData,
      content: ContentUpdate(view: isNew ? view : nil),
      refreshAfter: refreshAfter
    )
    say(.reply(.widgetPerformUpdate(reply)), id)
  }

  private var view: ViewNode {
    let rows = members.map(\.row)
    return switch form {
    case .table: FleetView.table(rows)
    case .stack(let lines): FleetView.stack(rows, lines: lines)
    }
  }

  /// Reports a message in the next turn of the loop, as the messages of a process come.
  private func say(_ content: SaidMessage.Content, _ id: MessageID? = nil) {
    MainQueue.perform {
      guard !self.hasEnded else { return }
      self.report(.message(SaidMessage(content, id: id)))
    }
  }
}
