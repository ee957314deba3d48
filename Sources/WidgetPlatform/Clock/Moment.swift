package import FoundationEssentials
import WidgetKitCore

/// One moment on both clocks: a value that decisions are made with, so that they need no clock.
package struct Moment: Hashable, Sendable {
  /// On the clock that never goes back.
  package var now: ContinuousClock.Instant
  /// On the wall clock.
  package var date: Date

  /// Creates it with its values.
  package init(now: ContinuousClock.Instant, date: Date) {
    self.now = now
    self.date = date
  }

  /// The moment at which a date comes, if the wall clock is not set.
  package func instant(of date: Date) -> ContinuousClock.Instant {
    now + .saturated(seconds: min(date.timeIntervalSince(self.date), 1e7))
  }
}

extension HostClock {
  /// The present moment.
  package var moment: Moment { Moment(now: now, date: date) }
}
