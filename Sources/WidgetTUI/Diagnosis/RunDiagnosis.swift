import FoundationEssentials
import WidgetExtensions
import WidgetKitCore

/// Looks at the last runs of widgets: which is the slowest, which the most expensive, which fail.
nonisolated struct RunDiagnosis {
  private let widgets: [(id: String, runs: [RunRecord])]

  /// The last runs that are looked at for failures.
  private static let recent = 5
  /// The share of a processor above which a widget is expensive.
  private static let muchWork = 0.05
  /// The milliseconds of an update above which a widget is slow.
  private static let longUpdate = 10_000
  /// Runs shorter than this together say nothing about what a widget costs.
  private static let leastMilliseconds = 10_000

  /// Takes the runs of each widget, oldest first.
  init(_ widgets: [(id: String, runs: [RunRecord])]) {
    self.widgets = widgets
  }

  /// What there is to say.
  var findings: [Finding] {
    guard widgets.contains(where: { !$0.runs.isEmpty }) else {
      return [Finding(.widgets, .ok, "no run of a widget has ended so far")]
    }
    return failing + [slowest, mostExpensive].compactMap(\.self)
  }

  private var failing: [Finding] {
    widgets.compactMap { id, runs in
      let recent = runs.suffix(Self.recent)
      let advice = "“today log \(id)” says why"
      let ends = recent.filter { $0.end.map(Self.isFailure) ?? false }
      if let end = ends.last?.end {
        return Finding(
          .widgets,
          ends.count == recent.count && recent.count > 1 ? .wrong : .warning,
          "\(id): \(ends.count) of the last \(recent.count) runs failed, the latest with “\(end)”",
          advice: advice
        )
      }
      let last = recent.last { $0.newData + $0.noData + $0.failed > 0 }
      guard let last, last.failed > 0, last.newData + last.noData == 0 else { return nil }
      return Finding(.widgets, .warning, "\(id): its last updates failed", advice: advice)
    }
  }

  /// Whether a run ended by itself with an error; the host ends widgets with signals when it quits.
  private static func isFailure(_ end: String) -> Bool {
    if end == "exit 0" || end == "unknown end" { return false }
    return !["SIGTERM", "SIGKILL", "SIGHUP", "SIGINT"].contains(end)
  }

  private var slowest: Finding? {
    let updates = widgets.compactMap { id, runs in
      runs.compactMap(\.longestUpdateMilliseconds).max().map { (id: id, milliseconds: $0) }
    }
    guard let slowest = updates.max(by: { $0.milliseconds < $1.milliseconds }) else { return nil }
    let isSlow = slowest.milliseconds >= Self.longUpdate
    let time =
      switch slowest.milliseconds {
      case ..<1: "less than 1 ms"
      // Less than a tenth of a second would be none at all.
      case ..<100: "\(slowest.milliseconds) ms"
      default: Duration.milliseconds(slowest.milliseconds).inSeconds
      }
    return Finding(
      .widgets,
      isSlow ? .warning : .ok,
      "the slowest is \(slowest.id): an update took \(time)",
      advice: isSlow ? "“today log \(slowest.id)” says when" : nil
    )
  }

  private var mostExpensive: Finding? {
    let costs = widgets.compactMap { id, runs -> (id: String, share: Double)? in
      let time = runs.reduce(0.0) { $0 + Double($1.milliseconds) }
      let work = runs.reduce(0.0) { $0 + Double($1.cpuMilliseconds) }
      guard time >= Double(Self.leastMilliseconds) else { return nil }
      return (id, work / time)
    }
    guard let most = costs.max(by: { $0.share < $1.share }) else { return nil }
    let isMuch = most.share >= Self.muchWork
    let tenths = Int(saturated: (most.share * 1000).rounded())
    return Finding(
      .widgets,
      isMuch ? .warning : .ok,
      "the most expensive is \(most.id): \(tenths / 10).\(tenths % 10) % of a processor while it runs",
      advice: isMuch ? "“today log \(most.id)” lists its runs" : nil
    )
  }
}
