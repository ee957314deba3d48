import WidgetKitCore

/// The newest `setView` of a process, not decoded; each one replaces the one before it.
struct NewestView {
  /// The shortest time between two views that are shown.
  let interval: Duration
  /// Shows the view that is held.
  var timer: (any HostTimer)?

  private var line: IncomingLine?
  private var lastPicture: ContinuousClock.Instant?

  init(interval: Duration) {
    self.interval = interval
  }

  /// Holds a view in place of the one before; returns after what time to show it, nil if that is known.
  mutating func hold(_ line: IncomingLine, at now: ContinuousClock.Instant) -> Duration? {
    let isFirst = self.line == nil
    self.line = line
    guard isFirst else { return nil }
    guard let lastPicture else { return .zero }
    return max(.zero, interval - lastPicture.duration(to: now))
  }

  /// Hands out the view that is held, to show it now.
  mutating func take(at now: ContinuousClock.Instant) -> IncomingLine? {
    guard let line else { return nil }
    self.line = nil
    timer?.cancel()
    timer = nil
    lastPicture = now
    return line
  }

  /// Drops the view, because the process has ended.
  mutating func reset() {
    line = nil
    timer?.cancel()
    timer = nil
  }
}
