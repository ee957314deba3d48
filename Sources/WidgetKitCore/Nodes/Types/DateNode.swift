public import FoundationEssentials

/// How a `date` node writes its date.
public enum DateDisplay: String, Hashable, Sendable, Codable, CaseIterable {
  /// `14:32:07`
  case time
  /// `Friday 20 November`
  case date
  /// `4 min ago`, `in 2 h`
  case relative
  /// `0:42`: down to the date, then up.
  case timer
  /// `+4 min`, `-2 h`
  case offset
}

/// The members of a `date` node; the host keeps it up to date while the widget is suspended.
public struct DateContent: Hashable, Sendable {
  /// The time that is shown; nil is the current one, which the host keeps up to date.
  public var date: Date?
  /// Seconds east of Greenwich in the text of the date; nil if it ended in `Z`, which means that the
  /// local offset is not known (RFC 9557), and if `date` is nil.
  public var offsetFromGMT: Int?
  /// The form in which it is written.
  public var display: DateDisplay
  /// The tz database name (`Europe/Copenhagen`) of the zone to write it in; if nil, the date's own
  /// offset is used, or else the user's zone.
  public var timeZone: String?

  /// Creates the content of a date node.
  public init(
    date: Date?,
    offsetFromGMT: Int? = nil,
    display: DateDisplay,
    timeZone: String? = nil
  ) {
    self.date = date
    self.offsetFromGMT = offsetFromGMT
    self.display = display
    self.timeZone = timeZone
  }
}

extension DateContent: NodeContent {
  static let type = "date"
  var wrapped: ViewNode.Content { .date(self) }

  enum Member: Int, ViewMemberKey {
    case date, display, timeZone
    static let names = listNames()
  }

  /// Reads a date of RFC 3339; if it is missing or null, it is the current time.
  init(_ members: borrowing Reader) throws {
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

  func write(to members: inout Writer) throws {
    if let date {
      let moment = InternetDate(date: date, offsetFromGMT: offsetFromGMT)
      try members.encode(moment.text, forKey: .date)
    }
    try members.encode(display, forKey: .display, unless: .time)
    try members.encodeIfPresent(timeZone, forKey: .timeZone)
  }

  var showsPresentMoment: Bool { date == nil }

  /// The text of a clock with its seconds, which nobody reads first, less prominent.
  private func spans(of text: String) -> [TextSpan] {
    let seconds = text.utf8.suffix(3)
    guard date == nil, display == .time, seconds.first == UInt8(ascii: ":") else {
      return [TextSpan(SafeText(text))]
    }
    return [
      TextSpan(SafeText(String(text.dropLast(3))), style: TextStyle(bold: true)),
      TextSpan(SafeText(String(text.suffix(3))), style: TextStyle(dim: true)),
    ]
  }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    let environment = builder.environment
    let minus = builder.isUnicode ? "−" : "-"
    let words = environment.dates.words(for: self, at: environment.now, minus: minus)
    let text = TextContent(spans: spans(of: words.text), lineLimit: 1)
    return builder.text(
      origin,
      text,
      change: words.nextChange?.timeIntervalSince1970,
      end: countdownEnd(after: environment.now)
    )
  }

  /// When it comes to nought, if it is a countdown: seconds are written without their parts.
  private func countdownEnd(after now: Date) -> SecondsOfChange? {
    guard display == .timer, let end = date?.timeIntervalSince1970.rounded(.down),
      end > now.timeIntervalSince1970
    else { return nil }
    return end
  }
}
