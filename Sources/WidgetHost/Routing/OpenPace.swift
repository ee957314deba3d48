/// The least time between two URLs that the widgets of a page open.
struct OpenPace {
  private var last: ContinuousClock.Instant?

  /// Takes a URL that is to be opened at `now`; returns why it may not be, or nil.
  mutating func refusal(at now: ContinuousClock.Instant, pause: Duration) -> URLRefusal? {
    if let last, last.duration(to: now) < pause { return .tooSoon(pause: pause) }
    last = now
    return nil
  }
}
