public import FoundationEssentials
import WidgetKitCore

/// When an entry asks to be announced: a `VALARM` of RFC 5545 §3.6.6.
public struct EventAlarm: Hashable, Sendable {
  /// What the time is counted from.
  private enum Moment: Hashable, Sendable {
    /// Seconds behind the start, mostly negative.
    case start(Int)
    /// Seconds behind the end.
    case end(Int)
    /// A date.
    case at(Date)
  }

  /// More alarms of one entry are left out.
  private static let limit = 8
  /// Ten years, more than anybody is told before.
  private static let dayLimit = 3_660

  private let moment: Moment

  /// The properties that are read.
  static let names: Set<String> = ["TRIGGER", "ACTION"]

  /// The date for an occurrence.
  public func date(start: Date, end: Date) -> Date {
    switch moment {
    case .start(let seconds): start.addingTimeInterval(Double(seconds))
    case .end(let seconds): end.addingTimeInterval(Double(seconds))
    case .at(let date): date
    }
  }

  /// The alarms of an entry that a person sees or hears; nil if it does not say whether there are any.
  ///
  /// A mail is sent by the server. The action `NONE` says that there is to be no alarm, not even a usual one
  /// (draft-daboo-icalendar-default-alarms).
  static func all(of components: [CalendarComponent]) -> [EventAlarm]? {
    var alarms: [EventAlarm]?
    for component in components where component.kind == .alarm {
      let action = component.lines.first { $0.name == "ACTION" }?.value.trimmed.uppercased()
      guard action != "EMAIL", alarms?.count ?? 0 < limit else { continue }
      if action == "NONE" {
        alarms = alarms ?? []
      } else if let trigger = component.lines.first(where: { $0.name == "TRIGGER" }),
        let alarm = EventAlarm(trigger)
      {
        alarms = (alarms ?? []) + [alarm]
      }
    }
    return alarms
  }

  private init?(_ trigger: ContentLine) {
    let value = trigger.value.trimmed
    if PropertyReader.parameter("VALUE", of: trigger) == "DATE-TIME" {
      guard let date = Self.date(value) else { return nil }
      moment = .at(date)
    } else {
      guard let seconds = Self.seconds(value) else { return nil }
      let isFromEnd = PropertyReader.parameter("RELATED", of: trigger) == "END"
      moment = isFromEnd ? .end(seconds) : .start(seconds)
    }
  }

  /// A date in UTC, as a trigger has to be: `20261124T090000Z`.
  private static func date(_ text: String) -> Date? {
    let digits = text.utf8.compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
    guard digits.count == 14, text.utf8.count == 16, text.hasSuffix("Z") else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    guard let day = CivilDate(number(0..<4), number(4..<6), number(6..<8)),
      number(8..<10) < 24, number(10..<12) < 60, number(12..<14) <= 60
    else { return nil }
    let seconds = number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
    return Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 + seconds))
  }

  /// The seconds of a duration with a sign: `-PT15M`, `-P1DT2H`, `P1W`.
  private static func seconds(_ text: String) -> Int? {
    var rest = Substring(text.uppercased())
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.first == "P", rest.count > 1 else { return nil }
    rest = rest.dropFirst()
    var (seconds, isTime, hasPart) = (0, false, false)
    while let first = rest.first {
      if first == "T", !isTime {
        isTime = true
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard let number = Int(digits), digits.count <= 9, let unit = rest.first else { return nil }
      let units: [Character: Int] =
        isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
      guard let length = units[unit] else { return nil }
      seconds += number * length
      guard seconds <= dayLimit * 86_400 else { return nil }
      hasPart = true
      rest = rest.dropFirst()
    }
    guard hasPart else { return nil }
    return isNegative ? -seconds : seconds
  }
}
