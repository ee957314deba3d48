/// How often a widget may change the height of its card: once in a pause, by default one second.
///
/// The last request that came too soon is granted when the pause is over. What the user or the page
/// causes is not limited.
nonisolated struct HeightLimit {
  /// When a request that came too soon can be granted; nil if none waits.
  private(set) var due: ContinuousClock.Instant?

  /// The shortest time between two changes of height that a widget requests.
  private let pause: Duration
  private var lastChange: ContinuousClock.Instant?

  init(pause: Duration) {
    self.pause = pause
  }

  /// Whether a request waits for the end of the pause.
  var isHolding: Bool { due != nil }

  /// Returns whether a widget's request may be granted now; if not, it is ``due`` at the end of the pause, however
  /// many requests come until then.
  mutating func allows(_ now: ContinuousClock.Instant) -> Bool {
    guard let lastChange, lastChange.duration(to: now) < pause else { return true }
    due = due ?? lastChange + pause
    return false
  }

  /// Returns whether the request that waits can be granted now.
  mutating func takeDue(_ now: ContinuousClock.Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// Records that the height was changed for the widget or the user.
  mutating func note(_ now: ContinuousClock.Instant) {
    lastChange = now
  }

  /// Allows the next change at once, because the host makes it.
  mutating func lift() {
    lastChange = nil
  }

  /// Drops the request that waits.
  mutating func stop() {
    due = nil
  }
}
