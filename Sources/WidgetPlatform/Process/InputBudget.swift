/// The rate at which a widget's output is read: a number of bytes per second, with room for bursts.
///
/// It is a token bucket. When it is empty, the host stops reading for a while and the pipe blocks the
/// widget; a widget that keeps it empty for ``endurance`` without a break is ended. A line costs some
/// bytes more than its length, because short lines cause as much work as long ones.
package struct InputBudget {
  /// Bytes per second.
  let rate: Double
  /// The most bytes that can be saved.
  let burst: Double
  /// How long the bucket may stay empty.
  let endurance: Duration

  /// The bytes that each line costs in addition to its length.
  private static let lineBytes = 128

  private var available: Double?
  private var updated: ContinuousClock.Instant?
  private var emptySince: ContinuousClock.Instant?

  /// Creates the budget from the limits.
  package init(_ limits: HostLimits) {
    rate = limits.inputBytesPerSecond
    burst = limits.inputBurstBytes
    endurance = limits.inputEndurance
  }

  /// Whether more has come than may be read, so that reading is paused.
  package var isSpent: Bool { emptySince != nil }

  /// The action after some bytes were read.
  package enum Verdict: Equatable {
    /// Continue reading.
    case readOn
    /// Continue reading after this pause.
    case pause(Duration)
    /// The widget sends too much.
    case exhausted
  }

  package mutating func spend(
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
  package var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
