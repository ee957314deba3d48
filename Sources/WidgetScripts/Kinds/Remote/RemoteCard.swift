import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The widget of one card of a ``RemotePage``, which runs on the machine of the page.
@MainActor final class RemoteCard: WidgetConnection {
  /// The number of its messages.
  let number: Int
  /// Its identity there.
  let card: String
  private unowned let page: RemotePage
  private let report: (WidgetReport) -> Void
  private var budget: InputBudget
  /// What is sent before there is a connection.
  private var waiting: [any ConnectionMessage] = []
  private var isOpen = false
  private var hasEnded = false

  init(
    _ number: Int,
    _ card: String,
    on page: RemotePage,
    limits: HostLimits,
    report: @escaping (WidgetReport) -> Void
  ) {
    (self.number, self.card, self.page, self.report) = (number, card, page, report)
    budget = InputBudget(limits)
  }

  // MARK: - From the host

  /// There is a connection, and the widget is being started.
  func begin() {
    isOpen = true
    for message in waiting { send(message) }
    waiting = []
  }

  func send(_ message: any ConnectionMessage) {
    guard !hasEnded else { return }
    guard isOpen else { return waiting.append(message) }
    page.send(PageFrame.line(number, message.line))
  }

  func closeInput() { order(\.close) { .exited(0) } }

  func signal(_ signal: ProcessSignal) {
    switch signal {
    case .terminate: order(\.terminate) { .exited(0) }
    case .kill:
      // Whether the machine still answers makes no difference.
      order(\.kill) { .signaled(9) }
      end(.signaled(9))
    case .resume: if isOpen { order(\.resume) { .unknown } }
    }
  }

  func suspend() -> String? {
    if isOpen { order(\.suspend) { .unknown } }
    return nil
  }

  /// Gives an order; before there is a connection the widget ends in its place.
  private func order(
    _ path: WritableKeyPath<PageOrder, Int?>,
    _ status: () -> TerminationStatus
  ) {
    guard !hasEnded else { return }
    guard isOpen else { return end(status()) }
    page.send(PageOrder(path, number).line)
  }

  // Its processes are on the other machine.
  var processRun: ProcessRun? { nil }
  var isHeldBack: Bool { budget.isSpent }

  // MARK: - From the machine

  /// Takes a message of the widget.
  func take(_ line: ArraySlice<UInt8>) {
    guard !hasEnded else { return }
    if case .exhausted = budget.spend(line.count, lines: 1, at: .now) {
      report(.violation("too much output from its machine"))
      return
    }
    if let refusal = RemoteRequest.refusal(of: line) {
      if let answer = refusal.answer { send(answer) }
      report(.log([refusal.words]))
      return
    }
    report(.line(line))
  }

  func log(_ lines: [String]) {
    guard !hasEnded else { return }
    report(.log(lines.prefix(Self.logLines).map { SafeText($0) }))
  }

  private static let logLines = 20

  /// The widget cannot run, or its machine is away.
  func fail(_ reason: WidgetReport) {
    guard !hasEnded else { return }
    report(reason)
    end(.unknown)
  }

  func didEnd(_ status: TerminationStatus) { end(status) }

  private func end(_ status: TerminationStatus) {
    guard !hasEnded else { return }
    hasEnded = true
    page.forget(number)
    report(.ended(status))
  }
}
