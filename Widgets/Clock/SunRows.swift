import FoundationEssentials
import WidgetKitCore

/// Sunrise and sunset of the day: in one line, or with the daylight and how it changes.
struct SunRows: View {
  /// Where the sun is looked for.
  enum Place: Hashable {
    /// At these coordinates.
    case known(Coordinates)
    /// Nowhere: the setting is not a place.
    case unreadable(String)
    /// Nowhere: the zone has no place.
    case unknown
  }

  /// The columns that sunrise, sunset and the length of the day take up.
  private static let wideColumns = 41
  /// The columns that they take up in short.
  private static let shortColumns = 29

  /// The place.
  let place: Place
  /// The user's zone.
  let zone: String
  /// The present time.
  let now: Date
  /// The columns of the card.
  let columns: Int
  /// Whether there is room for more than one line.
  var isExpanded = false

  var body: some View {
    switch place {
    case .unknown:
      Text("No place is known for \(zone); set coordinates").foregroundStyle(.orange)
    case .unreadable(let text):
      Text("“\(text)” is not a place; coordinates are such as 55.68, 12.57").foregroundStyle(.red)
    case .known(let coordinates):
      // Without a zone its own line tells that there is none.
      for times in [SunTimes(at: coordinates, zone: zone, now: now)].compactMap({ $0 }) {
        if isExpanded {
          Text(words(of: times)).lineLimit(1)
          daylightRow(times, at: coordinates)
        } else {
          row(times)
        }
      }
    }
  }

  private func row(_ times: SunTimes) -> HStack {
    HStack(spacing: 2) {
      Text(words(of: times)).lineLimit(1).layoutPriority(1)
      Spacer()
      if let length = times.length, columns >= Self.shortColumns {
        Text(ClockTime.duration(length)).dim().lineLimit(1)
      }
    }
  }

  @ViewBuilder private func daylightRow(_ times: SunTimes, at place: Coordinates) -> Group {
    if let length = times.length {
      HStack(spacing: 2) {
        Text("Daylight \(ClockTime.duration(length))").lineLimit(1).layoutPriority(1)
        Spacer()
        if let change = change(of: length, at: place) {
          Text(change).dim().lineLimit(1)
        }
      }
    }
  }

  /// How much longer the day is than the last one: `3 min shorter`.
  private func change(of length: Double, at place: Coordinates) -> String? {
    let before = SunTimes(at: place, zone: zone, now: now, daysLater: -1)?.length
    return before.map { before in
      let minutes = Int(((length - before) / 60).rounded())
      return minutes == 0
        ? "as yesterday" : "\(abs(minutes)) min \(minutes > 0 ? "longer" : "shorter")"
    }
  }

  private func words(of times: SunTimes) -> String {
    switch times {
    case .polarDay: "The sun does not set today"
    case .polarNight: "The sun does not rise today"
    case .day(let sunrise, let sunset): words(sunrise, sunset)
    }
  }

  private func words(_ sunrise: Date?, _ sunset: Date?) -> String {
    let times = [sunrise, sunset].map { $0.flatMap { ClockTime.words($0, in: zone) } }
    if columns < Self.wideColumns, !isExpanded, let sunrise = times[0], let sunset = times[1] {
      return "Sun \(sunrise)–\(sunset)"
    }
    return zip(["Sunrise", "Sunset"], times).compactMap { name, time in
      time.map { "\(name) \($0)" }
    }
    .joined(separator: "  ")
  }
}
