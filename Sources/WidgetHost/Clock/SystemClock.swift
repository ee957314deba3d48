import Dispatch
public import FoundationEssentials

/// The system's time, with timers on the main queue.
public final class SystemClock: HostClock {
  /// Creates the clock.
  public init() {}

  /// The present moment on the continuous clock.
  public var now: ContinuousClock.Instant { .now }

  /// The present moment on the wall.
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

  /// Calls `action` once on the main queue.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    delay > .zero ? DispatchTimer(after: delay, action) : NextTurn(action)
  }
}

/// The next turn of the main queue, without a timer's way through Dispatch's own thread; releasing
/// it cancels it.
private final class NextTurn: HostTimer {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.happen() }
    }
  }

  private func happen() {
    let action = action
    self.action = nil
    action?()
  }

  func cancel() {
    action = nil
  }
}

/// A one-shot Dispatch timer; releasing it cancels it.
private final class DispatchTimer: HostTimer {
  private let source: any DispatchSourceTimer

  init(after delay: Duration, _ action: @escaping () -> Void) {
    source = DispatchSource.makeTimerSource(queue: .main)
    let nanoseconds = max(0, Int(min(delay.seconds, 1e8) * 1e9))
    // Timers of the same moment share a wake-up where they can wait a hundredth of their time.
    source.schedule(
      deadline: .now() + .nanoseconds(nanoseconds),
      leeway: .nanoseconds(nanoseconds / 100)
    )
    source.setEventHandler { [source] in
      MainActor.assumeIsolated {
        source.cancel()
        action()
      }
    }
    source.resume()
  }

  isolated deinit {
    source.cancel()
  }

  func cancel() {
    source.cancel()
  }
}
