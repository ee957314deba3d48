/// The failures of a widget, and what follows from one more.
struct RestartHistory {
  private let policy: RestartPolicy
  /// When it failed, in order.
  private var failures: [ContinuousClock.Instant] = []

  init(policy: RestartPolicy) {
    self.policy = policy
  }

  /// How often in a row its machine was away.
  private var absences = 0

  /// How many failures count.
  var count: Int { failures.count }

  /// Whether none counts.
  var isEmpty: Bool { failures.isEmpty }

  /// The failures after which a widget is stopped.
  var limit: Int { policy.failureLimit }

  /// Notes a failure; earlier ones are forgiven if the last was long ago.
  mutating func note(at now: ContinuousClock.Instant) {
    if let last = failures.last, last.duration(to: now) > policy.forgiveness { failures = [] }
    failures.append(now)
  }

  /// What follows the last failure.
  var decision: RestartPolicy.Decision { policy.decision(after: failures) }

  /// Notes that its machine is away, which is no failure: it is started again however long that lasts.
  ///
  /// - Returns: The pause before that: 0, 1, 2, 4 … seconds up to the longest.
  mutating func note(_ absence: ExtensionLife.Absence) -> Duration {
    if absence == .begun { absences = 0 }
    let count = absences
    absences = min(count + 1, 16)
    return count == 0 ? .zero : min(policy.longestPause, .seconds(1 << (count - 1)))
  }

  /// Forgets all failures, because the user asked for it or the program is another one.
  mutating func forget() {
    failures = []
    absences = 0
  }
}
