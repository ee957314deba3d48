import WidgetKitCore

/// How often widgets post.
struct NoticeBudget {
  /// The last posts of each app.
  private var posts: [String: [ContinuousClock.Instant]] = [:]

  private static let limit = 10
  private static let time: Duration = .seconds(60)

  /// Notes a post; returns why it is refused, or nil.
  mutating func take(_ owner: String, at now: ContinuousClock.Instant) -> WireError? {
    var recent = posts[owner, default: []].filter { $0.duration(to: now) < Self.time }
    guard recent.count < Self.limit else {
      return WireError(code: .overLimit, message: "\(Self.limit) notices a minute are posted")
    }
    recent.append(now)
    posts[owner] = recent
    return nil
  }
}
