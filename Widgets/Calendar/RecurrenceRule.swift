/// How an event recurs (RFC 5545 §3.3.10), with the common parts of rules.
///
/// It supports FREQ (DAILY to YEARLY), INTERVAL, COUNT, UNTIL, WKST, BYDAY and
/// BYMONTHDAY; a rule with other parts is refused, rather than shown on wrong days.
struct RecurrenceRule: Hashable, Sendable {
  /// The length of one period.
  enum Frequency: String, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  /// A weekday, in a month also the first one (1), the last one (-1) and so on.
  struct Day: Hashable, Sendable {
    /// Which one in the month; nil is every one.
    var ordinal: Int?
    /// The day of the week.
    var weekday: Weekday
  }

  /// The length of one period.
  var frequency: Frequency
  /// The number of periods between occurrences; at least 1.
  var interval = 1
  /// The total number of occurrences.
  var count: Int?
  /// The last time at which it can begin.
  var until: EventTime?
  /// The weekdays; if empty, that of the first occurrence.
  var days: [Day] = []
  /// The days of the month, negative from the end; if empty, that of the first occurrence.
  var monthDays: [Int] = []
  /// The first day of a week, which matters for every second week.
  var weekStart = Weekday.monday

  /// Why a rule was refused.
  struct Refusal: Error, Hashable {
    /// A part that is not supported: `BYSETPOS=2`.
    var part: String
  }

  /// Reads a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`.
  init(_ text: String) throws(Refusal) {
    var frequency: Frequency?
    var parts: [(name: Substring, value: Substring, whole: Substring)] = []
    for part in text.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { throw Refusal(part: String(part)) }
      if pair[0] == "FREQ" {
        frequency = Frequency(rawValue: String(pair[1]))
        if frequency == nil { throw Refusal(part: String(part)) }
      } else {
        parts.append((pair[0], pair[1], part))
      }
    }
    guard let frequency else { throw Refusal(part: text) }
    self.frequency = frequency
    for part in parts where !take(part.name, part.value) {
      throw Refusal(part: String(part.whole))
    }
  }

  /// Reads one part; false if it is not supported.
  private mutating func take(_ name: Substring, _ value: Substring) -> Bool {
    switch name {
    case "INTERVAL":
      guard let number = Int(value), (1...10_000).contains(number) else { return false }
      interval = number
    case "COUNT":
      guard let number = Int(value), number >= 1 else { return false }
      count = number
    case "UNTIL":
      guard let time = EventTime(value, zone: nil) else { return false }
      until = time
    case "WKST":
      guard let weekday = Weekday(rawValue: String(value)) else { return false }
      weekStart = weekday
    case "BYDAY":
      let days = value.split(separator: ",").map(Day.init(_:))
      guard frequency != .yearly, days.allSatisfy({ $0 != nil }) else { return false }
      self.days = days.compactMap { $0 }
      return frequency == .monthly || self.days.allSatisfy { $0.ordinal == nil }
    case "BYMONTHDAY":
      let days = value.split(separator: ",").map { Int($0) }
      let isKnown = days.allSatisfy { $0.map { $0 != 0 && (-31...31).contains($0) } ?? false }
      guard frequency == .monthly, isKnown else { return false }
      monthDays = days.compactMap { $0 }
    default:
      return false
    }
    return true
  }
}

extension RecurrenceRule.Day {
  /// Reads `MO`, `2TU` or `-1FR`.
  fileprivate init?(_ text: Substring) {
    guard let weekday = Weekday(rawValue: String(text.suffix(2))) else { return nil }
    self.weekday = weekday
    let number = text.dropLast(2)
    guard !number.isEmpty else { return }
    guard let ordinal = Int(number), ordinal != 0, (-5...5).contains(ordinal) else { return nil }
    self.ordinal = ordinal
  }
}
