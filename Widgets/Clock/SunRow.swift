import FoundationEssentials
import WidgetKitCore

/// Sunrise and sunset of the day, in one line.
struct SunRow: View {
  /// Where the sun is looked for.
  enum Place: Hashable {
    /// At these coordinates.
    case known(Coordinates)
    /// Nowhere: the setting is no place.
    case unreadable(String)
    /// Nowhere: the zone has no place.
    case unknown
  }

  /// The place.
  let place: Place
  /// The user's zone.
  let zone: String
  /// The present time.
  let now: Date

  var body: some View {
    switch place {
    case .unknown:
      Text("No place is known for \(zone); set coordinates").foregroundStyle(.orange)
    case .unreadable(let text):
      Text("“\(text)” is no place; coordinates are such as 55.68, 12.57").foregroundStyle(.red)
    case .known(let coordinates):
      HStack(spacing: 2) {
        for times in [times(at: coordinates)].compactMap({ $0 }) {
          Text(words(of: times)).lineLimit(1)
          Spacer()
          if let length = times.length {
            Text(Self.duration(length)).dim().layoutPriority(-1).lineLimit(1)
          }
        }
      }
    }
  }

  /// The times of the present day; nil if there is no such zone, which its own line tells.
  private func times(at coordinates: Coordinates) -> SunTimes? {
    guard let local = LocalTime(now, in: zone),
      let day = CivilDate(local.year, local.month, local.day),
      let offset = LocalTime.secondsFromGMT(in: zone, at: now)
    else { return nil }
    return SunTimes(on: day, at: coordinates, secondsFromGMT: offset)
  }

  private func words(of times: SunTimes) -> String {
    switch times {
    case .polarDay: "The sun does not set today"
    case .polarNight: "The sun does not rise today"
    case .day(let sunrise, let sunset):
      [("Sunrise", sunrise), ("Sunset", sunset)].compactMap { name, date in
        date.flatMap(clock).map { "\(name) \($0)" }
      }
      .joined(separator: "  ")
    }
  }

  /// The time of day to the nearest minute.
  private func clock(_ date: Date) -> String? {
    guard let local = LocalTime(date.addingTimeInterval(30), in: zone) else { return nil }
    return "\(Self.padded(local.hour)):\(Self.padded(local.minute))"
  }

  private static func duration(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    return "\(minutes / 60) h \(Self.padded(minutes % 60)) min"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
