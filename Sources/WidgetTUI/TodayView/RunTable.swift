import FoundationEssentials
import WidgetExtensions
import WidgetKitCore

/// The runs of a widget as aligned lines of text, the oldest first.
nonisolated enum RunTable {
  private static let titles = [
    "start", "reason", "ms", "CPU ms", "in", "out", "faults", "updates", "end",
  ]
  /// The columns that are left out first where there is no room for all: faults, out, in, CPU ms and so on.
  private static let lessImportant = [6, 5, 4, 3, 7, 2, 1]
  private static let gap = "  "

  /// The runs as lines.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - width: The room for a line, in characters; what does not fit is left out by whole columns, so that no
  ///     number is cut.
  /// - Returns: The heading and a line for each run; nothing if there is none.
  static func rows(_ runs: [RunRecord], width: Int = .max) -> [SafeText] {
    guard !runs.isEmpty else { return [] }
    let cells = [titles] + runs.map(cells)
    let widths = titles.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let shown = columns(widths, in: width)
    return cells.map { row in
      let padded = shown.map { column in
        let space = String(repeating: " ", count: max(0, widths[column] - row[column].count))
        // Numbers are aligned to the right.
        return (2...6).contains(column) ? space + row[column] : row[column] + space
      }
      let line = padded.joined(separator: gap)
      return SafeText(String(line.reversed().drop { $0 == " " }.reversed())).onOneLine
    }
  }

  /// The columns of these widths that there is room for.
  private static func columns(_ widths: [Int], in width: Int) -> [Int] {
    var shown = Array(titles.indices)
    var rest = lessImportant[...]
    while let column = rest.popFirst() {
      let needed = shown.reduce(0) { $0 + widths[$1] } + gap.count * (shown.count - 1)
      guard needed > width else { return shown }
      shown.removeAll { $0 == column }
    }
    return shown
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
