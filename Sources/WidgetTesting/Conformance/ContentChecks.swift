import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// A card that `setHasContent` removes from the page, and that comes back.
struct ContentChecks {
  private let run: ConformanceRun
  private let policy = SessionPolicy()

  init(_ run: ConformanceRun) {
    self.run = run
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    let title = "setHasContent(false): the card goes, and the process ends by itself"
    guard let harness = try? run.harness(), (try? await harness.appear(width: 36)) != nil else {
      return report.check("the widget starts with content", problem: "it does not become idle")
    }
    guard harness.card != nil else {
      report.skip(title, because: "the widget has hidden its card with setHasContent")
      return await run.end(harness)
    }
    let hadView = harness.view != nil
    report.check(title, problem: await hide(harness))
    await checkReturn(harness, hadView, &report)
    await run.end(harness)
  }

  private func hide(_ harness: WidgetHarness) async -> String? {
    let (ends, runs) = (harness.record.ends.count, harness.record.runs)
    let limit = policy.shutdown + policy.terminate + .seconds(1)
    harness.page.setHasContent(false)
    await harness.steps.passRealTime(upTo: limit) { harness.record.ends.count > ends }
    guard harness.card == nil else { return "the card is still there" }
    guard harness.record.ends.count > ends, let status = harness.record.ends.last else {
      return "the process still runs"
    }
    var isSignaled = harness.lastSignal != nil
    if case .signaled = status { isSignaled = true }
    if isSignaled {
      return "it did not exit within \(policy.shutdown.words) of shutdown; it was ended (\(status))"
    }
    harness.page.update(.user)
    do throws(HarnessFailure) {
      try await harness.advance(by: .seconds(60))
    } catch {
      return "\(error)"
    }
    return harness.record.runs == runs ? nil : "it was started again"
  }

  private func checkReturn(
    _ harness: WidgetHarness,
    _ hadView: Bool,
    _ report: inout TestReport
  ) async {
    let problem = await harness.survives { () throws(HarnessFailure) in
      harness.page.setHasContent(true)
      try await harness.appear(width: 36)
    }
    let isBack = !hadView || harness.view != nil || harness.card == nil
    report.check(
      "it starts again when its card comes back",
      problem: problem ?? (isBack ? nil : "there is no view")
    )
  }
}
