public import FoundationEssentials
public import WidgetPlatform

/// The system's clock, which a person can put forward: timers that are due then fire at once.
///
/// A timer that was released does not fire, as with ``WidgetPlatform/SystemClock``.
public final class SteppedClock: HostClock {
  private let base = SystemClock()
  /// How far it was put forward.
  public private(set) var offset: Duration = .zero
  private var entries: [Entry] = []
  private var count = 0
  private var alarm: (any HostTimer)?

  private struct Entry {
    var moment: ContinuousClock.Instant
    var number: Int
    weak var timer: SteppedTimer?
  }

  /// Creates a clock with the time of the system.
  public init() {}

  /// The time of the system, and as much as it was put forward.
  public var now: ContinuousClock.Instant { base.now + offset }
  /// The time of the wall clock, and as much as it was put forward.
  public var date: Date { base.date + offset / .seconds(1) }
  /// The time awake, and as much as it was put forward.
  public var uptime: Duration { base.uptime + offset }

  /// Called when the machine has slept, or a clock was set.
  public var onJump: (() -> Void)? {
    get { base.onJump }
    set { base.onJump = newValue }
  }

  /// Calls `action` once after `delay`, sooner if the clock is put forward.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    let timer = SteppedTimer(action)
    count += 1
    entries.append(Entry(moment: now + max(.zero, delay), number: count, timer: timer))
    arm()
    return timer
  }

  /// Puts the clock forward.
  ///
  /// - Parameter duration: A negative one counts as none.
  public func advance(by duration: Duration) {
    offset += max(.zero, duration)
    onJump?()
    fire()
  }

  /// The time to the next timer that is not due within a second; nil if there is none.
  public var timeToNextStep: Duration? {
    let soon = now + .seconds(1)
    return entries.filter { $0.timer?.action != nil && $0.moment > soon }.map(\.moment).min()
      .map { now.duration(to: $0) }
  }

  private func arm() {
    entries.removeAll { $0.timer?.action == nil }
    alarm?.cancel()
    alarm = entries.map(\.moment).min().map { moment in
      base.schedule(after: max(.zero, now.duration(to: moment))) { [weak self] in self?.fire() }
    }
  }

  private func fire() {
    let due = entries.filter { $0.moment <= now }
      .sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    entries.removeAll { $0.moment <= now }
    for entry in due { entry.timer?.fire() }
    arm()
  }
}

/// A timer of a ``SteppedClock``.
private final class SteppedTimer: HostTimer {
  private(set) var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func cancel() {
    action = nil
  }

  func fire() {
    let action = action
    self.action = nil
    action?()
  }
}
