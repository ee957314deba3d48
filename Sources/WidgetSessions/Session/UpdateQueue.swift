import WidgetExtensions
import WidgetKitCore

/// The update that a widget is asked for, and the one that follows it.
///
/// There is at most one update at a time; requests during it are combined into one. What waits is
/// kept when a process ends, so that the next process is asked for it.
struct UpdateQueue {
  /// The update that the process was asked for; nil if there is none.
  private(set) var current: UpdateReason?
  /// The update that waits; nil if there is none.
  private(set) var next: UpdateReason?

  /// Whether an update is in progress.
  var isUpdating: Bool { current != nil }

  /// Whether no update is in progress or waits.
  var isEmpty: Bool { current == nil && next == nil }

  /// Lets an update wait, unless one does already.
  mutating func wait(for reason: UpdateReason) {
    next = next ?? reason
  }

  /// Lets an update wait in place of the one that does.
  mutating func replaceNext(by reason: UpdateReason) {
    next = reason
  }

  /// Hands out the update that waits, unless one is in progress.
  mutating func takeNext() -> UpdateReason? {
    guard current == nil else { return nil }
    defer { next = nil }
    return next
  }

  /// Drops the update that waits.
  mutating func dropNext() {
    next = nil
  }

  /// Asks the process for an update, or lets it wait for the end of the one in progress.
  mutating func begin(_ reason: UpdateReason, _ process: inout ProcessChannel) {
    guard current == nil else {
      next = reason
      return
    }
    if process.ask(.widgetPerformUpdate(reason), within: .widgetPerformUpdate) { current = reason }
  }

  /// Takes the answer to the update in progress.
  mutating func replied(
    _ reply: WidgetPerformUpdateRequest.Reply,
    _ process: inout ProcessChannel
  ) {
    guard current != nil else {
      return process.log("late answer to widgetPerformUpdate: ignored")
    }
    if reply.result == .newData { process.apply(reply.content, .update) }
    let outcome = CompletedUpdate(
      result: reply.result,
      error: reply.error?.string,
      refreshAfter: reply.refreshAfter.map { .seconds(min($0, 1e9)) },
      timeline: reply.result == .newData ? reply.timeline : nil
    )
    end(outcome, &process)
    if let failure = outcome.failure { process.log("update failed: \(failure)") }
  }

  /// The update in progress was answered with an error.
  mutating func refused(_ error: WireError, _ process: inout ProcessChannel) {
    end(CompletedUpdate(result: .failed, error: error.message), &process)
  }

  /// The update in progress was not answered in time.
  mutating func timedOut(_ process: inout ProcessChannel) {
    guard current != nil else { return }
    process.log(noAnswer: WidgetPerformUpdateRequest.method, .widgetPerformUpdate)
    let words = "No answer in \(process.policy.widgetPerformUpdate.components.seconds) s"
    end(CompletedUpdate(result: .failed, error: words), &process)
  }

  private mutating func end(_ outcome: CompletedUpdate, _ process: inout ProcessChannel) {
    guard let reason = current else { return }
    current = nil
    var outcome = outcome
    outcome.reason = reason
    // An error that consists of spaces is replaced as if it was missing.
    if outcome.error?.allSatisfy(\.isWhitespace) == true { outcome.error = nil }
    process.disarm(.widgetPerformUpdate)
    switch outcome.result {
    case .newData, .noData: process.report(.health(.live, message: nil))
    case .failed: process.report(.health(.failed, message: outcome.failure))
    }
    process.report(.updateEnded(outcome))
  }

  /// The process has ended: the update that it interrupted waits for the next process.
  mutating func processDidEnd() {
    if let current { wait(for: current) }
    current = nil
  }
}
