public import FoundationEssentials
public import WidgetHost

/// Time that passes only when a test says so.
///
/// Give it to whatever takes a ``WidgetHost/HostClock``, then ``advance(by:)`` it: timers fire in
/// the order of their moments, those of one moment in the order in which they were made, and each
/// sees the clock at its own moment. A timer that nobody holds any more does not fire, as with
/// ``WidgetHost/SystemClock``.
///
/// ```swift
/// let clock = VirtualClock()
/// let timer = clock.schedule(after: .seconds(5)) { print("too late") }
/// clock.advance(by: .seconds(4))
/// timer.cancel()
/// ```
public final class VirtualClock: HostClock {
  /// The present moment; it begins at the moment in which the clock was made.
  public private(set) var now = ContinuousClock.now
  /// The present moment on the wall.
  public private(set) var date: Date

  private var entries: [Entry] = []
  private var count = 0

  /// A timer that waits; held weakly, so that letting go of it cancels it.
  private struct Entry {
    var moment: ContinuousClock.Instant
    var number: Int
    weak var timer: VirtualTimer?
  }

  /// Creates a clock that stands still at `date`.
  public init(date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.date = date
  }

  /// How long until the next timer fires; nil where none waits.
  public var timeToNextTimer: Duration? {
    entries.filter { $0.timer?.isWaiting == true }.map(\.moment).min().map { now.duration(to: $0) }
  }

  /// How many timers wait.
  public var waitingTimers: Int { entries.count { $0.timer?.isWaiting == true } }

  /// The time that passed awake.
  public private(set) var uptime: Duration = .zero
  /// Called when the clock has slept, or its wall clock was set.
  public var onJump: (() -> Void)?

  /// Lets the machine sleep: time passes and no timer comes nearer, as on the system's clock.
  public func sleep(for duration: Duration) {
    now += duration
    date.addTimeInterval(duration.seconds)
    for index in entries.indices { entries[index].moment += duration }
    onJump?()
  }

  /// Sets the wall clock, forth or back.
  public func setDate(_ date: Date) {
    self.date = date
    onJump?()
  }

  /// Calls `action` once when the clock is advanced by `delay` or more; at once means with the
  /// next ``advance(by:)``, also one by nothing.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    let timer = VirtualTimer(action)
    count += 1
    entries.append(Entry(moment: now + max(.zero, delay), number: count, timer: timer))
    return timer
  }

  /// Lets time pass and fires what is due on the way, also what is scheduled meanwhile.
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
    let step = now.duration(to: moment)
    now = moment
    date = date.addingTimeInterval(step / .seconds(1))
  }
}

/// A timer of a virtual clock.
///
/// A class because its holder decides how long it lives.
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
