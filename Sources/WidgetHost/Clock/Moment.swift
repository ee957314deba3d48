import FoundationEssentials
import WidgetKitCore

/// One moment on both clocks: a value that decisions are made with, so that they need no clock.
nonisolated struct Moment: Hashable, Sendable {
  /// On the clock that never goes back.
  var now: ContinuousClock.Instant
  /// On the wall clock.
  var date: Date

  /// The moment at which a date comes, if the wall clock is not set.
  func instant(of date: Date) -> ContinuousClock.Instant {
    now + .saturated(seconds: min(date.timeIntervalSince(self.date), 1e7))
  }
}

extension HostClock {
  /// The present moment.
  var moment: Moment { Moment(now: now, date: date) }
}
