public import FoundationEssentials

/// The clock of the engine: the system's in use, a virtual one in tests.
@MainActor public protocol HostClock: AnyObject {
  /// The current time of a clock that never goes back.
  var now: ContinuousClock.Instant { get }
  /// The current time of the wall clock.
  var date: Date { get }
  /// How long the machine has been awake: the time that ``now`` counts, without the time asleep.
  var uptime: Duration { get }
  /// Called when the machine has slept or the wall clock was set, without polling.
  var onJump: (() -> Void)? { get set }
  /// Calls `action` once after `delay`, unless the timer is cancelled before.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer
}
