import FoundationEssentials
import WidgetKitCore

/// The present month and the next entries, from calendar files.
@main final class CalendarWidget: Widget {
  private static let daysAhead = 60
  private static let entryLimit = 6
  private static let troubleLimit = 3

  private var folder = CalendarFolder(paths: [], isOptional: true)
  private var today: CivilDate?
  /// The next entries, for the present day and zone.
  private var agenda = Agenda(
    of: [],
    from: CivilDate(daysSince1970: 0),
    through: CivilDate(daysSince1970: 0),
    in: "UTC"
  )
  private var zone = ""
  /// Whether the content may differ from the last snapshot; true at the start.
  private var isDirty = true

  init() {
    folder = configuredFolder
    refresh()
  }

  /// The folder of the settings, else those that every user has.
  private var configuredFolder: CalendarFolder {
    if let path = extensionContext.configuration.string("folder") {
      return CalendarFolder(paths: [path], isOptional: false)
    }
    let environment = ProcessInfo.processInfo.environment
    let data = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    return CalendarFolder(
      paths: [data + "/today/calendars", extensionContext.containers.data + "/calendars"],
      isOptional: true
    )
  }

  func configurationDidChange() {
    folder = configuredFolder
    // The day is new to the other folder, so that its entries are looked for.
    today = nil
    refresh()
  }

  var body: some View {
    if let today {
      if extensionContext.size.columns >= 58 {
        HStack(spacing: 2) {
          MonthView(today: today, firstWeekday: firstWeekday).frame(width: 20)
          VStack { agenda(from: today) }
        }
      } else {
        MonthView(today: today, firstWeekday: firstWeekday)
        agenda(from: today)
      }
    } else {
      Text("No time zone is called \(extensionContext.timeZone)").foregroundStyle(.red)
    }
  }

  func viewWillAppear() {
    refresh()
  }

  func viewDidAppear() {
    extensionContext.every(.seconds(60)) { self.refresh() }
  }

  func widgetPerformUpdate(reason: UpdateReason) -> UpdateResult {
    refresh()
    defer { isDirty = false }
    return isDirty ? .newData : .noData
  }

  /// Reads changed files and the date.
  private func refresh() {
    let zone = extensionContext.timeZone
    let day = Agenda.day(of: .now, in: zone)
    guard folder.refresh() || day != today || zone != self.zone else { return }
    isDirty = true
    today = day
    self.zone = zone
    guard let day else { return }
    agenda = Agenda(
      of: folder.files.map(\.file),
      from: day,
      through: day.adding(days: Self.daysAhead),
      in: zone
    )
  }

  private var firstWeekday: Weekday {
    switch extensionContext.configuration.string("weekStart") {
    case "monday": .monday
    case "saturday": .saturday
    case "sunday": .sunday
    default: .first(inLocale: extensionContext.locale)
    }
  }

  @ViewBuilder private func agenda(from today: CivilDate) -> Group {
    let entries = agenda.occurrences
    if entries.first.map({ $0.firstDay > today }) ?? true {
      Text(folder.isEmpty ? "No entries" : "Nothing today").foregroundStyle(.secondary)
    }
    if folder.isEmpty && folder.troubles.isEmpty {
      Text(".ics files go to \(tilde(folder.paths[0]))").foregroundStyle(.tertiary)
    }
    for entry in entries.prefix(Self.entryLimit) {
      EntryRow(entry: entry, today: today, time: time(of: entry))
    }
    for trouble in (folder.troubles + cuts).prefix(Self.troubleLimit) {
      Text(trouble).foregroundStyle(.red)
    }
  }

  /// The files not all of whose occurrences were computed.
  private var cuts: [String] {
    zip(folder.files, agenda.cuts).compactMap { file, summary in
      summary.map { "\(file.name): “\($0)” recurs too often; some of its dates are missing" }
    }
  }

  /// The path as a user would write it.
  private func tilde(_ path: String) -> String {
    guard let home = ProcessInfo.processInfo.environment["HOME"], home.count > 1,
      path.hasPrefix(home + "/")
    else { return path }
    return "~" + path.dropFirst(home.count)
  }

  private func time(of entry: Occurrence) -> String {
    guard let start = entry.start,
      let local = LocalTime(start, in: extensionContext.timeZone)
    else { return "all day" }
    return (local.hour < 10 ? " " : "") + "\(local.hour):"
      + (local.minute < 10 ? "0" : "") + "\(local.minute)"
  }
}
