import CIcal

/// How an event recurs (RFC 5545 §3.3.10), as libical understands it.
struct RecurrenceRule: Hashable, Sendable {
  /// The parts of a rule, and how many values each may have.
  ///
  /// libical has room for so many; it writes behind its arrays if there is one more.
  private static let valueLimits = [
    "FREQ": 1, "UNTIL": 1, "COUNT": 1, "INTERVAL": 1, "WKST": 1, "BYSECOND": 60, "BYMINUTE": 60,
    "BYHOUR": 24, "BYDAY": 371, "BYMONTHDAY": 31, "BYYEARDAY": 366, "BYWEEKNO": 53, "BYMONTH": 12,
    "BYSETPOS": 366, "RSCALE": 1, "SKIP": 1,
  ]

  /// The numbers that lists and steps may have; libical keeps them in 16 bits, and takes others for small ones.
  private static let numberLimits = [
    "COUNT": 1...Int(Int32.max), "INTERVAL": 1...Int(Int16.max), "BYSECOND": 0...60,
    "BYMINUTE": 0...59, "BYHOUR": 0...23, "BYDAY": -53...53, "BYMONTHDAY": -31...31,
    "BYYEARDAY": -366...366, "BYWEEKNO": -53...53, "BYMONTH": 1...13, "BYSETPOS": -366...366,
  ]

  /// The rule without its last time.
  let text: String
  /// The last time at which it can begin.
  var until: EventTime?
  /// Which dates of each period hold, where libical cannot say so; nil for all.
  private(set) var choice: PositionChoice?

  /// Why a rule was refused.
  struct Refusal: Error, Hashable {
    /// A part that is not supported: `BYEASTER=1`.
    var part: String
  }

  /// Reads a rule such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`, or one of vCalendar 1.0.
  init(_ text: String) throws(Refusal) {
    let text = OldRule.isOld(text) ? try OldRule(text).text : text
    let parts = Self.withoutVoid(text)
    let names = parts.map { $0.split(separator: "=").first.map(String.init) ?? "" }
    guard let frequency = parts.first(where: { $0.hasPrefix("FREQ=") }) else {
      throw Refusal(part: String(text.prefix(40)))
    }
    // A skipped date is another one by a calendar's own rules.
    let scale = parts.first { $0.hasPrefix("RSCALE=") }.map { $0 + ";" } ?? ""
    for (name, part) in zip(names, parts) {
      let isKnown = Self.valueLimits[name].map { part.split(separator: ",").count <= $0 } ?? false
      let isAlone = names.count { $0 == name } == 1
      let rule =
        part == frequency
        ? part : (part.hasPrefix("RSCALE=") ? "" : scale) + frequency + ";" + part
      guard isKnown, isAlone, Self.hasNumbers(part, of: name),
        PropertyReader.withLibrary({ Self.isValid(rule) })
      else {
        throw Refusal(part: String(part.prefix(40)))
      }
    }
    var kept = parts.filter { !$0.hasPrefix("UNTIL=") && !$0.hasPrefix("BYSETPOS=") }
    // Without months, libical uses only the month of the first occurrence.
    let isYearly = frequency == "FREQ=YEARLY" && names.contains("BYMONTHDAY") && scale.isEmpty
    if isYearly, !names.contains(where: ["BYMONTH", "BYYEARDAY", "BYWEEKNO"].contains) {
      kept.append("BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12")
    }
    let positions = parts.first { $0.hasPrefix("BYSETPOS=") }
    if let positions {
      let whole = (kept + [positions]).joined(separator: ";")
      if PropertyReader.withLibrary({ Self.countsPositions(whole) }) {
        kept.append(positions)
      } else {
        guard scale.isEmpty, let choice = PositionChoice(kept, positions) else {
          throw Refusal(part: String(positions.prefix(40)))
        }
        self.choice = choice
      }
    }
    self.text = kept.joined(separator: ";")
    if let last = parts.first(where: { $0.hasPrefix("UNTIL=") }) {
      // libical takes no count beside it; both hold here.
      let rule = frequency + ";" + last
      until = PropertyReader.withLibrary { () -> EventTime? in
        unsafe EventTime(icalrecurrencetype_from_string(rule).until, zone: nil)
      }
      guard until != nil else { throw Refusal(part: String(last.prefix(40))) }
    }
    let copy = self.text
    guard PropertyReader.withLibrary({ Self.isValid(copy) }) else {
      throw Refusal(part: String(parts.joined(separator: ";").prefix(40)))
    }
  }

  /// The rule with the weekday of its start, if it has weeks of a year and not their days (RFC 5545 §3.3.10); libical
  /// has no dates then.
  func text(from start: EventTime) -> String {
    let names = text.split(separator: ";").map { $0.prefix { $0 != "=" } }
    let days = ["BYDAY", "BYMONTHDAY", "BYYEARDAY"]
    guard names.contains("BYWEEKNO"), !names.contains(where: { days.contains(String($0)) }) else {
      return text
    }
    return "\(text);BYDAY=\(start.date.weekday.rawValue)"
  }

  /// Whether the numbers of a part are those of its name.
  private static func hasNumbers(_ part: String, of name: String) -> Bool {
    guard let limits = numberLimits[name] else { return true }
    let values = part.dropFirst(name.utf8.count + 1).split(separator: ",")
    guard !values.isEmpty else { return false }
    return values.allSatisfy { value in
      // `2MO`, and `5L` for a leap month of other calendars.
      let number = value.prefix { !$0.isLetter }
      if number.isEmpty { return name == "BYDAY" }
      return Int(number).map { limits.contains($0) && ($0 != 0 || limits.lowerBound == 0) } ?? false
    }
  }

  /// The parts of a rule in capitals, without those that say nothing.
  ///
  /// Programs write `COUNT=0` for a series without an end, `INTERVAL=0` for each period, parts without a value or of
  /// their own (`X-…` in RFC 2445), numbers of weekdays where a period has each once, and `RSCALE` with the calendar
  /// of all rules (RFC 7529).
  private static func withoutVoid(_ text: String) -> [String] {
    var text = text.uppercased().filter { !$0.isWhitespace }
    while text.hasPrefix("RRULE:") { text.removeFirst("RRULE:".count) }
    var parts = text.split(separator: ";").map(String.init)
    parts.removeAll { part in
      part == "UNTIL=" || part.hasPrefix("BY") && part.hasSuffix("=") || part.hasPrefix("X-")
        || ["COUNT=0", "INTERVAL=0"].contains(part) || isHugeCount(part)
    }
    let hasEachOnce = parts.contains("FREQ=WEEKLY") || parts.contains("FREQ=DAILY")
    parts = parts.map { part in
      if part.hasPrefix("UNTIL=") { return "UNTIL=" + WrittenDates.usual(part.dropFirst(6)) }
      guard hasEachOnce, part.hasPrefix("BYDAY=") else { return withoutCopies(part) }
      return withoutCopies("BYDAY=" + part.dropFirst(6).filter { $0.isLetter || $0 == "," })
    }
    let isUsual = !parts.contains { $0.hasPrefix("RSCALE=") && $0 != "RSCALE=GREGORIAN" }
    let skips = parts.contains { $0.hasPrefix("SKIP=") && $0 != "SKIP=OMIT" }
    if isUsual, !skips {
      parts.removeAll { $0 == "RSCALE=GREGORIAN" || $0 == "SKIP=OMIT" }
    }
    return parts
  }

  /// A list with each of its values once: libical counts a date twice whose weekday is there twice.
  private static func withoutCopies(_ part: String) -> String {
    guard part.hasPrefix("BY"), let sign = part.firstIndex(of: "=") else { return part }
    var seen: Set<Substring> = []
    let list = part[part.index(after: sign)...]
    let kept = list.split(separator: ",", omittingEmptySubsequences: false).filter { value in
      seen.insert(value.hasPrefix("+") ? value.dropFirst() : value).inserted
    }
    return part[...sign] + kept.joined(separator: ",")
  }

  /// Whether a count is beyond what anybody counts to, so that a series has no end.
  private static func isHugeCount(_ part: String) -> Bool {
    guard part.hasPrefix("COUNT=") else { return false }
    let digits = part.dropFirst("COUNT=".count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return false
    }
    return Int(digits).map { $0 > Int(Int32.max) } ?? true
  }

  /// Whether libical understands a rule, and computes the dates that it means.
  private static func isValid(_ text: String) -> Bool {
    var rule = unsafe icalrecurrencetype_from_string(text)
    guard unsafe rule.freq != ICAL_NO_RECURRENCE else { return false }
    if unsafe rule.rscale != nil {
      // A calendar that libical does not know has no dates.
      let start = unsafe LibraryTime.make(localSeconds: 0, isDay: true)
      guard let iterator = unsafe icalrecur_iterator_new(rule, start) else { return false }
      unsafe icalrecur_iterator_free(iterator)
    }
    // A number of a weekday needs a month or a year.
    let isLong = unsafe rule.freq == ICAL_MONTHLY_RECURRENCE || rule.freq == ICAL_YEARLY_RECURRENCE
    if unsafe !isLong && ci_has_numbered_weekday(&rule) != 0 { return false }
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

  /// Whether libical chooses positions correctly: in days of a month or year, not in times of day or in weeks.
  private static func countsPositions(_ text: String) -> Bool {
    var rule = unsafe icalrecurrencetype_from_string(text)
    let isLong = unsafe rule.freq == ICAL_MONTHLY_RECURRENCE || rule.freq == ICAL_YEARLY_RECURRENCE
    return unsafe isLong && ci_times(&rule) <= 1
  }
}
