/// A timer whose moment is often postponed, as when new content postpones the next check of its age.
///
/// Setting it later is free: the timer keeps its moment, and the function that it calls checks again
/// and sets it again. Setting it earlier replaces it.
@MainActor package struct Alarm {
  private var timer: (any HostTimer)?
  private var moment: ContinuousClock.Instant?

  package init() {}

  /// Sets the timer to call `action` on the main thread after the delay, or earlier if it was set to an
  /// earlier moment.
  package mutating func set(
    after delay: Duration,
    on clock: any HostClock,
    _ action: @escaping () -> Void
  ) {
    let now = clock.now
    let wanted = now + delay
    if timer != nil, let moment, moment > now, moment <= wanted { return }
    timer?.cancel()
    timer = clock.schedule(after: delay, action)
    moment = wanted
  }

  package mutating func cancel() {
    timer?.cancel()
    timer = nil
  }
}
