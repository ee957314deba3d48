/// The time for which something was waited in turns, such as for an answer of a process.
///
/// Of a turn that comes late only a part counts: something else had the thread, or the whole machine was held up, and
/// what has happened meanwhile has not been seen yet.
package struct WaitedTime: Sendable {
  /// The time so far.
  package private(set) var total = Duration.zero
  private var last: ContinuousClock.Instant

  /// The most that a turn counts.
  package static let longestTurn = Duration.milliseconds(100)

  /// Begins to wait.
  package init(from start: ContinuousClock.Instant = .now) {
    last = start
  }

  /// Counts the time since the turn before.
  ///
  /// - Parameter now: The present moment.
  /// - Returns: What was counted.
  @discardableResult
  package mutating func takeTurn(at now: ContinuousClock.Instant = .now) -> Duration {
    let counted = min(last.duration(to: now), Self.longestTurn)
    last = now
    total += counted
    return counted
  }
}
