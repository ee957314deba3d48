import FoundationEssentials
import WidgetKitCore

/// The stopwatch with its buttons, and its laps.
struct StopwatchRows: View {
  /// More laps are not shown.
  static let lapLimit = 40

  /// The stopwatch.
  let stopwatch: Stopwatch
  /// The present time.
  let now: Date
  /// How many laps are shown; the last ones.
  let laps: Int
  /// Whether the fastest and the slowest lap are marked.
  let marksBest: Bool

  var body: some View {
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
    for lap in stopwatch.lastLaps(min(laps, Self.lapLimit)) {
      HStack(spacing: 2) {
        Text(Stopwatch.words(lap.length)).layoutPriority(1)
        Text("Lap \(lap.number)").foregroundStyle(.secondary).lineLimit(1)
        if let mark = mark(lap.number) { Text(mark.words).foregroundStyle(mark.color).lineLimit(1) }
        Spacer()
        Text(Stopwatch.words(lap.end)).dim().layoutPriority(1)
      }
    }
    if laps > Self.lapLimit, stopwatch.laps.count > Self.lapLimit {
      Text("The last \(Self.lapLimit) of \(stopwatch.laps.count) laps").foregroundStyle(.secondary)
    }
  }

  private func mark(_ number: Int) -> (words: String, color: Color)? {
    guard marksBest, let best = stopwatch.extremes else { return nil }
    if number == best.fastest { return ("fastest", .green) }
    return number == best.slowest ? ("slowest", .orange) : nil
  }
}
