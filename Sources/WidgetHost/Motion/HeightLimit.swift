/// How often a widget may change the height of its card: once in a pause, by default one second.
///
/// The last request that came too soon is granted when the pause is over. What the user or the page
/// causes is not limited.
final class HeightLimit {
  private let clock: any HostClock
  /// The shortest time between two changes of height that a widget requests.
  private let pause: Duration
  private var lastChange: ContinuousClock.Instant?
  private var held: (any HostTimer)?

  init(clock: any HostClock, pause: Duration) {
    self.clock = clock
    self.pause = pause
  }

  /// Whether a request waits for the end of the pause.
  var isHolding: Bool { held != nil }

  /// Returns whether a widget's request may be granted now; if not, `whenDue` is called once when one
  /// may be, however many requests come until then.
  func allows(_ now: ContinuousClock.Instant, whenDue: @escaping () -> Void) -> Bool {
    guard let lastChange, lastChange.duration(to: now) < pause else { return true }
    guard held == nil else { return false }
    held = clock.schedule(after: now.duration(to: lastChange + pause)) { [weak self] in
      self?.held = nil
      whenDue()
    }
    return false
  }

  /// Records that the height was changed for the widget or the user.
  func note(_ now: ContinuousClock.Instant) {
    lastChange = now
  }

  /// Allows the next change at once, because the host makes it.
  func lift() {
    lastChange = nil
  }

  /// Drops the request that waits.
  func stop() {
    held?.cancel()
    held = nil
  }
}
