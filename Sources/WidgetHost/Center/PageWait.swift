/// Waits for all cards of a page at once, for some time at most: to stand still, or to end.
///
/// A class because its timer calls it back.
final class PageWait {
  private let clock: any HostClock
  private var completion: (() -> Void)?
  private var timer: (any HostTimer)?

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Whether something waits.
  var isUnderWay: Bool { completion != nil }

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - limit: How long.
  ///   - onLimit: Called when that is over and ``end()`` was not.
  ///   - completion: Called once, by ``end()``.
  func begin(
    within limit: Duration,
    onLimit: @escaping () -> Void,
    completion: @escaping () -> Void
  ) {
    self.completion = completion
    timer = clock.schedule(after: limit, onLimit)
  }

  /// Waits no longer; calls the completion, if that was not called before.
  func end() {
    let completion = completion
    forget()
    completion?()
  }

  /// Waits no longer, and calls nothing.
  func forget() {
    timer?.cancel()
    timer = nil
    completion = nil
  }
}
