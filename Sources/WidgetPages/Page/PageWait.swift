import WidgetPlatform

/// Waits a limited time for all cards of a page to be suspended or to end.
///
/// This is a class because its timer calls it.
final class PageWait {
  private let clock: any HostClock
  private var completion: (() -> Void)?
  private var timer: (any HostTimer)?

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Whether a wait is in progress.
  var isUnderWay: Bool { completion != nil }

  /// Starts a wait.
  ///
  /// - Parameters:
  ///   - limit: The longest time.
  ///   - onLimit: Called if ``end()`` was not called within that time.
  ///   - completion: Called once, by ``end()``.
  func begin(
    within limit: Duration,
    onLimit: @escaping () -> Void,
    completion: @escaping () -> Void
  ) {
    self.completion = completion
    timer = clock.schedule(after: limit, onLimit)
  }

  /// Ends the wait; calls the completion if it has not been called yet.
  func end() {
    let completion = completion
    forget()
    completion?()
  }

  /// Cancels the wait without calling anything.
  func forget() {
    timer?.cancel()
    timer = nil
    completion = nil
  }
}
