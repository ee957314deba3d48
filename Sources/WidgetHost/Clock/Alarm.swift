/// A timer for a moment that is moved on again and again, as everything new moves the next age.
///
/// Later costs nothing: the timer stays where it is, and what it calls looks again and sets it anew.
/// Earlier takes its place.
package struct Alarm {
  private var timer: (any HostTimer)?
  private var moment: ContinuousClock.Instant?

  package init() {}

  /// Has `action` called on the main thread after the delay, or before, where it was set before.
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
