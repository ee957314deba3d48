/// How a widget that fails is started again: after growing pauses, and not after too many failures.
public struct RestartPolicy: Hashable, Sendable {
  /// The longest pause.
  public var longestPause: Duration = .seconds(60)
  /// The failures within ``window`` that stop it.
  public var failureLimit = 5
  /// The time in which failures count towards ``failureLimit``.
  public var window: Duration = .seconds(180)
  /// The time without a failure after which earlier ones no longer count.
  public var forgiveness: Duration = .seconds(600)

  /// Creates the defaults.
  public init() {}

  /// What follows a failure.
  public enum Decision: Hashable, Sendable {
    /// Start again after this pause.
    case restart(after: Duration)
    /// Do not start again until the user asks for it.
    case stop
  }

  /// Decides by the times of the failures, in order.
  ///
  /// Pauses are 0, 1, 2, 4 … seconds up to ``longestPause``.
  public func decision(
    after failures: [ContinuousClock.Instant]
  ) -> Decision {
    guard let last = failures.last else { return .restart(after: .zero) }
    let recent = failures.count { $0.duration(to: last) < window }
    guard recent < failureLimit else { return .stop }
    let count = failures.count
    guard count > 1 else { return .restart(after: .zero) }
    return .restart(after: min(longestPause, .seconds(1 << min(count - 2, 10))))
  }
}
