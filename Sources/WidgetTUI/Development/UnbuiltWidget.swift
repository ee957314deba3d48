import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What stands in for the process of a widget whose program is being built: it has nothing to show.
final class UnbuiltWidget: @MainActor StandInConnection {
  private let report: (WidgetReport) -> Void
  private var answers: [any HostTimer] = []
  private var ending: (any HostTimer)?

  init(report: @escaping (WidgetReport) -> Void) {
    self.report = report
  }

  var exchangesLines: Bool { false }

  func send(_ message: any ConnectionMessage) {
    guard let answer = SaidMessage(withoutMethods: message) else { return }
    answers.append(
      SystemClock().schedule(after: .zero) { [report] in report(.message(answer)) }
    )
  }

  func end(_ status: TerminationStatus) {
    guard ending == nil else { return }
    ending = SystemClock().schedule(after: .zero) { [report] in report(.ended(status)) }
  }
}
