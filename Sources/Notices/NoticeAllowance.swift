/// How many notices are taken of somebody: some at once, and then one after each pause (a token bucket).
package struct NoticeAllowance {
  /// What one of them may send.
  package struct Rate: Hashable, Sendable {
    /// How many at once.
    package var burst: Int
    /// The time after which one more is taken.
    var pause: Duration

    /// The widgets of an app, which are told that they have sent too many.
    package static let widget = Rate(burst: 10, pause: .seconds(6))
    /// An application of the desktop, and all of them together, as they choose their names themselves.
    static let application = Rate(burst: 100, pause: .seconds(1))
    static let desktop = Rate(burst: 500, pause: .milliseconds(200))
    /// Another machine, which has a day of notices to tell of at first.
    static let machine = Rate(burst: 1_000, pause: .milliseconds(200))

    /// In words for a person.
    var words: String {
      let second = Int((.seconds(1) / pause).rounded())
      return "\(burst) at once and then \(second > 1 ? "\(second)" : "one") a second"
    }
  }

  private let rate: Rate
  /// When each of them could send as many as possible again, if it sent none until then; none for those that can now.
  private var fullAgain: [String: ContinuousClock.Instant] = [:]

  /// How many names are told apart; all others share one allowance.
  private static let nameLimit = 1_000

  /// Creates an allowance of which nothing was used.
  package init(_ rate: Rate) {
    self.rate = rate
  }

  /// Whether one more is taken, which then counts.
  package mutating func take(_ name: String, at now: ContinuousClock.Instant) -> Bool {
    if fullAgain.count >= Self.nameLimit, fullAgain[name] == nil {
      fullAgain = fullAgain.filter { $0.value > now }
    }
    let isKnown = fullAgain[name] != nil || fullAgain.count < Self.nameLimit
    let key = isKnown ? name : ""
    let next = max(fullAgain[key] ?? now, now) + rate.pause
    guard now.duration(to: next) <= rate.pause * rate.burst else { return false }
    fullAgain[key] = next
    return true
  }
}

/// How many notices were left out, and of whom, until the user is told.
struct OmittedNotices {
  private var counts: [String: Int] = [:]
  /// Whether the user has yet to be told of some.
  private(set) var isUntold = false

  /// How many names are told apart.
  private static let nameLimit = 20

  /// One, or more, of somebody were left out.
  mutating func add(_ count: Int = 1, of name: String) {
    let key = counts[name] != nil || counts.count < Self.nameLimit ? name : "other applications"
    let (sum, isTooMany) = counts[key, default: 0].addingReportingOverflow(max(0, count))
    counts[key] = isTooMany ? .max : sum
    isUntold = true
  }

  /// The notice that says how many, once; the number of each grows until the end of the program.
  mutating func notice(_ reason: String, tag: String) -> NoticeContent? {
    guard isUntold else { return nil }
    isUntold = false
    let sorted = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    let total = sorted.reduce(0) { sum, part in
      let (next, isTooMany) = sum.addingReportingOverflow(part.value)
      return isTooMany ? .max : next
    }
    let names = sorted.map { "\($0.key): \($0.value)" }
    var content = NoticeContent(
      application: "today",
      source: .host,
      title: total == 1 ? "1 notice was left out" : "\(total) notices were left out",
      body: (names + [reason]).joined(separator: "\n")
    )
    content.tag = tag
    return content
  }
}
