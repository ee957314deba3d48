/// Which URLs of a page's widgets are opened: those that a person asked for, and not too many.
package nonisolated struct OpenURLPolicy {
  /// How long after a press on its card a widget may open a URL.
  package static let pressPatience: Duration = .seconds(10)

  private var last: ContinuousClock.Instant?

  /// Creates a policy; nothing was opened yet.
  package init() {}

  /// Why a widget's own request is refused, `sincePress` after a person did something on its card, or nil if
  /// nobody did; nil where it is granted.
  package static func refusal(sincePress: Duration?) -> URLRefusal? {
    if let sincePress, sincePress < pressPatience { nil } else { .nobodyPressed }
  }

  /// Takes a URL that is to be opened at `now`; returns why it is refused, or nil.
  ///
  /// - Parameters:
  ///   - now: The present moment.
  ///   - pause: The least time between two URLs of a page.
  /// - Returns: Why it is refused; nil where it is granted.
  package mutating func take(at now: ContinuousClock.Instant, pause: Duration) -> URLRefusal? {
    if let last, last.duration(to: now) < pause { return .tooSoon(pause: pause) }
    last = now
    return nil
  }
}
