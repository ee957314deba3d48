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
  public func settle() async throws(HarnessFailure) {
    try await rest()
    // Messages that the page sends or shows a moment later.
    clock.advance(by: .milliseconds(10))
    try await rest()
  }

  /// Waits until the widget has come to rest, at the present time of the test.
  func rest() async throws(HarnessFailure) {
    var calm = 0
    try await wait(for: nil) {
      self.clock.advance(by: .zero)
      self.page.drainStorage()
      calm = self.page.isQuiet ? calm + 1 : 0
      // Twice, because the page may have more to say to a widget that has answered.
      return calm > 2
    }
  }

  /// Waits until `isDone`; `what` is for the failure.
  func wait(
    for what: String?,
    within limit: Duration? = nil,
    until isDone: () -> Bool
  ) async throws(HarnessFailure) {
    let (start, isStep) = (ContinuousClock.now, limit == nil)
    let limit = limit ?? patience
    while !isDone() {
      guard start.duration(to: .now) < limit else {
        if isStep { wasOverdue = true }
        throw overdue(what, limit)
      }
      clock.advance(by: .zero)
      await Self.turn(after: page.isQuiet ? .zero : .microseconds(500))
    }
  }

  /// Lets as much time of the test pass as real time passes, until `isDone`.
  ///
  /// For deadlines on which the widget would be ended: it has all of its time, also on a busy machine.
  func passRealTime(upTo limit: Duration = .seconds(60), until isDone: () -> Bool) async {
    let start = ContinuousClock.now
    var last = start
    while !isDone(), start.duration(to: last) < limit {
      await Self.turn(after: .milliseconds(1))
      let now = ContinuousClock.now
      clock.advance(by: last.duration(to: now))
      last = now
    }
  }

  private func overdue(_ what: String?, _ limit: Duration) -> HarnessFailure {
    let time = "in \(limit.words) of real time"
    if let what { return HarnessFailure("\(what) did not come \(time)") }
    guard let method = page.unanswered.first else {
      return HarnessFailure("the widget did not become idle \(time): it keeps working")
    }
    return HarnessFailure(
      "\(method) was not answered \(time); standard output may be buffered: flush it after each line"
    )
  }

  /// Lets the event loop run.
  static func turn(after delay: Duration) async {
    var timer: (any HostTimer)?
    await withCheckedContinuation { continuation in
      timer = SystemClock().schedule(after: delay) { continuation.resume() }
    }
    timer?.cancel()
  }
}
