import WidgetTestSupport

/// Calendar files of RFC 5545 and vCalendar 1.0.
extension Grammar {
  mutating func calendar() -> String {
    let parts = (0...random.number(0...6)).map { _ in
      random.once(in: 5) ? zone() : component("VEVENT", Self.entryLines)
    }
    let end = random.one(of: ["\n", "\r\n", "\r"])
    let version = random.once(in: 3) ? "VERSION:1.0\n" : ""
    let text = "BEGIN:VCALENDAR\n\(version)\(parts.joined())END:VCALENDAR\n"
    return text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
  }

  private mutating func zone() -> String {
    let periods = (0...random.number(0...2)).map { _ in
      component(random.one(of: ["STANDARD", "DAYLIGHT"]), Self.zoneLines)
    }
    return "BEGIN:VTIMEZONE\nTZID:\(random.one(of: Self.zones))\n\(periods.joined())END:VTIMEZONE\n"
  }

  private mutating func component(_ name: String, _ names: [String]) -> String {
    // Most entries have what they need.
    var lines = random.once(in: 8) ? [] : [line(of: "DTSTART")]
    if name != "VEVENT", !random.once(in: 8) {
      lines += ["TZOFFSETFROM", "TZOFFSETTO"].map { line(of: $0) }
    }
    lines += (0...random.number(0...6)).map { _ in line(of: random.one(of: names)) }
    let end = random.once(in: 20) ? "" : "END:\(name)\n"
    return "BEGIN:\(name)\n\(lines.joined(separator: "\n"))\n\(end)"
  }

  private mutating func line(of name: String) -> String {
    let parameters = random.once(in: 2) ? "" : ";" + random.one(of: Self.parameters)
    let zone = random.once(in: 3) ? ";TZID=\(random.one(of: Self.zones))" : ""
    switch name {
    case "RRULE", "EXRULE": return "\(name):\(rule())"
    case "SUMMARY", "UID", "STATUS": return "\(name)\(parameters):\(random.one(of: Self.texts))"
    case "SEQUENCE": return "\(name):\(random.one(of: Self.numbers))"
    case "DURATION": return "\(name):\(random.one(of: Self.lengths))"
    case "TZOFFSETFROM", "TZOFFSETTO": return "\(name):\(random.one(of: Self.offsets))"
    case "RDATE" where random.once(in: 2):
      let length = random.once(in: 2) ? moment() : random.one(of: Self.lengths)
      return "RDATE;VALUE=PERIOD\(zone):\(moment())/\(length)"
    case "RDATE", "EXDATE":
      let dates = (0...random.number(0...3)).map { _ in moment() }
      return "\(name)\(parameters)\(zone):\(dates.joined(separator: random.one(of: [",", ";"])))"
    default: return "\(name)\(parameters)\(zone):\(moment())"
    }
  }

  private mutating func rule() -> String {
    if random.once(in: 3) {
      return (0...random.number(0...5)).map { _ in random.one(of: Self.oldRuleParts) }.joined(
        separator: " "
      )
    }
    let parts = (0...random.number(0...4)).map { _ in
      let value =
        random.once(in: 2) ? random.one(of: Self.numbers) : random.one(of: Self.ruleValues)
      return "\(random.one(of: Self.ruleNames))=\(value)"
    }
    return (["FREQ=\(random.one(of: Self.frequencies))"] + parts).joined(separator: ";")
  }

  private mutating func moment() -> String {
    if random.once(in: 6) { return random.one(of: Self.oddMoments) }
    func two(_ range: ClosedRange<Int>) -> String {
      let number = random.number(range)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    let day = "2026\(two(10...12))\(two(1...31))"
    if random.once(in: 3) { return day }
    return "\(day)T\(two(0...24))\(two(0...60))\(two(0...60))\(random.once(in: 3) ? "Z" : "")"
  }

  private static let entryLines = [
    "DTSTART", "DTEND", "DURATION", "RRULE", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID",
    "SUMMARY", "UID", "STATUS", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED",
  ]
  private static let zoneLines = ["RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO", "DTSTART"]
  private static let zones = [
    "Town", "Europe/Vienna", "W. Europe Standard Time", "/a/b/America/New_York", "UTC+1", "\"a:b\"",
    "",
    "../../etc/passwd",
  ]
  private static let parameters = [
    "VALUE=DATE", "VALUE=DATE-TIME", "VALUE=PERIOD", "RANGE=THISANDFUTURE", "X=\"", "CHARSET=utf-7",
    "ENCODING=QUOTED-PRINTABLE", "TZID=", "=", "VALUE=DURATION",
  ]
  private static let texts = [
    "a", "a", "b", "", "CANCELLED", "CONFIRMED", "=C3=A9=", "\\n\\,\\;\\", "\u{202E}\u{1B}[2J", " ",
  ]
  private static let offsets = ["+0100", "+0200", "-0500", "+2400", "-9999", "+01", "0", "+010203"]
  private static let lengths = [
    "PT1H", "P1D", "-PT30M", "P2W", "P", "PT0S", "P99999999999D", "PT2147483647S", "P1DT24H",
    "-P1W", "1",
  ]
  private static let oddMoments = [
    "16010101T000000", "99991231T235959Z", "00000101", "20260230", "20261101T250000", "-1", "",
    "20261101T", "20261101T1200", "2026-11-01", "999999999999", "19691231T235959Z",
  ]
  private static let frequencies = [
    "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "YEARLY", "",
  ]
  private static let ruleNames = [
    "UNTIL", "COUNT", "INTERVAL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "RSCALE", "SKIP", "X",
  ]
  private static let ruleValues = [
    "MO", "-1FR", "1,2,3", "-1", "31", "53", "366", "0", "GREGORIAN", "HEBREW", "OMIT", "BACKWARD",
    "20261201", "99991231T235959Z", "MO,TU,WE,TH,FR", "5L", "2147483647", "-2147483648", "60",
  ]
  private static let oldRuleParts = [
    "D1", "D2", "W1", "W2", "MP1", "MD1", "YM1", "YD1", "M5", "MO", "TU", "SU", "1+", "2-", "5+",
    "LD",
    "1", "31", "200", "0900", "1330", "#0", "#10", "#99999999999", "20261231T000000Z", "D0", "D-1",
    "W99999999999", "$", "1-", "+",
  ]
}
