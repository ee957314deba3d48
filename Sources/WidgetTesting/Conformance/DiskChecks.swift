import WidgetKitCore
import WidgetSessions

/// A full disk: nothing can be written to any file, which is not a reason to crash.
struct DiskChecks {
  private let run: ConformanceRun
  private let policy = SessionPolicy()

  init(_ run: ConformanceRun) {
    self.run = run
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    guard let harness = try? run.harness({ $0.faults.insert(.fullDisk) }) else {
      return report.check("the widget can be shown again", problem: "there is no room for folders")
    }
    let isUpdatable: () -> Bool = {
      harness.implements.contains(WidgetPerformUpdateRequest.method)
    }
    let started = await harness.survives { () throws(HarnessFailure) in
      try await harness.appear(width: 36)
      if isUpdatable() { try await harness.update(.user) }
    }
    report.check(
      "it starts on a full disk, and answers updates",
      problem: started
        ?? harness.problem(with: InitializeRequest.self, within: policy.initialize)
        ?? (isUpdatable() ? updateProblem(harness) : nil)
    )
    if started == nil { await checkPresses(harness, &report) }
    await run.end(harness)
  }

  private func updateProblem(_ harness: WidgetHarness) -> String? {
    harness.problem(
      with: WidgetPerformUpdateRequest.self,
      within: policy.widgetPerformUpdate
    )
      ?? (harness.updates.contains { $0.result == .failed && ($0.error ?? "").isEmpty }
        ? "a failed update has no error text" : nil)
  }

  private func checkPresses(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "presses on a full disk are survived"
    var pressed: Set<String> = []
    let problem = await harness.survives { () throws(HarnessFailure) in
      for action in harness.targets.compactMap(\.action) where pressed.insert(action).inserted {
        guard harness.targets.contains(where: { $0.action == action }) else { continue }
        try await harness.press(action)
      }
    }
    guard !pressed.isEmpty else { return report.skip(title, because: "nothing can be pressed") }
    report.check(title, problem: problem)
  }
}
