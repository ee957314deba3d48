import FoundationEssentials
import WidgetKitCore

/// The times in several zones, with the day and the daylight of each.
struct ZoneRows: View {
  /// Below this width a zone takes two rows.
  static let wideColumns = 52

  /// One zone.
  struct Zone: Hashable {
    /// Its name in the tz database.
    var name: String
    /// The present day there: `Tue 24 Nov`.
    var day = ""
    /// What the sun does there today; nil if its place is not known.
    var daylight: Daylight?

    /// The city that it is named for.
    var city: String { Self.city(name) }

    static func city(_ name: String) -> String {
      (name.split(separator: "/").last ?? "").split(separator: "_").joined(separator: " ")
    }
  }

  /// The zones; the first is that of the user.
  let zones: [Zone]
  /// The columns of the card.
  let columns: Int

  var body: some View {
    if columns >= Self.wideColumns {
      Grid(columns: Self.gridColumns, columnSpacing: 2) {
        for zone in zones { wideRow(zone) }
      }
    } else {
      for zone in zones { narrowRows(zone) }
    }
  }

  private static let gridColumns = [
    GridColumn(priority: 2), GridColumn(), GridColumn(priority: 1), GridColumn(priority: 1),
    GridColumn(alignment: .trailing, priority: 1),
  ]

  private func wideRow(_ zone: Zone) -> some View {
    GridRow {
      time(zone)
      Text(zone.city).lineLimit(1)
      day(zone)
      daylight(zone)
      offset(zone)
    }
  }

  @ViewBuilder private func narrowRows(_ zone: Zone) -> Group {
    HStack(spacing: 2) {
      time(zone).layoutPriority(2)
      Text(zone.city).lineLimit(1)
      Spacer()
      offset(zone).layoutPriority(1)
    }
    HStack(spacing: 0) {
      // Below the city.
      Text("").frame(width: Self.timeColumns + 2)
      day(zone).layoutPriority(1)
      Spacer(minLength: 1)
      daylight(zone)
    }
  }

  /// The columns of `18:03:59`.
  private static let timeColumns = 8

  private func time(_ zone: Zone) -> Text { Text(.currentDate, style: .time, timeZone: zone.name) }

  private func day(_ zone: Zone) -> Group {
    // The words of the host for a day are too long for a column.
    Group { Text(zone.day).foregroundStyle(.secondary).lineLimit(1) }
  }

  private func daylight(_ zone: Zone) -> Group {
    guard let daylight = zone.daylight else { return Group { Text("") } }
    let mark = Text(daylight.isDay ? "☀ " : "☾ ").foregroundStyle(daylight.isDay ? .yellow : .blue)
    return Group {
      HStack(spacing: 0) {
        mark
        Text(daylight.hours).foregroundStyle(.secondary).lineLimit(1)
      }
      .accessibilityLabel("\(daylight.isDay ? "day" : "night"), sun \(daylight.hours)")
    }
  }

  private func offset(_ zone: Zone) -> Group {
    guard zone != zones.first else { return Group { Text("") } }
    return Text(.currentDate, style: .offset, timeZone: zone.name).dim().lineLimit(1)
  }
}

/// The daylight of one day at a place.
struct Daylight: Hashable {
  /// Whether the sun is up.
  var isDay: Bool
  /// From when to when it is, as the clocks there say: `08:05–15:47`.
  var hours: String

  /// The daylight in a zone at a time; nil if there is no such zone.
  init?(at place: Coordinates, zone: String, now: Date) {
    guard let times = SunTimes(at: place, zone: zone, now: now) else { return nil }
    switch times {
    case .polarDay: (isDay, hours) = (true, "all day")
    case .polarNight: (isDay, hours) = (false, "no sun")
    case .day(let sunrise, let sunset):
      isDay = (sunrise.map { now >= $0 } ?? true) && (sunset.map { now < $0 } ?? true)
      let words = [sunrise, sunset].map { $0.flatMap { ClockTime.words($0, in: zone) } ?? "" }
      hours = words.joined(separator: "–")
    }
  }
}

extension SunTimes {
  /// The times of the present day in a zone, or of one that is some days later; nil if there is no such zone.
  init?(at place: Coordinates, zone: String, now: Date, daysLater: Int = 0) {
    guard let local = LocalTime(now, in: zone),
      let day = CivilDate(local.year, local.month, local.day)?.adding(days: daysLater),
      let offset = LocalTime.secondsFromGMT(in: zone, at: now)
    else { return nil }
    self.init(on: day, at: place, secondsFromGMT: offset)
  }
}

/// Days and times of day as text.
enum ClockTime {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The day: `Tue 24 Nov`.
  static func day(_ date: Date, in zone: String) -> String? {
    guard let local = LocalTime(date, in: zone),
      let day = CivilDate(local.year, local.month, local.day)
    else { return nil }
    // 1 January 1970 was a Thursday.
    let weekday = ((day.daysSince1970 + 3) % 7 + 7) % 7
    return "\(weekdays[weekday]) \(day.day) \(months[day.month - 1])"
  }

  /// The time of day to the nearest minute: `08:05`.
  static func words(_ date: Date, in zone: String) -> String? {
    LocalTime(date.addingTimeInterval(30), in: zone).map {
      "\(padded($0.hour)):\(padded($0.minute))"
    }
  }

  /// Seconds as `7 h 48 min`.
  static func duration(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    return "\(minutes / 60) h \(padded(minutes % 60)) min"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
