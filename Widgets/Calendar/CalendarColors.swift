import WidgetKitCore

/// A colour for each of several calendars.
struct CalendarColors {
  /// Of more files each is an entry rather than a calendar, as in the folders of vdir.
  private static let fileLimit = 8
  private static let palette: [Color] = [
    .blue, .green, .orange, .purple, .pink, .teal, .yellow, .red,
  ]

  private let names: [String]

  /// Creates colours for the files of these names; nil if there are too few or too many to tell them apart by colours.
  init?(names: [String]) {
    guard (2...Self.fileLimit).contains(names.count) else { return nil }
    self.names = names
  }

  /// The colour of a calendar.
  subscript(calendar: Int) -> Color {
    Self.palette[max(0, calendar) % Self.palette.count]
  }

  /// The name of a calendar, without the ending of its file.
  func name(_ calendar: Int) -> String {
    guard names.indices.contains(calendar) else { return "" }
    let name = names[calendar]
    return CalendarFolder.isCalendar(name) ? String(name.dropLast(4)) : name
  }

  /// Which colour is which calendar, in one line or several.
  var legend: some View {
    let spans = names.indices.map { index in
      HStack {
        Text("●").foregroundStyle(self[index])
        Text(name(index)).foregroundStyle(.secondary).lineLimit(1)
      }
    }
    return HStack(spacing: 2) { for span in spans { span } }
  }
}
