import CalendarFormats
import FoundationEssentials
import WidgetKitCore

/// Which entries are announced, each of their reminders once, also over restarts.
struct EventReminders {
  /// More are forgotten, the oldest first.
  private static let limit = 400
  private static let byteLimit = 256 * 1024
  private static let longest = 24 * 60
  /// How late it may be for a reminder at the start or later, in seconds.
  private static let grace = 300.0
  /// How long it is kept that a person was told, in seconds from the start of the entry.
  private static let memory = 40 * 86_400.0

  /// How many minutes before an entry that has no reminder of its own; nobody is told of any if it is 0 or no number.
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

  /// The notices that are due, which count as told from then on: one for each entry.
  mutating func due(
    _ entries: [Occurrence],
    at now: Date,
    in zone: String = "UTC"
  ) -> [PostedNotice] {
    guard minutes > 0 else { return [] }
    var notices: [PostedNotice] = []
    for entry in entries where entry.start != nil || entry.details.alarms?.isEmpty == false {
      guard let span = span(of: entry, in: zone) else { continue }
      let keys = reminders(of: entry, span).filter { $0.isDue(at: now, before: span.limit) }
        .map(\.key).filter { !told.contains($0) }
      guard let key = keys.first else { continue }
      told += keys
      notices.append(notice(of: entry, span, at: now, in: zone, key))
    }
    if !notices.isEmpty { forget(at: now) }
    return notices
  }

  // MARK: - Times

  /// When an entry begins and ends, and from when on it is too late to tell of it.
  private struct Span {
    var start: Date
    var end: Date
    var limit: Date
  }

  private struct Reminder {
    var date: Date
    var key: String

    /// What is at the start or later is told of for a moment, all else until the limit.
    func isDue(at now: Date, before limit: Date) -> Bool {
      date <= now && now < (date >= limit ? date.addingTimeInterval(EventReminders.grace) : limit)
    }
  }

  private func span(of entry: Occurrence, in zone: String) -> Span? {
    if let start = entry.start {
      return Span(start: start, end: entry.end ?? start, limit: start)
    }
    // A whole day is told of while it lasts.
    guard let start = Self.midnight(of: entry.firstDay, in: zone),
      let end = Self.midnight(of: entry.lastDay.adding(days: 1), in: zone)
    else { return nil }
    return Span(start: start, end: end, limit: end)
  }

  private static func midnight(of day: CivilDate, in zone: String) -> Date? {
    LocalTime(year: day.year, month: day.month, day: day.day).date(in: zone)
  }

  private func reminders(of entry: Occurrence, _ span: Span) -> [Reminder] {
    let key = "\(Int(span.start.timeIntervalSince1970)) \(entry.summary.prefix(100))"
    if let alarms = entry.details.alarms {
      return alarms.map { alarm in
        let date = alarm.date(start: span.start, end: span.end)
        return Reminder(date: date, key: "\(key) \(Int(date.timeIntervalSince1970))")
      }
    }
    guard entry.start != nil else { return [] }
    let date = span.start.addingTimeInterval(-Double(minutes) * 60)
    return [Reminder(date: date, key: key)]
  }

  /// Forgets what was told of entries that are long over.
  private mutating func forget(at now: Date) {
    let oldest = now.timeIntervalSince1970 - Self.memory
    told = told.filter { key in
      Double(key.prefix { $0 != " " }).map { $0 > oldest } ?? false
    }
    .suffix(Self.limit)
  }

  // MARK: - Words

  private func notice(
    of entry: Occurrence,
    _ span: Span,
    at now: Date,
    in zone: String,
    _ key: String
  ) -> PostedNotice {
    let join = entry.details.meeting.map { UserNotice.Action("Join", url: $0) }
    return PostedNotice(
      "\(entry.summary.prefix(200)) \(when(entry, span, at: now, in: zone))",
      body: entry.details.place.isEmpty ? nil : entry.details.place,
      tag: "event \(key)",
      actions: join.map { [$0] },
      // An entry that goes on can still be joined for a while.
      expiresAfter: .seconds(max(0, span.limit.timeIntervalSince(now)) + 900)
    )
  }

  private func when(_ entry: Occurrence, _ span: Span, at now: Date, in zone: String) -> String {
    if entry.start == nil, let today = Agenda.day(of: now, in: zone) {
      let days = entry.firstDay.daysSince1970 - today.daysSince1970
      return days <= 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days"
    }
    let seconds = span.start.timeIntervalSince(now)
    switch seconds {
    case ..<0: return "has begun"
    case ..<30: return "now"
    case ..<5400: return "in \(max(1, Int((seconds / 60).rounded()))) min"
    case ..<129_600: return "in \(Int((seconds / 3600).rounded())) h"
    default: return "in \(Int((seconds / 86_400).rounded())) days"
    }
  }
}
