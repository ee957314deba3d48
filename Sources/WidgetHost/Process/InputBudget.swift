/// How much of a widget's output is read: so many bytes a second, with room for bursts.
///
/// A token bucket. Past it the host does not read for a while and the pipe pushes back; a widget
/// that keeps it empty for ``endurance`` on end is ended. A line costs some bytes more than it has,
/// since short ones make the same work as long ones.
nonisolated struct InputBudget {
  /// Bytes a second.
  let rate: Double
  /// The most bytes that can be saved up.
  let burst: Double
  /// How long the bucket may stay empty.
  let endurance: Duration

  /// What each line counts for beside its bytes.
  private static let lineBytes = 128

  private var available: Double?
  private var updated: ContinuousClock.Instant?
  private var emptySince: ContinuousClock.Instant?

  /// Creates the budget that the limits allow.
  init(_ limits: HostLimits) {
    rate = limits.inputBytesPerSecond
    burst = limits.inputBurstBytes
    endurance = limits.inputEndurance
  }

  /// Whether more has come than may be read, so that nothing is read for a while.
  var isSpent: Bool { emptySince != nil }

  /// What to do after some bytes were read.
  enum Verdict: Equatable {
    /// Read on.
    case readOn
    /// Read on after this pause.
    case pause(Duration)
    /// The widget sends too much.
    case exhausted
  }

  mutating func spend(
    _ byteCount: Int,
    lines: Int = 0,
    at now: ContinuousClock.Instant
  ) -> Verdict {
    let elapsed = updated.map { $0.duration(to: now).seconds } ?? 0
    updated = now
    let saved = min(burst, (available ?? burst) + elapsed * rate)
    let left = saved - Double(byteCount) - Double(lines * Self.lineBytes)
    available = left
    guard left < 0 else {
      if left > rate / 4 { emptySince = nil }
      return .readOn
    }
    let since = emptySince ?? now
    emptySince = since
    if since.duration(to: now) >= endurance { return .exhausted }
    return .pause(.seconds((-left + rate / 16) / rate))
  }
}

extension Duration {
  /// The whole duration in seconds.
  nonisolated package var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
