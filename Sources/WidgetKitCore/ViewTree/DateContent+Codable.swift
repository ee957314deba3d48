internal import FoundationEssentials

extension DateContent {
  /// Reads a date of RFC 3339; if it is missing or null, it is the current time.
  init(_ members: borrowing ViewNode.Reader) throws {
    var moment: InternetDate?
    if let text = try members.string(.date) {
      moment = InternetDate(text)
      if moment == nil {
        throw members.expected("a date such as 2026-11-20T14:32:07+01:00", forKey: .date)
      }
    }
    self.init(
      date: moment?.date,
      offsetFromGMT: moment?.offsetFromGMT,
      display: try members.choice(.display) ?? .time,
      timeZone: try members.string(.timeZone)
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("date", forKey: .type)
    if let date {
      let moment = InternetDate(date: date, offsetFromGMT: offsetFromGMT)
      try members.encode(moment.text, forKey: .date)
    }
    try members.encode(display, forKey: .display, unless: .time)
    try members.encodeIfPresent(timeZone, forKey: .timeZone)
  }
}
