import CalendarFormats
import FoundationEssentials
import WidgetKitCore

/// The entries of an agenda as rows, by the clocks of a zone.
struct AgendaRows {
  /// The entries, in order.
  let entries: [Occurrence]
  /// The present day.
  let today: CivilDate
  /// The present time.
  let now: Date
  /// The zone of the clocks.
  let zone: String

  /// The last day that is shown.
  let lastDay: CivilDate
  /// The colours of the calendars; none if there is one alone.
  var colors: CalendarColors?

  /// The entries that have not ended.
  var coming: [Occurrence] { entries.filter { !isOver($0) } }

  /// The same, of which one that comes several times a day is there once: the first that has not ended.
  var comingOnce: [Occurrence] {
    var seen: Set<String> = []
    return coming.filter { entry in
      let day = max(entry.firstDay, today).daysSince1970
      return seen.insert("\(day) \(entry.calendar) \(entry.summary)").inserted
    }
  }

  /// Whether an entry has ended.
  private func isOver(_ entry: Occurrence) -> Bool {
    guard let start = entry.start else { return false }
    // One without a length has ended when the next minute begins.
    return max(entry.end ?? start, start.addingTimeInterval(60)) <= now
  }

  /// Whether an entry has begun and not ended.
  func isRunning(_ entry: Occurrence) -> Bool {
    guard let start = entry.start, let end = entry.end else { return false }
    return start <= now && now < end
  }

  // MARK: - Rows

  /// The columns of the days in short form.
  func dayColumns(_ entries: some Sequence<Occurrence>) -> Int {
    entries.contains { isFar($0.firstDay) } ? 6 : 5
  }

  /// One line: the day, the time, and what.
  func shortRow(_ entry: Occurrence, dayColumns: Int) -> some View {
    HStack {
      Text(entry.firstDay > today ? shortDay(entry.firstDay) : "Today")
        .foregroundStyle(.secondary).frame(width: dayColumns)
      time(entry, words: startWords(entry)).frame(width: 7)
      mark(entry)
      Text(entry.summary).lineLimit(1)
      if !entry.details.place.isEmpty {
        Text(entry.details.place).foregroundStyle(.secondary).lineLimit(1).layoutPriority(-1)
      }
      if entry.firstDay <= today { join(entry) }
    }
    .privacySensitive()
  }

  /// The day as a heading.
  func heading(_ day: CivilDate) -> some View {
    let words = "\(day.weekday.shortName) \(day.day) \(day.monthName.prefix(3))"
    let distance = day.daysSince1970 - today.daysSince1970
    let name = distance == 0 ? "Today" : distance == 1 ? "Tomorrow" : nil
    return HStack {
      if let name { Text(name).bold().foregroundStyle(distance == 0 ? .accent : .label) }
      if name == nil { Text(words).bold() } else { Text(words).foregroundStyle(.secondary) }
    }
  }

  /// The columns of the times of entries below their days.
  func timeColumns(_ days: [Day]) -> Int {
    days.flatMap { day in day.entries.map { spanWords($0, on: day.date).count } }.max() ?? 0
  }

  /// An entry below the heading of one of its days: from when to when, and what.
  ///
  /// The first time its title has three lines, afterwards one.
  @ViewBuilder func longRow(
    _ entry: Occurrence,
    on day: CivilDate,
    timeColumns: Int,
    times: Int = 1,
    isFirst: Bool = true
  ) -> Group {
    let lines = isFirst ? 3 : 1
    HStack {
      time(entry, words: spanWords(entry, on: day), isNow: day == today).frame(width: timeColumns)
      mark(entry)
      let words = times > 1 ? "\(entry.summary)  ×\(times)" : entry.summary
      isOver(entry) ? Text(words).dim().lineLimit(lines) : Group { Text(words).lineLimit(lines) }
      if !isOver(entry) { join(entry) }
    }
    .privacySensitive()
    if day == max(entry.firstDay, today), !isOver(entry) { details(entry, on: day, timeColumns) }
  }

  /// Where an entry is, and for those of the present day what it is about, below it.
  @ViewBuilder private func details(
    _ entry: Occurrence,
    on day: CivilDate,
    _ timeColumns: Int
  ) -> Group {
    let notes = day == today ? entry.details.notes : ""
    for (words, lines) in [(entry.details.place, 1), (notes, 2)] where !words.isEmpty {
      HStack {
        Text("").frame(width: timeColumns)
        if colors != nil { Text(" ") }
        Text(words).foregroundStyle(.secondary).lineLimit(lines)
      }
      .privacySensitive()
    }
  }

  /// The colour of the calendar of an entry.
  @ViewBuilder private func mark(_ entry: Occurrence) -> Group {
    if let colors {
      Text("●").foregroundStyle(colors[entry.calendar])
        .accessibilityLabel(colors.name(entry.calendar))
    }
  }

  /// What joins the meeting of an entry.
  @ViewBuilder private func join(_ entry: Occurrence) -> Group {
    if let meeting = entry.details.meeting {
      Spacer()
      Link("Join", destination: meeting).foregroundStyle(.accent).layoutPriority(1)
    }
  }

  private func time(_ entry: Occurrence, words: String, isNow: Bool = true) -> Group {
    guard isNow, isRunning(entry) else {
      return Text(words).foregroundStyle(.secondary).lineLimit(1)
    }
    return Text(words).foregroundStyle(.green).bold().lineLimit(1)
      .accessibilityLabel("\(words), now")
  }

  /// The day in short form: `Mo 23` within a week, where its name says which one it is, else `23 Dec`.
  private func shortDay(_ day: CivilDate) -> String {
    let number = "\(day.day < 10 ? " " : "")\(day.day)"
    return isFar(day)
      ? "\(number) \(day.monthName.prefix(3))" : "\(day.weekday.shortName) \(number)"
  }

  /// Whether the name of a day does not say which one it is.
  private func isFar(_ day: CivilDate) -> Bool { day.daysSince1970 - today.daysSince1970 >= 7 }

  // MARK: - Times

  /// When it begins: ` 9:30`, `all day`.
  func startWords(_ entry: Occurrence) -> String {
    guard let start = entry.start else { return "all day" }
    return isRunning(entry) ? "now" : clock(start) ?? "?"
  }

  /// From when to when on a day: ` 9:30–10:00`; of an entry of several days `from 22:00`, `all day`, `until 11:00`.
  func spanWords(_ entry: Occurrence, on day: CivilDate) -> String {
    guard let start = entry.start else { return "all day" }
    let end = entry.end.flatMap { $0 > start ? $0 : nil }
    let first = clock(start) ?? "?"
    let last = (end.flatMap(clock) ?? "?").drop { $0 == " " }
    // What ends at midnight ends on the day before.
    let isWhole = last == "0:00"
    switch (entry.firstDay < day, entry.lastDay > day) {
    case (true, true): return "all day"
    case (true, false): return isWhole ? "all day" : "until \(last)"
    case (false, true):
      // A night ends in the next morning.
      let isNight =
        entry.lastDay.daysSince1970 - day.daysSince1970 == 1
        && (end.map { $0.timeIntervalSince(start) < 86_400 } ?? false)
      if isNight { return "\(first)–\(last)" }
      return first == " 0:00" ? "all day" : "from \(first.drop { $0 == " " })"
    case (false, false): return end == nil ? first : "\(first)–\(last)"
    }
  }

  private func clock(_ date: Date) -> String? {
    LocalTime(date, in: zone).map { local in
      (local.hour < 10 ? " " : "") + "\(local.hour):" + (local.minute < 10 ? "0" : "")
        + "\(local.minute)"
    }
  }
}
