import WidgetKitCore

/// The newest `setView` that was not decoded yet: of many between two pictures the newest wins.
struct NewestView {
  /// The least time between two pictures.
  let interval: Duration
  /// What will show the view that is held.
  var timer: (any HostTimer)?

  private var line: IncomingLine?
  private var lastPicture: ContinuousClock.Instant?

  init(interval: Duration) {
    self.interval = interval
  }

  /// Takes a view in place of the one held; returns when to show it where that was not settled.
  mutating func hold(_ line: IncomingLine, at now: ContinuousClock.Instant) -> Duration? {
    let isFirst = self.line == nil
    self.line = line
    guard isFirst else { return nil }
    guard let lastPicture else { return .zero }
    return max(.zero, interval - lastPicture.duration(to: now))
  }

  /// Hands out the view that is held.
  mutating func take(at now: ContinuousClock.Instant) -> IncomingLine? {
    guard let line else { return nil }
    self.line = nil
    timer?.cancel()
    timer = nil
    lastPicture = now
    return line
  }

  /// Forgets a process that is gone.
  mutating func reset() {
    line = nil
    timer?.cancel()
    timer = nil
  }
}
