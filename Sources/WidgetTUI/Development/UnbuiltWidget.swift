import WidgetHost
import WidgetKitCore

/// What stands in for the process of a widget whose program is being built: it has nothing to show.
final class UnbuiltWidget: @MainActor StandInConnection {
  private let report: (WidgetReport) -> Void
  private var answers: [any HostTimer] = []
  private var ending: (any HostTimer)?

  init(report: @escaping (WidgetReport) -> Void) {
    self.report = report
  }

  func send(_ line: [UInt8]) {
    guard let message = try? IncomingLine(line.dropLast()[...]),
      case .request(let id, let method) = message.kind
    else { return }
    let answer =
      method == InitializeRequest.method
      ? OutgoingLine.result(InitializeRequest.Reply(implements: []), id: id)
      : OutgoingLine.result(ContentUpdate(), id: id)
    answers.append(
      SystemClock().schedule(after: .zero) { [report] in report(.line(answer.dropLast()[...])) }
    )
  }

  func end(_ status: TerminationStatus) {
    guard ending == nil else { return }
    ending = SystemClock().schedule(after: .zero) { [report] in report(.ended(status)) }
  }
}
