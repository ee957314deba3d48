import CalendarFormats
import FoundationEssentials
import WidgetKitCore

/// The present month and the next entries, from calendar files: today's agenda, or with the month all entries
/// of the next weeks.
@main final class CalendarWidget: Widget {
  /// The weeks ahead that are shown unless the settings say so.
  private static let usualWeeks = 8.0
  /// The entries of the compact form, whose first row is the day.
  private static let compactLimit = 3
  private static let expandedLimit = 40
  private static let troubleLimit = 3
  /// The same in the expanded card.
  private static let expandedTroubleLimit = 20
  /// From this width on, the agenda is beside the month.
  private static let wideColumns = 50
  /// From this number of entries on, there is room for the next month beside them.
  private static let longAgenda = 8

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
  private var reminders = EventReminders(minutes: 0, data: nil)
  /// Whether the content may differ from the last snapshot; true at the start.
  private var isDirty = true
  /// Reports changes of the files; nil where nothing can be watched.
  private var watch: FolderWatch?

  init() {
    folder = configuredFolder
    remote = configuredRemote
    reminders = configuredReminders
    extensionContext.largestAvailableDisplayMode = .expanded
    refresh()
    watch = FolderWatch { [weak self] in self?.filesDidChange() }
    watch?.follow(folder.watched)
  }

  /// Something has changed in the folders.
  private func filesDidChange() {
    let isChanged = refresh()
    // The folder may have been made, and links may lead elsewhere.
    watch?.follow(folder.watched)
    if isChanged { extensionContext.setNeedsDisplay() }
  }

  private var remindersPath: String { extensionContext.containers.data + "/reminded.json" }

  private var configuredReminders: EventReminders {
    EventReminders(
      minutes: extensionContext.configuration.number("remind"),
      data: FileManager.default.contents(atPath: remindersPath)
    )
  }

  /// Tells of what begins soon.
  private func remind() {
    let notices = reminders.due(
      agenda.occurrences,
      at: extensionContext.now,
      in: extensionContext.timeZone
    )
    guard !notices.isEmpty else { return }
    // Stored first: a notice that is lost is better than one that comes twice.
    try? reminders.data?.write(to: URL(filePath: remindersPath), options: .atomic)
    Task {
      for notice in notices {
        do {
          try await extensionContext.postNotice(notice)
        } catch {
          extensionContext.log("\(notice.title): \(error)", level: "error")
        }
      }
    }
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
    reminders = configuredReminders
    // The day is new to the other folder, so that its entries are looked for.
    today = nil
    refresh()
    watch?.follow(folder.watched)
    guard remote != nil else { return }
    Task {
      await askServer()
      extensionContext.setNeedsDisplay()
    }
  }

  var body: some View {
    if let today {
      if extensionContext.activeDisplayMode == .compact {
        compactRows(today)
      } else if extensionContext.size.columns >= Self.wideColumns {
        week(today)
        HStack(spacing: 1) {
          VStack {
            MonthView(month: today, today: today, firstWeekday: firstWeekday, busy: busyDays(today))
            if agenda.occurrences.count >= Self.longAgenda {
              Text("")
              let next = today.firstOfMonth.adding(days: today.daysInMonth)
              MonthView(month: next, today: today, firstWeekday: firstWeekday, busy: busyDays(next))
            }
          }
          .frame(width: MonthView.columns)
          VStack { expandedRows(today) }
        }
      } else {
        week(today)
        MonthView(month: today, today: today, firstWeekday: firstWeekday, busy: busyDays(today))
        expandedRows(today)
      }
    } else {
      Text("No time zone is called \(extensionContext.timeZone)").foregroundStyle(.red)
    }
  }

  func viewWillAppear() {
    refresh()
  }

  func viewDidAppear() {
    // Without a watch the files are looked at instead.
    extensionContext.every(.seconds(watch == nil ? 5 : 60)) {
      self.refresh()
      self.remind()
    }
    remind()
  }

  func widgetPerformUpdate(reason: UpdateReason) async -> UpdateOutcome {
    await askServer()
    refresh()
    remind()
    defer { isDirty = false }
    if let remote, let trouble = remote.trouble {
      // The files of this machine are shown whatever the server does.
      if isDirty { extensionContext.setNeedsDisplay() }
      // What has happened is first, as a heading has little room.
      return .failed("\(trouble) (\(remote.name))")
    }
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
  ///
  /// - Returns: Whether there is something else to show.
  @discardableResult
  private func refresh() -> Bool {
    let zone = extensionContext.timeZone
    let day = Agenda.day(of: extensionContext.now, in: zone)
    guard folder.refresh() || day != today || zone != self.zone else { return false }
    isDirty = true
    today = day
    self.zone = zone
    guard let day else { return true }
    agenda = Agenda(
      of: sources.map(\.file),
      from: day,
      through: day.adding(days: daysAhead),
      in: zone
    )
    return true
  }

  /// The days from the present one to the last one that is shown.
  private var daysAhead: Int {
    let weeks = extensionContext.configuration.number("weeks") ?? Self.usualWeeks
    return 7 * Int(weeks.isFinite ? min(max(weeks, 1), 52) : Self.usualWeeks)
  }

  private var firstWeekday: Weekday {
    switch extensionContext.configuration.string("weekStart") {
    case "monday": .monday
    case "saturday": .saturday
    case "sunday": .sunday
    default: .first(inLocale: extensionContext.locale)
    }
  }

  private func rows(_ today: CivilDate) -> AgendaRows {
    AgendaRows(
      entries: agenda.occurrences,
      today: today,
      now: extensionContext.now,
      zone: extensionContext.timeZone,
      lastDay: today.adding(days: daysAhead),
      colors: CalendarColors(names: sources.map(\.name))
    )
  }

  /// The next seven days side by side, if there is room for them.
  @ViewBuilder private func week(_ today: CivilDate) -> Group {
    let (rows, columns) = (rows(today), extensionContext.size.columns)
    if columns >= WeekView.wideColumns {
      WeekView(rows: rows, columns: columns)
      Divider()
    } else if columns >= WeekStrip.leastColumns, !rows.entries.isEmpty {
      WeekStrip(rows: rows, columns: columns)
      Divider()
    }
  }

  /// The days of a month and of its last week on which something begins or goes on, with the colour of the first of them.
  private func busyDays(_ month: CivilDate) -> [CivilDate: Color] {
    let first = month.firstOfMonth
    let last = first.adding(days: month.daysInMonth + 5)
    let colors = CalendarColors(names: sources.map(\.name))
    var days: [CivilDate: Color] = [:]
    for entry in agenda.occurrences where entry.firstDay <= last && entry.lastDay >= first {
      let start = max(entry.firstDay, first).daysSince1970
      let end = min(max(entry.lastDay, entry.firstDay), last).daysSince1970
      for day in start...end {
        let date = CivilDate(daysSince1970: day)
        if days[date] == nil { days[date] = colors?[entry.calendar] ?? .accent }
      }
    }
    return days
  }

  // MARK: - Rows

  @ViewBuilder private func compactRows(_ today: CivilDate) -> Group {
    let rows = rows(today)
    let all = rows.coming
    let coming = all.count > Self.compactLimit ? rows.comingOnce : all
    let hints = hints(isCompact: true)
    // What is wrong takes the place of one entry at most.
    let shown = coming.prefix(Self.compactLimit - min(1, hints.count))
    HStack {
      Text("\(today.weekday.name) \(today.day) \(today.monthName)").bold().lineLimit(1)
      Spacer()
      if coming.count > shown.count {
        Text("\(coming.count - shown.count) more").foregroundStyle(.secondary).lineLimit(1)
      }
    }
    let dayColumns = rows.dayColumns(shown)
    for entry in shown { rows.shortRow(entry, dayColumns: dayColumns) }
    if coming.isEmpty, hints.isEmpty {
      let weeks = daysAhead == 7 ? "week" : "\(daysAhead / 7) weeks"
      Text("Nothing in the next \(weeks)").foregroundStyle(.secondary)
    }
    for hint in hints.prefix(Self.compactLimit - shown.count) { hint }
  }

  @ViewBuilder private func expandedRows(_ today: CivilDate) -> Group {
    let rows = rows(today)
    let (days, count) = rows.days(limit: Self.expandedLimit)
    if days.first?.date != today {
      Text(nothingWords).foregroundStyle(.secondary)
    }
    let timeColumns = rows.timeColumns(days)
    let firstDays = AgendaRows.firstDays(days)
    for day in days {
      rows.heading(day.date)
      // In a long list what comes several times a day is there once.
      let entries = count > Self.expandedLimit ? day.grouped : day.entries.map { ($0, 1) }
      for (entry, times) in entries {
        rows.longRow(
          entry,
          on: day.date,
          timeColumns: timeColumns,
          times: times,
          isFirst: firstDays[AgendaRows.name(of: entry)] == day.date
        )
      }
    }
    if count > Self.expandedLimit {
      Text("The next \(Self.expandedLimit) of \(count)").foregroundStyle(.secondary)
    }
    if let colors = rows.colors { colors.legend }
    for hint in hints(isCompact: false) { hint }
  }

  /// What is said where nothing is on the present day: that there is nothing only if all could be read.
  private var nothingWords: String {
    let isComplete =
      folder.troubles.isEmpty && cuts.isEmpty
      && (remote.map { $0.file != nil && $0.file?.trouble == nil && $0.trouble == nil } ?? true)
    let isEmpty = sources.allSatisfy { $0.file.events.isEmpty }
    if isComplete { return isEmpty ? "No entries" : "Nothing today" }
    let isWaiting = remote.map { $0.file == nil && $0.trouble == nil } ?? false
    if isWaiting, folder.troubles.isEmpty {
      return isEmpty ? "No entries yet" : "Nothing yet today"
    }
    return isEmpty ? "No entry could be read" : "None of the entries that could be read is today"
  }

  /// What there is to say of the files and the server.
  private func hints(isCompact: Bool) -> [Group] {
    var hints: [Group] = []
    if remote == nil, folder.isEmpty && folder.troubles.isEmpty {
      hints.append(Text(".ics files go to \(tilde(folder.paths[0]))").foregroundStyle(.secondary))
    }
    if let remote { hints += serverRows(remote) }
    let troubles = folder.troubles + cuts
    let limit = isCompact ? Self.troubleLimit : Self.expandedTroubleLimit
    for trouble in troubles.prefix(limit) { hints.append(Text(trouble).foregroundStyle(.red)) }
    if troubles.count > limit, !isCompact {
      hints.append(Text("\(troubles.count - limit) more problems").foregroundStyle(.red))
    }
    guard isCompact else { return hints }
    let isServerWrong = remote.map { ($0.trouble ?? $0.file?.trouble) != nil } ?? false
    let count = troubles.count + (isServerWrong ? 1 : 0)
    if count > 1, !agenda.occurrences.isEmpty {
      hints = [Text("\(count) problems: More lists them").foregroundStyle(.red)]
    }
    // What is wrong is at the end of a sentence with a long path in it.
    return hints.map { $0.lineLimit(agenda.occurrences.isEmpty ? 2 : 1).truncationMode(.middle) }
  }

  private func serverRows(_ remote: RemoteCalendar) -> [Group] {
    if let trouble = remote.trouble {
      let color = remote.file == nil ? Color.red : .orange
      let words = Group { Text("\(remote.name): \(trouble)").foregroundStyle(color) }
      guard remote.file != nil, let date = remote.date else { return [words] }
      let age = Group {
        HStack {
          Text("Last read").foregroundStyle(.secondary)
          Text(date, style: .relative).foregroundStyle(.secondary)
        }
      }
      return [words, age]
    }
    if let trouble = remote.file?.trouble {
      return [Text("\(remote.name): \(trouble)").foregroundStyle(.red)]
    }
    guard remote.file == nil else { return [] }
    return [Text("Waiting for \(remote.name)").foregroundStyle(.secondary)]
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
}
