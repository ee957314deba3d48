/// Notices a widget that asks for another height all the time without a reason from the user.
///
/// More than ten requests in each of five seconds in a row freeze the height, until the user acts or the
/// process is another one.
struct HeightStorm {
  /// Whether the height stays as it is.
  private(set) var isFrozen = false
  /// The rows that were asked for last.
  private var lastWish: Int?
  /// The begin of the present second, and the requests in it.
  private var second: (begin: ContinuousClock.Instant, wishes: Int)?
  /// How many seconds in a row had too many requests.
  private var stormySeconds = 0

  /// The requests in a second that are not too many.
  static let wishesPerSecond = 10
  /// How many seconds in a row may have more.
  static let endurance = 5

  /// Takes the rows that the content asks for; returns whether that freezes the height.
  mutating func note(_ rows: Int, at now: ContinuousClock.Instant) -> Bool {
    guard !isFrozen, rows != lastWish else { return false }
    lastWish = rows
    guard var current = second, current.begin.duration(to: now) < .seconds(2) else {
      stormySeconds = 0
      second = (now, 1)
      return false
    }
    guard current.begin.duration(to: now) >= .seconds(1) else {
      current.wishes += 1
      second = current
      return false
    }
    stormySeconds = current.wishes > Self.wishesPerSecond ? stormySeconds + 1 : 0
    second = (current.begin + .seconds(1), 1)
    isFrozen = stormySeconds >= Self.endurance
    return isFrozen
  }

  /// Starts again, because the user has acted or the process is another one.
  mutating func reset() {
    self = HeightStorm()
  }
}
