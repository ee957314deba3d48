import FoundationEssentials
import WidgetKitCore

/// The present month and the next entries, from calendar files.
@main final class CalendarWidget: Widget {
  private static let daysAhead = 60
  private static let entryLimit = 6
  private static let troubleLimit = 3

  private var folder = CalendarFolder(paths: [], isOptional: true)
  /// The calendar of a server, if one is set.
  private var remote: RemoteCalendar?
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
    remote = configuredRemote
    refresh()
  }

  private var configuredRemote: RemoteCalendar? {
    let configuration = extensionContext.configuration
    return RemoteCalendar(
      url: configuration.string("url"),
      kind: configuration.string("urlType"),
      user: configuration.string("username"),
      password: configuration.string("password"),
      cache: extensionContext.containers.cache
    )
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
    remote = configuredRemote
    // The day is new to the other folder, so that its entries are looked for.
    today = nil
    refresh()
    guard remote != nil else { return }
    Task {
      await askServer()
      extensionContext.setNeedsDisplay()
    }
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

  func widgetPerformUpdate(reason: UpdateReason) async -> UpdateResult {
    await askServer()
    refresh()
    defer { isDirty = false }
    return isDirty ? .newData : .noData
  }

  /// Gets the calendar of the server.
  private func askServer() async {
    guard var asked = remote else { return }
    let isChanged = await asked.refresh(now: extensionContext.now)
    // Meanwhile the settings may have named another server.
    guard let remote, remote.isSame(as: asked) else { return }
    self.remote = asked
    guard isChanged else { return }
    today = nil
    refresh()
  }

  /// The calendars that could be read, with their names.
  private var sources: [(name: String, file: CalendarFile)] {
    var sources = folder.files
    if let remote, let file = remote.file { sources.append((name: remote.name, file: file)) }
    return sources
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
      of: sources.map(\.file),
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
      let isEmpty = sources.allSatisfy { $0.file.events.isEmpty }
      Text(isEmpty ? "No entries" : "Nothing today").foregroundStyle(.secondary)
    }
    if remote == nil, folder.isEmpty && folder.troubles.isEmpty {
      Text(".ics files go to \(tilde(folder.paths[0]))").foregroundStyle(.tertiary)
    }
    for entry in entries.prefix(Self.entryLimit) {
      EntryRow(entry: entry, today: today, time: time(of: entry))
    }
    if let remote { serverRows(remote) }
    for trouble in (folder.troubles + cuts).prefix(Self.troubleLimit) {
      Text(trouble).foregroundStyle(.red)
    }
  }

  @ViewBuilder private func serverRows(_ remote: RemoteCalendar) -> Group {
    if let trouble = remote.trouble {
      Text("\(remote.name): \(trouble)").foregroundStyle(remote.file == nil ? .red : .orange)
      if remote.file != nil, let date = remote.date {
        HStack {
          Text("Last read").foregroundStyle(.secondary)
          Text(date, style: .relative).foregroundStyle(.secondary)
        }
      }
    } else if let trouble = remote.file?.trouble {
      Text("\(remote.name): \(trouble)").foregroundStyle(.red)
    } else if remote.file == nil {
      Text("Waiting for \(remote.name)").foregroundStyle(.secondary)
    }
  }

  /// The files not all of whose occurrences were computed.
  private var cuts: [String] {
    zip(sources, agenda.cuts).compactMap { file, summary in
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
