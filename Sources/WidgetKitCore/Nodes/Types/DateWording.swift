public import FoundationEssentials

/// Writes dates as text, and computes when the text next changes.
///
/// | display | written |
/// | --- | --- |
/// | `time` | `14:32:07` |
/// | `date` | `Friday 20 November`, with the year if it is not the current one |
/// | `relative` | `now`, `4 min ago`, `in 2 h` |
/// | `timer` | `0:42`, `1:02:03`: down to the date, then up |
/// | `offset` | `+4 min` for future dates, `−2 h` for past dates |
///
/// A date is written in the node's zone, else in the offset that came with it, else in the user's zone.
/// If the system does not know a zone, the date is written in UTC and says so.
public struct DateWording: Sendable {
  /// Dates in the user's own zone: that of `TZ`, else that of the system.
  public static let current = DateWording()

  /// Seconds east of Greenwich of the user's zone; nil for a zone that is named, or that of the process.
  private let userOffset: Int?
  /// The name of the user's zone; nil for the zone of the process.
  private let userZone: String?

  /// Creates a wording for a user whose clocks are always `offsetFromGMT` seconds ahead of Greenwich,
  /// for tests; nil uses the system's zone.
  public init(offsetFromGMT: Int? = nil) {
    (userOffset, userZone) = (offsetFromGMT, nil)
  }

  /// Creates a wording for a user in a zone of the tz database; one that the system does not know is UTC.
  package init(zone: String) {
    (userOffset, userZone) = (nil, zone)
  }

  /// A date as text, and how long the text is valid.
  public struct Words: Hashable, Sendable {
    /// The text.
    public var text: String
    /// When the text changes, or nil if it never does.
    public var nextChange: Date?
  }

  /// Returns the text of a `date` node at `now`.
  ///
  /// - Parameters:
  ///   - content: The node.
  ///   - now: The current time.
  ///   - minus: The sign of a past date in the `offset` display.
  /// - Returns: The text, and until when it is valid.
  public func words(for content: DateContent, at now: Date, minus: String = "−") -> Words {
    let present = Self.seconds(now)
    let moment = content.date.map(Self.seconds)
    switch content.display {
    case .time:
      let zone = zone(of: content, at: moment ?? present)
      return Words(
        text: Self.time(moment ?? present, zone),
        nextChange: moment == nil ? Self.date(present + 1) : nil
      )
    case .date:
      return day(moment, present, zone(of: content, at: moment ?? present))
    case .relative:
      let span = TimeSpan(from: present, to: moment ?? present)
      return Words(
        text: span.relative,
        nextChange: moment == nil ? nil : Self.date(present + span.nextRelativeChange)
      )
    case .timer:
      guard let moment else { return Words(text: "0:00", nextChange: nil) }
      return Words(
        text: Self.timer(abs(moment - present)),
        nextChange: Self.date(present + 1)
      )
    case .offset:
      guard let moment else { return zoneDifference(of: content, at: present, minus: minus) }
      let span = TimeSpan(from: present, to: moment)
      return Words(
        text: (moment < present ? minus : "+") + span.amount,
        nextChange: Self.date(present + span.nextChange)
      )
    }
  }

  // MARK: - Zones

  private struct Zone {
    var offset: Int
    /// The text that follows a time in it.
    var suffix = ""
  }

  private func zone(of content: DateContent, at seconds: Int) -> Zone {
    if let name = content.timeZone {
      guard let offset = ZoneDatabase.system.displacement(inZone: name, at: seconds) else {
        return Zone(offset: 0, suffix: " UTC")
      }
      return Zone(offset: offset)
    }
    return Zone(offset: content.offsetFromGMT ?? local(at: seconds))
  }

  private func local(at seconds: Int) -> Int {
    if let userOffset { return userOffset }
    guard let userZone else { return ZoneDatabase.system.localDisplacement(at: seconds) }
    return ZoneDatabase.system.displacement(inZone: userZone, at: seconds) ?? 0
  }

  /// Returns the difference between the clocks of a zone and the user's: `+8 h`, `−3 h 30 min`.
  private func zoneDifference(of content: DateContent, at present: Int, minus: String) -> Words {
    let difference = zone(of: content, at: present).offset - local(at: present)
    let minutes = abs(difference) / 60
    var text = (difference < 0 ? minus : "+") + "\(minutes / 60) h"
    if minutes % 60 > 0 { text += " \(minutes % 60) min" }
    // Offsets change only at quarter hours.
    let quarter = present - ((present % 900) + 900) % 900 + 900
    return Words(text: text, nextChange: content.timeZone == nil ? nil : Self.date(quarter))
  }

  // MARK: - Forms

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func time(_ seconds: Int, _ zone: Zone) -> String {
    let time = CivilTime(secondsSince1970: seconds + zone.offset)
    return "\(pad(time.hour)):\(pad(time.minute)):\(pad(time.second))\(zone.suffix)"
  }

  private func day(_ moment: Int?, _ present: Int, _ zone: Zone) -> Words {
    let local = (moment ?? present) + zone.offset
    let date = CivilTime(secondsSince1970: local).date
    let thisYear = CivilTime(secondsSince1970: present + zone.offset).date.year
    var text = "\(Self.weekdays[date.weekday]) \(date.day) \(Self.months[date.month - 1])"
    if date.year != thisYear { text += " \(date.year)" }
    let midnight = (date.daysSince1970 + 1) * 86_400 - zone.offset
    return Words(text: text + zone.suffix, nextChange: moment == nil ? Self.date(midnight) : nil)
  }

  /// `0:42`, `12:05`, `1:02:03`.
  private static func timer(_ seconds: Int) -> String {
    let rest = "\(pad(seconds % 60))"
    guard seconds >= 3600 else { return "\(seconds / 60):\(rest)" }
    return "\(seconds / 3600):\(pad(seconds / 60 % 60)):\(rest)"
  }

  // MARK: - Seconds

  /// Returns whole seconds since 1970, within the years that can be written.
  private static func seconds(_ date: Date) -> Int {
    let interval = date.timeIntervalSince1970.rounded(.down)
    guard interval.isFinite else { return 0 }
    return Int(min(max(interval, -62_135_596_800), 253_402_300_799))
  }

  private static func date(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }
}
