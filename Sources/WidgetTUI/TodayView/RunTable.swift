import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// The runs of a widget as aligned lines of text, the oldest first.
nonisolated enum RunTable {
  /// The heading and a line for each run; nothing if there is none.
  static func rows(_ runs: [RunRecord]) -> [SafeText] {
    guard !runs.isEmpty else { return [] }
    let titles = ["start", "reason", "ms", "CPU ms", "in", "out", "faults", "updates", "end"]
    let cells = [titles] + runs.map(cells)
    let widths = titles.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      let padded = zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
        // Numbers stand to the right.
        return (2...6).contains(column) ? space + cell.0 : cell.0 + space
      }
      let line = padded.joined(separator: "  ")
      return SafeText(String(line.reversed().drop { $0 == " " }.reversed())).onOneLine
    }
  }

  private static func cells(_ run: RunRecord) -> [String] {
    [
      run.start.formatted(.iso8601), run.reason, "\(run.milliseconds)", "\(run.cpuMilliseconds)",
      bytes(run.bytesReceived), bytes(run.bytesSent), "\(run.faults)", run.results,
      run.end ?? "runs",
    ]
  }

  private static func bytes(_ count: Int) -> String {
    count < 10_000
      ? "\(count) B" : count < 10_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000) MB"
  }
}
