public import FoundationEssentials

/// Where the engine's time comes from: the system's in use, a virtual one in tests.
public protocol HostClock: AnyObject {
  /// The present moment on a clock that never goes back.
  var now: ContinuousClock.Instant { get }
  /// The present moment on the wall.
  var date: Date { get }
  /// How long the machine has been awake: of the time that ``now`` counts, what it did not sleep.
  var uptime: Duration { get }
  /// Called when the machine has slept, or the wall clock was set; by nothing that ticks.
  var onJump: (() -> Void)? { get set }
  /// Calls `action` once after `delay`, unless the timer is cancelled before.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer
}
