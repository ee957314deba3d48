/// The times of the invalid messages of one process within the last minute.
struct MessageFaults {
  private var times: [ContinuousClock.Instant] = []

  private static let window: Duration = .seconds(60)

  /// Notes an invalid message; returns a description if there were more than `limit` within a minute.
  mutating func note(at now: ContinuousClock.Instant, limit: Int) -> String? {
    times.append(now)
    times.removeAll { $0.duration(to: now) > Self.window }
    guard times.count > limit else { return nil }
    return "too many invalid messages (more than \(limit) a minute)"
  }
}
