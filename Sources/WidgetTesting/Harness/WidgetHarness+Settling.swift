import WidgetKitCore
import WidgetPages
import WidgetPlatform

extension WidgetHarness {
  /// Waits, in real time, until everything is done that follows from what has happened.
  ///
  /// The widget has come to rest when the page waits for no answer, nothing that either side has sent is
  /// unread, and all threads of its processes wait. What it does later by a timer of its own is not waited for.
  ///
  /// - Throws: ``HarnessFailure`` if it does not become idle in time.
  public func settle() async throws(HarnessFailure) { try await steps.settle() }

  /// Waits until the widget has come to rest, at the present time of the test.
  func rest() async throws(HarnessFailure) { try await steps.rest() }

  /// Waits until `isDone`; `what` is for the failure.
  func wait(
    for what: String?,
    within limit: Duration? = nil,
    until isDone: () -> Bool
  ) async throws(HarnessFailure) {
    try await steps.wait(for: what, within: limit, until: isDone)
  }

  /// Lets as much time of the test pass as real time passes, until `isDone`.
  ///
  /// For deadlines on which the widget would be ended: it has all of its time, also on a busy machine.
  func passRealTime(upTo limit: Duration = .seconds(60), until isDone: () -> Bool) async {
    await steps.passRealTime(upTo: limit, until: isDone)
  }

  /// Lets the event loop run.
  static func turn(after delay: Duration) async { await StepWait.turn(after: delay) }
}
