/// How fast numbers that count up do so, from one run of a script to the next.
struct ScriptRates {
  private var last: [String: (value: Double, time: ContinuousClock.Instant)] = [:]
  /// The most numbers that are kept.
  private static let limit = 512

  /// Returns how much a number has grown in a second; nil at its first value.
  ///
  /// A number that has become smaller was set back to 0, and has grown by what it is now.
  mutating func rate(
    of name: String,
    _ value: Double,
    at now: ContinuousClock.Instant
  ) -> Double? {
    let before = last[name]
    if before != nil || last.count < Self.limit { last[name] = (value, now) }
    guard let before, value.isFinite, before.value.isFinite else { return nil }
    let span = before.time.duration(to: now) / .seconds(1)
    guard span > 0 else { return nil }
    return (value >= before.value ? value - before.value : value) / span
  }
}
