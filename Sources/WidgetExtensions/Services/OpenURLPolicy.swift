/// Decides which URLs of a page's widgets are opened: those that the user requested, up to a limited
/// rate.
package struct OpenURLPolicy {
  /// How long after a press on its card a widget may open a URL.
  package static let pressPatience: Duration = .seconds(10)

  private var last: ContinuousClock.Instant?

  /// Creates a policy before any URL was opened.
  package init() {}

  /// Returns why a widget's own request is refused, or nil if it is allowed; `sincePress` is the time
  /// since the user acted on its card, or nil if the user has not.
  package static func refusal(sincePress: Duration?) -> URLRefusal? {
    if let sincePress, sincePress < pressPatience { nil } else { .nobodyPressed }
  }

  /// Records a URL that is to be opened at `now`; returns why it is refused, or nil.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - pause: The shortest time between two URLs of a page.
  /// - Returns: Why it is refused, or nil if it is allowed.
  package mutating func take(at now: ContinuousClock.Instant, pause: Duration) -> URLRefusal? {
    if let last, last.duration(to: now) < pause { return .tooSoon(pause: pause) }
    last = now
    return nil
  }
}
