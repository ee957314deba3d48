/// How a widget that fails is started again: with growing pauses, and at last not at all.
public nonisolated struct RestartPolicy: Hashable, Sendable {
  /// The longest pause.
  public var longestPause: Duration = .seconds(60)
  /// So many failures in ``window`` stop it.
  public var failureLimit = 5
  /// How far back failures count towards the limit.
  public var window: Duration = .seconds(180)
  /// After so long without one the earlier failures are forgiven.
  public var forgiveness: Duration = .seconds(600)

  /// Creates the defaults.
  public init() {}

  /// What follows a failure.
  public enum Decision: Hashable, Sendable {
    /// Start again after this pause.
    case restart(after: Duration)
    /// Do not start again until somebody asks.
    case stop
  }

  /// Decides by when the failures were, the newest last.
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
