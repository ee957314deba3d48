import WidgetKitCore

/// Zones side by side: the city, the time below it, and the day and the difference to the time here.
struct ZoneColumns: View {
  /// The columns of one zone at least.
  static let zoneColumns = 16
  /// In a narrower card they are below each other.
  private static let wideColumns = 44
  private static let spacing = 2

  /// The zones of one row.
  let zones: [ZoneRows.Zone]
  /// How many a row has, of which the last one may have fewer.
  let perRow: Int
  /// The columns of the card.
  let columns: Int
  /// Whether there is a row for days.
  let hasDays: Bool
  /// The zone of the user.
  let here: String

  /// How many zones stand side by side, so that all of them are in `rows` rows; none if they are better below each other.
  static func count(of zones: Int, in columns: Int, rows: Int) -> Int {
    let fitting = (columns + spacing) / (zoneColumns + spacing)
    guard zones > 1, columns >= wideColumns else { return 0 }
    if zones <= fitting { return rows >= 2 ? zones : 0 }
    return zones <= 2 * fitting && rows >= 4 ? (zones + 1) / 2 : 0
  }

  var body: some View {
    HStack(spacing: Self.spacing) {
      for zone in zones {
        VStack(alignment: .leading) {
          Text(zone.city).foregroundStyle(.secondary).lineLimit(1)
          time(zone)
          if hasDays { Text(zone.day).foregroundStyle(.secondary).lineLimit(1) }
        }
        .frame(width: width)
      }
    }
  }

  private var width: Int {
    max(0, (columns - Self.spacing * (perRow - 1)) / max(1, perRow))
  }

  private func time(_ zone: ZoneRows.Zone) -> some View {
    HStack {
      Text(.currentDate, style: .time, timeZone: zone.name).bold()
      if zone.name != here {
        Text(.currentDate, style: .offset, timeZone: zone.name).dim().lineLimit(1)
      }
    }
  }
}
