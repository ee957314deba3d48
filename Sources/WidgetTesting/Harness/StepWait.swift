import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// Waits, in real time, until a tested extension has done everything that follows from a step.
///
/// A class because a step that took all of its time shortens the next ones.
final class StepWait {
  /// What is seen of the extension and its host.
  struct Sight {
    /// What the extension is called in messages.
    var noun: String
    /// Whether the extension waits for something to happen, and its host waits for nothing of it.
    var isQuiet: () -> Bool
    /// The requests of the host that the extension has not answered, by method.
    var unanswered: () -> [String]
    /// Called between two looks, for what the host does late.
    var onTurn: () -> Void = {}
  }

  private let clock: VirtualClock
  private let limit: Duration
  private let sight: Sight
  /// Whether the extension has not come to rest in time once.
  private(set) var wasOverdue = false
  /// The longest time that the extension has had for a step.
  private(set) var longest: Duration

  init(_ clock: VirtualClock, limit: Duration, _ sight: Sight) {
    (self.clock, self.limit, self.sight) = (clock, limit, sight)
    longest = limit
  }

  /// What waits for the widget of a page.
  convenience init(_ clock: VirtualClock, limit: Duration, _ page: RehearsedPage) {
    self.init(
      clock,
      limit: limit,
      Sight(
        noun: "the widget",
        isQuiet: { page.isQuiet },
        unanswered: { page.unanswered },
        onTurn: { page.drainStorage() }
      )
    )
  }

  /// What waits for the extension of a request, while there is one.
  convenience init(
    _ clock: VirtualClock,
    limit: Duration,
    _ request: @escaping () -> RehearsedRequest?
  ) {
    self.init(
      clock,
      limit: limit,
      Sight(
        noun: "the extension",
        isQuiet: { request()?.isQuiet ?? true },
        unanswered: { request()?.unanswered ?? [] }
      )
    )
  }

  /// Whether the extension waits for something to happen, and its host waits for nothing of it.
  var isQuiet: Bool { sight.isQuiet() }

  /// How long the extension may take for a step, in real time.
  ///
  /// After a step that has taken all of it, the next ones get a second.
  var patience: Duration { wasOverdue ? min(limit, .seconds(1)) : limit }

  /// An update has more time than other answers, as on a page: 30 s of the 10 s that a step has.
  private var stepPatience: Duration {
    let updates = sight.unanswered().contains(WidgetPerformUpdateRequest.method)
    return updates && !wasOverdue ? limit * 3 : patience
  }

  /// Notes that a step has taken all of its time.
  func noteOverdue() { wasOverdue = true }

  /// Waits until everything is done, also what the host does a moment later.
  ///
  /// - Throws: ``HarnessFailure`` if it does not become idle in time.
  func settle() async throws(HarnessFailure) {
    try await rest()
    // Messages that the host sends or shows a moment later.
    clock.advance(by: .milliseconds(10))
    try await rest()
  }

  /// Waits until the extension has come to rest, at the present time of the test.
  func rest() async throws(HarnessFailure) {
    var calm = 0
    try await wait(for: nil) {
      clock.advance(by: .zero)
      sight.onTurn()
      calm = sight.isQuiet() ? calm + 1 : 0
      // Twice, because the host may have more to say to an extension that has answered.
      return calm > 2
    }
  }

  /// Waits until `isDone`; `what` is for the failure.
  func wait(
    for what: String?,
    within limit: Duration? = nil,
    until isDone: () -> Bool
  ) async throws(HarnessFailure) {
    var waited = WaitedTime()
    var quietTurns = 0
    let isStep = limit == nil
    var limit = limit ?? patience
    while !isDone() {
      // It is known by now what is waited for.
      if isStep, waited.total >= limit { limit = max(limit, stepPatience) }
      guard waited.total < limit else {
        if isStep {
          longest = max(longest, limit)
          wasOverdue = true
        }
        throw overdue(what, limit)
      }
      clock.advance(by: .zero)
      quietTurns = sight.isQuiet() ? quietTurns + 1 : 0
      // What follows from an answer is there in a few turns; after that, only time brings more.
      let isAnswered = (1...4).contains(quietTurns)
      await Self.turn(after: isAnswered ? .zero : Self.pause(after: waited.total))
      waited.takeTurn()
    }
  }

  /// Lets time pass: what is due happens at its time.
  ///
  /// - Parameters:
  ///   - duration: How much.
  ///   - hasHappened: A count that changes when there is something to wait for.
  /// - Throws: ``HarnessFailure`` if the extension does not become idle in time.
  func pass(_ duration: Duration, hasHappened: () -> Int) async throws(HarnessFailure) {
    let end = clock.now + max(.zero, duration)
    while clock.now < end {
      let left = clock.now.duration(to: end)
      let step = max(.milliseconds(1), min(clock.timeToNextTimer ?? left, left))
      let count = hasHappened()
      clock.advance(by: min(step, left))
      if hasHappened() != count || !sight.isQuiet() { try await rest() }
    }
  }

  /// Lets as much time of the test pass as real time passes, until `isDone`.
  ///
  /// For deadlines on which the extension would be ended: it has all of its time, also on a busy machine.
  func passRealTime(upTo limit: Duration = .seconds(60), until isDone: () -> Bool) async {
    var waited = WaitedTime()
    while !isDone(), waited.total < limit {
      await Self.turn(after: .milliseconds(1))
      clock.advance(by: waited.takeTurn())
    }
  }

  private func overdue(_ what: String?, _ limit: Duration) -> HarnessFailure {
    let time = "in \(limit.words) of real time"
    if let what { return HarnessFailure("\(what) did not come \(time)") }
    guard let method = sight.unanswered().first else {
      return HarnessFailure("\(sight.noun) did not become idle \(time): it keeps working")
    }
    return HarnessFailure(
      "\(method) was not answered \(time); standard output may be buffered: flush it after each line"
    )
  }

  /// How long the next look at an extension that works can wait: each is some system calls, and an eighth of what it
  /// has taken already is not felt.
  private static func pause(after waited: Duration) -> Duration {
    max(.microseconds(500), min(waited / 8, .milliseconds(5)))
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
