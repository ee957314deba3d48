/// How much of the time somebody may keep others at work: a share of it, after a burst.
package struct WorkBudget: Hashable, Sendable {
  /// The part of the time, from 0 to 1.
  let share: Double
  /// What may be used at once.
  let burst: Duration
  /// What was used, less what the time has given back.
  private var debt: Duration = .zero
  private var last: ContinuousClock.Instant?

  package init(share: Double, burst: Duration) {
    self.share = share
    self.burst = burst
  }

  /// Notes that work has taken some time.
  package mutating func spend(_ time: Duration, at now: ContinuousClock.Instant) {
    debt = debt(at: now) + max(.zero, time)
    last = now
  }

  /// How long to wait for the next work; zero if it may begin.
  package func wait(at now: ContinuousClock.Instant) -> Duration {
    max(.zero, debt(at: now) - burst) / share
  }

  private func debt(at now: ContinuousClock.Instant) -> Duration {
    guard let last else { return .zero }
    return max(.zero, debt - max(.zero, last.duration(to: now)) * share)
  }
}
