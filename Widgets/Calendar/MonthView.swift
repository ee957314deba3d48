import CalendarFormats
import WidgetKitCore

/// A month in weeks, with the present day and the days of entries marked.
struct MonthView: View {
  /// A day of the month.
  let month: CivilDate
  /// The present day, which is marked.
  let today: CivilDate
  /// The first column.
  let firstWeekday: Weekday
  /// The days on which there is something, with the colour of its calendar.
  var busy: [CivilDate: Color] = [:]

  /// The columns that it takes: of each day two for its number and one for its dot.
  static let columns = 21

  var body: some View {
    let grid = MonthGrid(of: month, firstWeekday: firstWeekday)
    let isPresent = month.year == today.year && month.month == today.month
    VStack {
      Text("\(month.monthName) \(month.year)").bold().accessibilityLabel(
        "\(month.monthName) \(month.year)" + (isPresent ? ", today is the day \(today.day)" : "")
      )
      Grid(columns: grid.weekdays.map { _ in GridColumn(width: 3) }, columnSpacing: 0) {
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
    let words = Text(day.day < 10 ? " \(day.day)" : "\(day.day)")
    let isOther = day.month != month.month
    let number = isOther ? words.foregroundStyle(.secondary) : words
    let color = busy[day]
    // Told by the line above the grid and by the agenda; the columns have no room for words.
    let entry = color == nil || isOther ? number : number.bold()
    let shown = day == today ? number.bold().reverse() : Group { entry }
    return Group {
      HStack(spacing: 0) {
        shown
        if let color { Text("•").foregroundStyle(color) }
      }
    }
  }
}

extension CivilDate {
  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The name of the month.
  var monthName: String { Self.monthNames[month - 1] }
}
