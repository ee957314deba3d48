import WidgetKitCore

/// A month in weeks, with one day of it marked.
struct MonthView: View {
  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The day that is marked.
  let today: CivilDate
  /// The first column.
  let firstWeekday: Weekday

  var body: some View {
    let grid = MonthGrid(of: today, firstWeekday: firstWeekday)
    VStack {
      Text("\(Self.names[today.month - 1]) \(today.year)").bold().accessibilityLabel(
        "\(Self.names[today.month - 1]) \(today.year), today is the day \(today.day)"
      )
      Grid(columns: grid.weekdays.map { _ in GridColumn(alignment: .trailing, width: 2) }) {
        GridRow {
          for weekday in grid.weekdays {
            Text(weekday.shortName).foregroundStyle(.secondary)
          }
        }
        for week in grid.weeks {
          GridRow {
            for day in week { cell(day) }
          }
        }
      }
    }
  }

  private func cell(_ day: CivilDate?) -> Group {
    guard let day else { return Group { Text("") } }
    let number = Text(day.day < 10 ? " \(day.day)" : "\(day.day)")
    guard day == today else { return Group { number } }
    // Told by the line above the grid, whose columns have no room for words.
    return Group { number.bold().reverse() }
  }
}

/// One line of the agenda: when, and what.
struct EntryRow: View {
  /// The entry.
  let entry: Occurrence
  /// The present day.
  let today: CivilDate
  /// Its time of day, as text.
  let time: String

  var body: some View {
    HStack {
      Text(entry.firstDay > today ? day : "Today").foregroundStyle(.secondary).frame(width: 5)
      Text(time).foregroundStyle(.secondary).lineLimit(1).frame(width: 7)
      Text(entry.summary).lineLimit(1)
    }
    .privacySensitive()
  }

  /// The day in short form: `Mo 23`.
  private var day: String {
    let date = entry.firstDay
    return "\(date.weekday.shortName) \(date.day < 10 ? " " : "")\(date.day)"
  }
}
