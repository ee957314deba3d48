import CalendarFormats
import FoundationEssentials
import WidgetKitCore

/// Which entries are announced before they begin, each once, also over restarts.
struct EventReminders {
  /// More are forgotten, the oldest first.
  private static let limit = 100
  private static let byteLimit = 64 * 1024
  private static let longest = 24 * 60

  /// How many minutes before an entry; none if it is 0 or no number.
  let minutes: Int
  /// Those of which a person has been told.
  private(set) var told: [String]

  /// Creates reminders.
  ///
  /// - Parameters:
  ///   - minutes: How long before an entry, as the settings say.
  ///   - data: What was stored; what is not a list counts as missing.
  init(minutes: Double?, data: Data?) {
    let minutes = minutes ?? 10
    self.minutes = minutes > 0 ? Int(min(minutes, Double(Self.longest))) : 0
    let stored = data.flatMap { $0.count <= Self.byteLimit ? $0 : nil }
    told = stored.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
  }

  /// What is stored.
  var data: Data? { try? JSONEncoder().encode(told) }

  /// The notices that are due, which count as told from then on.
  mutating func due(_ entries: [Occurrence], at now: Date) -> [PostedNotice] {
    guard minutes > 0 else { return [] }
    var notices: [PostedNotice] = []
    for entry in entries {
      guard let start = entry.start, start > now,
        start <= now.addingTimeInterval(Double(minutes) * 60)
      else { continue }
      let key = "\(Int(start.timeIntervalSince1970)) \(entry.summary.prefix(100))"
      guard !told.contains(key) else { continue }
      told = (told + [key]).suffix(Self.limit)
      notices.append(notice(of: entry, start, at: now, key))
    }
    return notices
  }

  private func notice(
    of entry: Occurrence,
    _ start: Date,
    at now: Date,
    _ key: String
  ) -> PostedNotice {
    let left = max(1, Int((start.timeIntervalSince(now) / 60).rounded()))
    let join = entry.details.meeting.map { UserNotice.Action("Join", url: $0) }
    return PostedNotice(
      "\(entry.summary.prefix(200)) in \(left) min",
      body: entry.details.place.isEmpty ? nil : entry.details.place,
      tag: "event \(key)",
      actions: join.map { [$0] },
      // An entry that goes on can still be joined for a while.
      expiresAfter: .seconds(start.timeIntervalSince(now) + 900)
    )
  }
}
