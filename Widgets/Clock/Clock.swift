import FoundationEssentials
import WidgetKitCore

/// The time in several zones, the sun, and a stopwatch; the host keeps the clocks up to date while the
/// process is suspended.
@main final class Clock: Widget {
  private static let lapRows = 5

  private var stopwatch = Stopwatch()
  private var trouble: String?

  init() {
    guard let data = FileManager.default.contents(atPath: statePath) else { return }
    if let stored = Stopwatch(data) {
      stopwatch = stored
    } else {
      extensionContext.log("\(statePath) is no stopwatch; it is reset", level: "error")
    }
  }

  var body: some View {
    ForEach(zones, id: \.self) { zone in
      if LocalTime.secondsFromGMT(in: zone) != nil {
        HStack(spacing: 2) {
          Text(.currentDate, style: .time, timeZone: zone).layoutPriority(2)
          Text(city(zone)).lineLimit(1)
          Spacer()
          if zone != zones.first {
            Text(.currentDate, style: .offset, timeZone: zone).dim().layoutPriority(1)
          }
        }
      } else {
        Text("No time zone is called \(zone)").foregroundStyle(.red)
      }
    }
    if showsSun { SunRow(place: place, zone: extensionContext.timeZone, now: extensionContext.now) }
    if extensionContext.configuration.flag("stopwatch") ?? false { stopwatchRows }
  }

  /// The body, which is evaluated again, has the new zones.
  func configurationDidChange() {}

  /// The body, which is evaluated again, has the times of the present day.
  func viewWillAppear() {}

  func viewDidAppear() {
    // The clocks and the stopwatch need no process; the sun has other times tomorrow.
    if showsSun { extensionContext.every(.seconds(600)) {} }
  }

  func perform(action: String, value: Bool?) {
    guard stopwatch.perform(action, at: extensionContext.now) else { return }
    do {
      try stopwatch.data?.write(to: URL(filePath: statePath), options: .atomic)
      trouble = nil
    } catch {
      trouble = "The stopwatch cannot be stored: its folder cannot be written"
    }
  }

  private var zones: [String] {
    let local = extensionContext.timeZone
    return [local] + (extensionContext.configuration.list("zones") ?? []).filter { $0 != local }
  }

  private func city(_ zone: String) -> String {
    (zone.split(separator: "/").last ?? "").split(separator: "_").joined(separator: " ")
  }

  // MARK: - The sun

  private var coordinates: String? {
    extensionContext.configuration.string("coordinates").flatMap { $0.isEmpty ? nil : $0 }
  }

  private var showsSun: Bool {
    extensionContext.configuration.flag("sun") ?? false || coordinates != nil
  }

  private var place: SunRow.Place {
    if let coordinates {
      return Coordinates(parsing: coordinates).map { .known($0) } ?? .unreadable(coordinates)
    }
    return ZoneTables.place(of: extensionContext.timeZone).map { .known($0) } ?? .unknown
  }

  // MARK: - The stopwatch

  private var statePath: String { extensionContext.containers.data + "/stopwatch.json" }

  @ViewBuilder private var stopwatchRows: Group {
    let now = extensionContext.now
    HStack(spacing: 2) {
      if stopwatch.isRunning {
        Text(stopwatch.origin(at: now), style: .timer).bold().layoutPriority(2)
      } else {
        Text(Stopwatch.words(stopwatch.elapsed(at: now))).layoutPriority(2)
      }
      Text("Stopwatch").foregroundStyle(.secondary).lineLimit(1).layoutPriority(-1)
      Spacer()
      if stopwatch.isRunning {
        if stopwatch.laps.count < Stopwatch.lapLimit { Button("Lap", action: "lap").id("lap") }
        Button("Stop", action: "stop").id("stop")
      } else {
        if stopwatch.hasRun { Button("Reset", action: "reset").id("reset") }
        Button("Start", action: "start").id("start")
      }
    }
    for lap in stopwatch.lastLaps(Self.lapRows) {
      HStack(spacing: 2) {
        Text(Stopwatch.words(lap.length)).layoutPriority(1)
        Text("Lap \(lap.number)").foregroundStyle(.secondary).lineLimit(1)
        Spacer()
        Text(Stopwatch.words(lap.end)).dim().layoutPriority(1)
      }
    }
    if let trouble { Text(trouble).foregroundStyle(.red) }
  }
}
