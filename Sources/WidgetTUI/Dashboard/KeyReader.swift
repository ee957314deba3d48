import WidgetPlatform

/// Reads the keys of the screen when it has some, and again when the time of what has begun is over: then `ESC` was
/// the key Esc.
///
/// A class because a timer calls it.
final class KeyReader {
  private let screen: any Screen
  private let clock: any HostClock
  private let take: ([Key]) -> Void
  private var timer: (any HostTimer)?
  private var hasEnded = false

  /// Reads nothing yet; `take` gets the keys, and none where what has begun is no key.
  init(_ screen: any Screen, clock: any HostClock, take: @escaping ([Key]) -> Void) {
    (self.screen, self.clock, self.take) = (screen, clock, take)
  }

  /// Reads what was typed.
  func read() {
    guard !hasEnded else { return }
    take(screen.keys())
    timer?.cancel()
    timer = nil
    guard !hasEnded, let deadline = screen.keyDeadline else { return }
    let time = max(.zero, ContinuousClock.now.duration(to: deadline))
    timer = clock.schedule(after: time) { [weak self] in self?.read() }
  }

  /// Reads nothing any more.
  func end() {
    hasEnded = true
    timer?.cancel()
  }
}
