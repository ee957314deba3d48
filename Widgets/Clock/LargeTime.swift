import FoundationEssentials
import WidgetKitCore

/// The time here as a large figure, with the day and the place beside it, for a clock that is alone on the screen.
struct LargeTime: View {
  /// The rows that an expanded card on a page may have; a screen is lower.
  private static let pageRows = 100
  private static let leastRows = 8

  /// The present time.
  let now: Date
  /// The zone of the user.
  let zone: String

  /// Whether there is one: while a card is alone on the screen, it is expanded, and has the rows of the screen.
  static func fits(_ mode: DisplayMode, rows: Int) -> Bool {
    mode == .expanded && (leastRows..<pageRows).contains(rows)
  }

  var body: some View {
    HStack(spacing: 3) {
      Text(words).bold().textSize(.large).layoutPriority(1)
      VStack(alignment: .leading) {
        Text(ClockTime.day(now, in: zone) ?? "").lineLimit(1)
        Text(ZoneRows.Zone.city(zone)).foregroundStyle(.secondary).lineLimit(1)
      }
    }
  }

  /// The hour and the minute; seconds are in the row of the zone.
  private var words: String {
    guard let local = LocalTime(now, in: zone) else { return "–" }
    return (local.hour < 10 ? "0" : "") + "\(local.hour):" + (local.minute < 10 ? "0" : "")
      + "\(local.minute)"
  }
}
