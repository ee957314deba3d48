import Glibc
import WidgetKitCore
import WidgetPlatform

/// The reads and writes of one process, one at a time, and at most a tenth of the time.
@MainActor struct SharedDataQueue {
  private var waiting: [() -> Void] = []
  private var isAtWork = false
  private var budget = WorkBudget(share: 0.1, burst: .milliseconds(500))
  private var timer: (any HostTimer)?

  /// The most that wait.
  static let limit = 256

  /// Whether nothing waits and nothing is being done.
  var isEmpty: Bool { waiting.isEmpty && !isAtWork }

  /// Adds work; false if too much waits.
  mutating func append(_ work: @escaping () -> Void) -> Bool {
    guard waiting.count < Self.limit else { return false }
    waiting.append(work)
    return true
  }

  /// Begins what is next, now or later; then `again` is called.
  mutating func begin(on clock: any HostClock, again: @escaping () -> Void) {
    guard !isAtWork, !waiting.isEmpty else { return }
    let wait = budget.wait(at: clock.now)
    guard wait == .zero else {
      timer = clock.schedule(after: wait, again)
      return
    }
    timer = nil
    isAtWork = true
    waiting.removeFirst()()
  }

  /// What was begun has ended, and has taken some time of a processor.
  mutating func end(after time: Duration, at now: ContinuousClock.Instant) {
    isAtWork = false
    budget.spend(time, at: now)
  }
}

/// The processor time of the calling thread.
enum ThreadTime {
  static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
