import CalendarFormats
import WidgetKitCore

/// The next seven days side by side in two rows, with a dot for each of their entries.
///
/// ```
/// Fr 20   Sa 21   Su 22   Mo 23   Tu 24   We 25   Th 26
/// ●●              ●       ●●●●+           ●
/// ```
struct WeekStrip: View {
  /// The columns of the card from which on there is room.
  static let leastColumns = 41
  private static let days = 7
  private static let dotLimit = 3
  private static let entryLimit = 200

  /// The rows whose entries are shown.
  let rows: AgendaRows
  /// The columns of the card.
  let columns: Int

  var body: some View {
    let (days, _) = rows.days(limit: Self.entryLimit)
    HStack {
      for offset in 0..<Self.days {
        let date = rows.today.adding(days: offset)
        let entries = days.first { $0.date == date }?.grouped.map(\.entry) ?? []
        VStack(alignment: .leading) {
          heading(date)
          dots(entries)
        }
        .frame(width: (columns - Self.days + 1) / Self.days)
        .accessibilityLabel("\(date.weekday.name) \(date.day): \(Self.words(entries.count))")
      }
    }
  }

  private func heading(_ date: CivilDate) -> Text {
    let words = Text("\(date.weekday.shortName) \(date.day)")
    guard date != rows.today else { return words.bold().foregroundStyle(.accent) }
    return words.foregroundStyle(.secondary)
  }

  private func dots(_ entries: [Occurrence]) -> some View {
    HStack(spacing: 0) {
      for entry in entries.prefix(Self.dotLimit) {
        Text("●").foregroundStyle(rows.colors?[entry.calendar] ?? .accent)
      }
      if entries.count > Self.dotLimit { Text("+").foregroundStyle(.secondary) }
      if entries.isEmpty { Text("·").foregroundStyle(.separator) }
    }
  }

  private static func words(_ count: Int) -> String {
    count == 0 ? "no entries" : count == 1 ? "1 entry" : "\(count) entries"
  }
}
