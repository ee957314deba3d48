import FoundationEssentials
import WidgetKitCore

/// The time in several zones, the sun, and a stopwatch; the host keeps the clocks up to date while the
/// process is suspended.
///
/// The compact form has the time here, what the user asked for besides, and as many zones as there is room
/// for; the expanded one has all of them with day and daylight, and all laps.
@main final class Clock: Widget {
  /// The height of a compact card that has an expanded form.
  private static let compactRows = 4

  private var stopwatch = Stopwatch()
  private var trouble: String?
  /// The principal places of zones, which are looked for once.
  private var places: [String: Coordinates?] = [:]
  /// Whether the card is alone on the screen, and has room for a large figure.
  private var isLarge = false
  private var isVisible = false
  /// What draws the large figure again.
  private var minutes: Task<Void, Never>?

  init() {
    defer { offerMore() }
    guard let data = FileManager.default.contents(atPath: statePath) else { return }
    if let stored = Stopwatch(data) {
      stopwatch = stored
    } else {
      extensionContext.log("\(statePath) is not a stopwatch; it is reset", level: "error")
    }
  }

  var body: some View {
    if extensionContext.activeDisplayMode == .expanded { expandedRows } else { compactRows }
  }

  func configurationDidChange() { offerMore() }

  /// The body, which is evaluated again, has the times of the present day.
  func viewWillAppear() {}

  func widgetActiveDisplayModeDidChange(_ mode: DisplayMode, maximumSize: Size) {
    isLarge = LargeTime.fits(mode, rows: maximumSize.rows)
    followMinutes()
  }

  /// Draws the large figure with each minute, while there is one on the screen; the host draws the other clocks.
  private func followMinutes() {
    minutes?.cancel()
    minutes = nil
    guard isLarge, isVisible else { return }
    minutes = Task {
      // A minute begins anywhere in one of these seconds; the view is sent where it differs.
      while (try? await Task.sleep(for: .seconds(1))) != nil { extensionContext.setNeedsDisplay() }
    }
  }

  func viewWillDisappear() {
    isVisible = false
    followMinutes()
  }

  func viewDidAppear() {
    isVisible = true
    followMinutes()
    // The clocks and the stopwatch need no process; the sun rises and sets.
    if showsSun || hasMore { extensionContext.every(.seconds(60)) {} }
  }

  func perform(action: String, value: Bool?) {
    guard stopwatch.perform(action, at: extensionContext.now) else { return }
    defer { offerMore() }
    do {
      try stopwatch.data?.write(to: URL(filePath: statePath), options: .atomic)
      trouble = nil
    } catch {
      trouble = "The stopwatch cannot be stored: its folder cannot be written"
    }
  }

  // MARK: - The forms

  /// Whether More shows anything that a compact card of this height has no room for.
  private var hasMore: Bool {
    let laps = showsStopwatch ? stopwatch.laps.count : 0
    return zones.count + (showsSun ? 1 : 0) + (showsStopwatch ? 1 : 0) + laps >= 3
  }

  private func offerMore() {
    extensionContext.largestAvailableDisplayMode = hasMore ? .expanded : .compact
  }

  @ViewBuilder private var compactRows: Group {
    let others = (showsSun ? 1 : 0) + (showsStopwatch ? 1 : 0) + (trouble == nil ? 0 : 1)
    let columns = extensionContext.size.columns
    let rows = max(1, Self.compactRows - others)
    let perRow = knowsAllZones ? ZoneColumns.count(of: zones.count, in: columns, rows: rows) : 0
    let isOneRow = perRow == zones.count
    let shown = hasMore && perRow == 0 ? zones.prefix(rows) : zones[...]
    let height = perRow == 0 ? shown.count : isOneRow ? min(3, rows) : 4
    if perRow > 0 {
      for start in stride(from: 0, to: zones.count, by: perRow) {
        ZoneColumns(
          zones: zones[start..<min(start + perRow, zones.count)].map { described($0) },
          perRow: perRow,
          columns: columns,
          hasDays: isOneRow && height > 2,
          here: extensionContext.timeZone
        )
      }
    } else {
      for zone in shown { compactRow(zone) }
    }
    if showsSun { sunRows(isExpanded: false) }
    if showsStopwatch { stopwatchRows(laps: max(0, Self.compactRows - others - height)) }
    troubleRow
  }

  @ViewBuilder private var expandedRows: Group {
    let known = zones.filter { LocalTime.secondsFromGMT(in: $0) != nil }
    if isLarge {
      LargeTime(now: extensionContext.now, zone: extensionContext.timeZone)
      Divider()
    }
    ZoneRows(
      zones: known.map { described($0) },
      columns: extensionContext.size.columns
    )
    for zone in zones where !known.contains(zone) { unknown(zone) }
    if showsSun || sunPlace.isKnown {
      Divider()
      sunRows(isExpanded: true)
    }
    if showsStopwatch {
      Divider()
      stopwatchRows(laps: Stopwatch.lapLimit)
    }
    troubleRow
  }

  @ViewBuilder private var troubleRow: Group {
    if let trouble { Text(trouble).foregroundStyle(.red) }
  }

  // MARK: - Zones

  private var zones: [String] {
    let local = extensionContext.timeZone
    var seen: Set<String> = [local]
    let others = extensionContext.configuration.list("zones") ?? []
    return [local] + others.filter { seen.insert($0).inserted }
  }

  private var knowsAllZones: Bool {
    zones.allSatisfy { LocalTime.secondsFromGMT(in: $0) != nil }
  }

  /// A zone with its present day and its daylight.
  private func described(_ zone: String) -> ZoneRows.Zone {
    let now = extensionContext.now
    let daylight = place(of: zone).flatMap { Daylight(at: $0, zone: zone, now: now) }
    return ZoneRows.Zone(name: zone, day: ClockTime.day(now, in: zone) ?? "", daylight: daylight)
  }

  @ViewBuilder private func compactRow(_ zone: String) -> Group {
    if LocalTime.secondsFromGMT(in: zone) != nil {
      HStack(spacing: 2) {
        Text(.currentDate, style: .time, timeZone: zone).layoutPriority(2)
        Text(ZoneRows.Zone.city(zone)).lineLimit(1)
        Spacer()
        if zone != zones.first {
          Text(.currentDate, style: .offset, timeZone: zone).dim().layoutPriority(1)
        }
      }
    } else {
      unknown(zone)
    }
  }

  private func unknown(_ zone: String) -> Group {
    Text("No time zone is called \(zone)").foregroundStyle(.red)
  }

  // MARK: - The sun

  private var coordinates: String? {
    extensionContext.configuration.string("coordinates").flatMap { $0.isEmpty ? nil : $0 }
  }

  private var showsSun: Bool {
    extensionContext.configuration.flag("sun") ?? false || coordinates != nil
  }

  private var sunPlace: SunRows.Place {
    if let coordinates {
      return Coordinates(parsing: coordinates).map { .known($0) } ?? .unreadable(coordinates)
    }
    return place(of: extensionContext.timeZone).map { .known($0) } ?? .unknown
  }

  private func place(of zone: String) -> Coordinates? {
    if let known = places[zone] { return known }
    let place = ZoneTables.place(of: zone)
    places[zone] = .some(place)
    return place
  }

  private func sunRows(isExpanded: Bool) -> SunRows {
    SunRows(
      place: sunPlace,
      zone: extensionContext.timeZone,
      now: extensionContext.now,
      columns: extensionContext.size.columns,
      isExpanded: isExpanded
    )
  }

  // MARK: - The stopwatch

  private var statePath: String { extensionContext.containers.data + "/stopwatch.json" }

  private var showsStopwatch: Bool { extensionContext.configuration.flag("stopwatch") ?? false }

  private func stopwatchRows(laps: Int) -> StopwatchRows {
    StopwatchRows(
      stopwatch: stopwatch,
      now: extensionContext.now,
      laps: laps,
      marksBest: extensionContext.activeDisplayMode == .expanded
    )
  }
}

extension SunRows.Place {
  /// Whether there is a place.
  var isKnown: Bool { if case .known = self { true } else { false } }
}
