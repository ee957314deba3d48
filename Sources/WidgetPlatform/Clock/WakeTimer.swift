/// The one timer of something with many deadlines: it is set again only when the earliest is another one.
@MainActor package final class WakeTimer {
  private let clock: any HostClock
  private let action: () -> Void
  private var due: ContinuousClock.Instant?
  private var timer: (any HostTimer)?

  /// Creates the timer, which calls `action`; a deadline that is still there then is set again by the caller.
  package init(clock: any HostClock, action: @escaping () -> Void) {
    self.clock = clock
    self.action = action
  }

  /// Sets the earliest deadline; nil if there is none.
  package func set(_ due: ContinuousClock.Instant?) {
    guard due != self.due else { return }
    timer?.cancel()
    self.due = due
    timer = due.map { due in
      clock.schedule(after: max(.zero, clock.now.duration(to: due))) { [weak self] in
        self?.fire()
      }
    }
  }

  private func fire() {
    (timer, due) = (nil, nil)
    action()
  }
}
