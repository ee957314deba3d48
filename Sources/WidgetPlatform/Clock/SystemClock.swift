public import FoundationEssentials

/// The system's time, with timers of the event loop.
@MainActor public final class SystemClock: HostClock {
  /// Creates the clock.
  public init() {}

  /// The current time of the continuous clock.
  public var now: ContinuousClock.Instant { .now }

  /// The current time of the wall clock.
  public var date: Date { Date() }

  /// How long the machine has been awake.
  public var uptime: Duration {
    let awake = SuspendingClock.now
    return Self.beginning.duration(to: awake)
  }

  private static let beginning = SuspendingClock.now
  private var jumps: ClockJumps?

  /// Called when the machine has slept, or the wall clock was set.
  public var onJump: (() -> Void)? {
    didSet {
      jumps = onJump == nil ? nil : ClockJumps { [weak self] in self?.onJump?() }
    }
  }

  /// Calls `action` once on the main thread.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    // Timers that may be late by a hundredth of their delay share wake-ups.
    EventLoop.main.schedule(after: delay, leeway: delay / 100, action)
  }
}
