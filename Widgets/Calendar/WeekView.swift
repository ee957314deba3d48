import CalendarFormats
import WidgetKitCore

/// The next seven days side by side, each with the first of its entries.
struct WeekView: View {
  /// The columns of the card from which on there is room.
  static let wideColumns = 84
  private static let entryLimit = 4
  private static let spacing = 1

  /// The rows whose entries are shown.
  let rows: AgendaRows
  /// The columns of the card.
  let columns: Int

  var body: some View {
    let (days, _) = rows.days(limit: 200)
    HStack(spacing: Self.spacing) {
      for offset in 0..<7 {
        let date = rows.today.adding(days: offset)
        VStack(alignment: .leading) {
          column(date, days.first { $0.date == date }?.grouped.map(\.entry) ?? [])
        }
        .frame(width: (columns - 6 * Self.spacing) / 7)
      }
    }
  }

  @ViewBuilder private func column(_ date: CivilDate, _ entries: [Occurrence]) -> Group {
    let words = "\(date.weekday.shortName) \(date.day)"
    if date == rows.today {
      Text(words).bold().foregroundStyle(.accent)
    } else {
      Text(words).foregroundStyle(.secondary)
    }
    for entry in entries.prefix(Self.entryLimit) {
      let time = rows.startWords(entry).drop { $0 == " " }
      Text(entry.start == nil ? entry.summary : "\(time) \(entry.summary)").lineLimit(1)
        .privacySensitive()
    }
    if entries.count > Self.entryLimit {
      Text("\(entries.count - Self.entryLimit) more").foregroundStyle(.secondary)
    }
  }
}
