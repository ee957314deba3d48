import WidgetKitCore
import WidgetPages
import WidgetSessions

/// A widget that is not on the screen, is suspended, or gets no time.
struct RestChecks {
  private let run: ConformanceRun
  private let policy = SessionPolicy()

  init(_ run: ConformanceRun) {
    self.run = run
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    guard let harness = try? run.harness(), (try? await harness.appear(width: 36)) != nil else {
      return report.check("the widget starts without a state", problem: "it does not become idle")
    }
    let hadView = harness.view != nil
    let start = harness.messages.count
    let gone = await harness.survives { () throws(HarnessFailure) in try await harness.disappear() }
    let method = ViewWillDisappearRequest.method
    let title = "\(method) is answered within \(policy.viewWillDisappear.words)"
    if harness.implements.contains(method) {
      let problem = harness.problem(
        with: ViewWillDisappearRequest.self,
        within: policy.viewWillDisappear,
        from: start
      )
      report.check(title, problem: gone ?? problem)
    } else {
      report.skip(title, because: "not implemented")
    }
    let rested = await harness.survives { () throws(HarnessFailure) in
      try await harness.advance(by: policy.activityGrace + policy.lastMoments + .seconds(1))
    }
    report.check("the process can be suspended", problem: rested ?? suspension(harness))
    checkExpiry(harness, from: start, &report)
    let back = await harness.survives { () throws(HarnessFailure) in
      try await harness.appear(width: 36)
    }
    report.check("the view appears again", problem: back ?? absence(harness, hadView))
    if back == nil, harness.view != nil { await AppearanceChecks(harness).run(&report) }
    let hidden = await harness.survives { () throws(HarnessFailure) in
      try await harness.hidePage(true)
      try await harness.hidePage(false)
    }
    report.check("a page that is hidden and shown again is survived", problem: hidden)
    await checkSuspension(harness, hadView, &report)
    await checkDenial(harness, &report)
    await run.end(harness)
  }

  private func suspension(_ harness: WidgetHarness) -> String? {
    harness.isSuspended || !harness.page.hasProcess
      ? nil : "it still runs \(policy.activityGrace.words) after its view has disappeared"
  }

  /// A widget whose time is up has one more second to end what it has begun.
  private func checkExpiry(
    _ harness: WidgetHarness,
    from start: Int,
    _ report: inout TestReport
  ) {
    let title = "an expiring activity ends when its time is up"
    var (expired, open): ([Int], Set<Int>) = ([], [])
    for message in harness.messages.dropFirst(start) {
      guard let line = try? IncomingLine(message.bytes[...]) else { continue }
      switch message.method {
      case ExpiringActivityNotification.method where !message.isFromWidget:
        guard let told = try? line.decode(ExpiringActivityNotification.self) else { continue }
        expired.append(told.activity)
        open.insert(told.activity)
      case EndExpiringActivityNotification.method where message.isFromWidget:
        guard let ended = try? line.decode(EndExpiringActivityNotification.self) else { continue }
        open.remove(ended.activity)
      default: break
      }
    }
    guard !expired.isEmpty else {
      return report.skip(title, because: "none was open when the view had disappeared")
    }
    report.check(
      title,
      problem: open.isEmpty
        ? nil : "endExpiringActivity was not sent within \(policy.lastMoments.words)"
    )
  }

  private func absence(_ harness: WidgetHarness, _ hadView: Bool) -> String? {
    !hadView || harness.card == nil || harness.view != nil ? nil : "there is no view"
  }

  /// Makes the page suspend the widget, as on Ctrl-Z, and continue it.
  private func suspendAndResume(_ harness: WidgetHarness) async throws(HarnessFailure) {
    var isSuspended = false
    harness.center.suspend { isSuspended = true }
    await harness.steps.passRealTime(upTo: harness.steps.patience) { isSuspended }
    guard isSuspended else {
      throw HarnessFailure("the widget could not be suspended in \(harness.steps.patience.words)")
    }
    harness.center.resume()
    try await harness.settle()
  }

  private func checkSuspension(
    _ harness: WidgetHarness,
    _ hadView: Bool,
    _ report: inout TestReport
  ) async {
    let isUpdatable = harness.implements.contains(WidgetPerformUpdateRequest.method)
    let problem = await harness.survives { () throws(HarnessFailure) in
      if isUpdatable { harness.page.update(.user) }
      try await suspendAndResume(harness)
    }
    report.check(
      isUpdatable
        ? "a suspension during an update is survived" : "a suspension is survived",
      problem: problem ?? absence(harness, hadView)
    )
  }

  private func checkDenial(_ harness: WidgetHarness, _ report: inout TestReport) async {
    harness.denyActivities()
    let problem = await harness.survives { () throws(HarnessFailure) in
      try await harness.update(.user)
      try await harness.disappear()
      try await harness.advance(by: policy.activityGrace)
      try await harness.appear(width: 36)
    }
    report.check("it works where no expiring activity is granted", problem: problem)
  }
}
