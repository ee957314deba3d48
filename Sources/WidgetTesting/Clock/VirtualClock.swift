public import FoundationEssentials
public import WidgetPlatform

/// A clock that a test advances.
///
/// Pass it as a ``WidgetPlatform/HostClock``, then call ``advance(by:)``: timers fire in the order of
/// their times, those with equal times in the order in which they were scheduled, and each sees the
/// clock at its own time. A timer that was released does not fire, as with
/// ``WidgetPlatform/SystemClock``.
///
/// ```swift
/// let clock = VirtualClock()
/// let timer = clock.schedule(after: .seconds(5)) { print("too late") }
/// clock.advance(by: .seconds(4))
/// timer.cancel()
/// ```
public final class VirtualClock: HostClock {
  /// The present time; it starts at the time when the clock was created.
  public private(set) var now = ContinuousClock.now
  /// The present time of the wall clock.
  public private(set) var date: Date

  private var entries: [Entry] = []
  private var count = 0

  /// A pending timer; held weakly, so that releasing it cancels it.
  private struct Entry {
    var moment: ContinuousClock.Instant
    var number: Int
    weak var timer: VirtualTimer?
  }

  /// Creates a clock that is stopped at `date`.
  public init(date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.date = date
  }

  /// How long until the next timer fires; nil if none is pending.
  public var timeToNextTimer: Duration? {
    entries.filter { $0.timer?.isWaiting == true }.map(\.moment).min().map { now.duration(to: $0) }
  }

  /// How many timers are pending.
  public var waitingTimers: Int { entries.count { $0.timer?.isWaiting == true } }

  /// The time that passed without sleep.
  public private(set) var uptime: Duration = .zero
  /// Called when the machine has slept, or the wall clock was set.
  public var onJump: (() -> Void)?

  /// Simulates sleep: time passes, but timers do not advance, as with the system's clock.
  public func sleep(for duration: Duration) {
    now += duration
    date.addTimeInterval(duration.seconds)
    for index in entries.indices { entries[index].moment += duration }
    onJump?()
  }

  /// Sets the wall clock, forward or back.
  public func setDate(_ date: Date) {
    self.date = date
    onJump?()
  }

  /// Calls `action` once when the clock is advanced by `delay` or more; without a delay, at the
  /// next ``advance(by:)``, even by zero.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    let timer = VirtualTimer(action)
    count += 1
    entries.append(Entry(moment: now + max(.zero, delay), number: count, timer: timer))
    return timer
  }

  /// Advances the clock and fires all timers that become due, also those scheduled meanwhile.
  public func advance(by duration: Duration) {
    let end = now + max(.zero, duration)
    while let entry = takeNext(until: end) {
      move(to: entry.moment)
      entry.timer?.fire()
    }
    move(to: end)
  }

  private func takeNext(until end: ContinuousClock.Instant) -> Entry? {
    entries.removeAll { $0.timer?.isWaiting != true }
    let next = entries.filter { $0.moment <= end }.min {
      ($0.moment, $0.number) < ($1.moment, $1.number)
    }
    guard let next else { return nil }
    entries.removeAll { $0.number == next.number }
    return next
  }

  private func move(to moment: ContinuousClock.Instant) {
    // An action may itself have advanced the clock further.
    guard moment > now else { return }
    let step = now.duration(to: moment)
    now = moment
    uptime += step
    date = date.addingTimeInterval(step / .seconds(1))
  }
}

/// A timer of a virtual clock.
///
/// This is a class because releasing it cancels it.
private final class VirtualTimer: HostTimer {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  var isWaiting: Bool { action != nil }

  func fire() {
    let action = action
    self.action = nil
    action?()
  }

  func cancel() {
    action = nil
  }
}
