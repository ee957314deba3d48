import CIcal

/// How an event recurs (RFC 5545 §3.3.10), as libical understands it.
struct RecurrenceRule: Hashable, Sendable {
  /// The parts of a rule, and how many values each may have.
  ///
  /// libical has room for so many; it writes behind its arrays if there is one more.
  private static let valueLimits = [
    "FREQ": 1, "UNTIL": 1, "COUNT": 1, "INTERVAL": 1, "WKST": 1, "BYSECOND": 60, "BYMINUTE": 60,
    "BYHOUR": 24, "BYDAY": 371, "BYMONTHDAY": 31, "BYYEARDAY": 366, "BYWEEKNO": 53, "BYMONTH": 12,
    "BYSETPOS": 366,
  ]

  /// The rule without its last time.
  let text: String
  /// The last time at which it can begin.
  var until: EventTime?

  /// Why a rule was refused.
  struct Refusal: Error, Hashable {
    /// A part that is not supported: `BYEASTER=1`.
    var part: String
  }

  /// Reads a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`.
  init(_ text: String) throws(Refusal) {
    let parts = text.uppercased().split(separator: ";").map(String.init)
    let names = parts.map { $0.split(separator: "=").first.map(String.init) ?? "" }
    guard let frequency = parts.first(where: { $0.hasPrefix("FREQ=") }) else {
      throw Refusal(part: String(text.prefix(40)))
    }
    for (name, part) in zip(names, parts) {
      let isKnown = Self.valueLimits[name].map { part.split(separator: ",").count <= $0 } ?? false
      let isAlone = names.count { $0 == name } == 1
      let rule = part == frequency ? part : frequency + ";" + part
      guard isKnown, isAlone, PropertyReader.withLibrary({ Self.isValid(rule) }) else {
        throw Refusal(part: String(part.prefix(40)))
      }
    }
    var kept = parts.filter { !$0.hasPrefix("UNTIL=") }
    // Without months, libical uses only the month of the first occurrence.
    let isYearly = frequency == "FREQ=YEARLY" && names.contains("BYMONTHDAY")
    if isYearly, !names.contains(where: ["BYMONTH", "BYYEARDAY", "BYWEEKNO"].contains) {
      kept.append("BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12")
    }
    self.text = kept.joined(separator: ";")
    let whole = parts.joined(separator: ";")
    let until = PropertyReader.withLibrary { () -> EventTime? in
      unsafe EventTime(icalrecurrencetype_from_string(whole).until, zone: nil)
    }
    self.until = until
    let copy = self.text
    let isValid = PropertyReader.withLibrary { Self.isValid(copy) }
    guard isValid, until != nil || !names.contains("UNTIL") else {
      throw Refusal(part: String(whole.prefix(40)))
    }
  }

  /// Whether libical understands a rule, and computes the dates that it means.
  private static func isValid(_ text: String) -> Bool {
    var rule = unsafe icalrecurrencetype_from_string(text)
    guard unsafe rule.freq != ICAL_NO_RECURRENCE else { return false }
    // A number of a weekday needs a month or a year.
    let isLong = unsafe rule.freq == ICAL_MONTHLY_RECURRENCE || rule.freq == ICAL_YEARLY_RECURRENCE
    if unsafe !isLong && ci_has_numbered_weekday(&rule) != 0 { return false }
    // libical counts positions in days of a month or year, not in times of day or in weeks.
    let hasPositions = text.contains("BYSETPOS=")
    if unsafe hasPositions && (!isLong || ci_times(&rule) > 1) { return false }
    // libical ignores the interval of a rule that lists values of its own unit.
    let list: String? =
      switch unsafe rule.freq {
      case ICAL_SECONDLY_RECURRENCE: "BYSECOND="
      case ICAL_MINUTELY_RECURRENCE: "BYMINUTE="
      case ICAL_HOURLY_RECURRENCE: "BYHOUR="
      default: nil
      }
    let hasList = list.map { text.contains($0) } ?? false
    return unsafe rule.interval == 1 || !hasList
  }
}
