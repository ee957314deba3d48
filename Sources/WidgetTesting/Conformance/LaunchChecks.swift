import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The start of a widget, its updates and its view; then what its user does.
struct LaunchChecks {
  private let run: ConformanceRun
  private let policy = SessionPolicy()

  init(_ run: ConformanceRun) {
    self.run = run
  }

  /// The widths at which the view is looked at.
  private static let widths = [16, 20, 30, 40, 60, 80, 120, 200]

  /// Makes the checks.
  ///
  /// - Returns: Whether the widget starts, so that others can be made.
  func run(_ report: inout TestReport) async -> Bool {
    let harness: WidgetHarness
    do throws(HarnessFailure) {
      harness = try run.harness()
    } catch {
      report.check("the widget can be shown", problem: error.description)
      return false
    }
    var trouble: HarnessFailure?
    do throws(HarnessFailure) {
      try await harness.appear(width: 36, settles: false)
      try await harness.steps.wait(for: "the answer to initialize", within: policy.initialize) {
        harness.answer(to: InitializeRequest.method) != nil || !harness.record.ends.isEmpty
          || harness.record.messages.contains { $0.isFromWidget && $0.kind == nil }
      }
      try await harness.settle()
    } catch {
      trouble = error
    }
    let isUp = checkStart(harness, &report)
    var hasUpdated = true
    if isUp {
      let open = harness.record.unanswered
      if open.isEmpty || open.contains(WidgetPerformUpdateRequest.method) {
        hasUpdated = await checkUpdates(harness, trouble, &report)
      }
      let isAnswering = { hasUpdated && harness.record.unanswered.isEmpty }
      if isAnswering() { await checkView(harness, &report) }
      if isAnswering() { await InputChecks(harness).run(&report) }
      if isAnswering() { await LockChecks(harness).run(&report) }
      FlawChecks.run(harness, &report)
    }
    let isAnswering = hasUpdated && harness.record.unanswered.isEmpty
    report.check("every request has one answer, in time", problem: harness.record.answerProblem)
    await run.end(harness)
    // What ends during its first update has had no shutdown.
    if isUp, hasUpdated || harness.record.lost.isEmpty { checkEnd(harness, &report) }
    return isUp && isAnswering
  }

  private func checkStart(_ harness: WidgetHarness, _ report: inout TestReport) -> Bool {
    if harness.record.runs == 0 {
      let words = harness.card?.message?.string ?? "the process could not be started"
      report.check("initialize is answered within \(policy.initialize.words)", problem: words)
      return false
    }
    let isAnswered = InitializeCheck(
      record: harness.record,
      patience: harness.steps.patience,
      methods: ProtocolMethods.optional,
      noun: "the protocol"
    ).run(&report) { run.refuse($0) }
    guard isAnswered else { return false }
    check(WidgetMarginInsetsRequest.self, within: policy.widgetMarginInsets, harness, &report)
    check(ViewWillAppearRequest.self, within: policy.viewWillAppear, harness, &report)
    return true
  }

  private func check<Request: RequestMessage>(
    _ type: Request.Type,
    within limit: Duration,
    _ harness: WidgetHarness,
    _ report: inout TestReport
  ) {
    let title = "\(Request.method) is answered within \(limit.words)"
    guard harness.implements.contains(Request.method) else {
      return report.skip(title, because: "not implemented")
    }
    report.check(title, problem: harness.problem(with: type, within: limit))
  }

  // MARK: - Updates

  /// Checks two updates.
  ///
  /// - Returns: Whether the first one was answered, so that other checks can be made.
  private func checkUpdates(
    _ harness: WidgetHarness,
    _ trouble: HarnessFailure?,
    _ report: inout TestReport
  ) async -> Bool {
    let title = "widgetPerformUpdate is answered"
    guard harness.implements.contains(WidgetPerformUpdateRequest.method) else {
      report.skip(title, because: "not implemented: there is no background refresh")
      return true
    }
    let problem = harness.problem(
      with: WidgetPerformUpdateRequest.self,
      within: policy.widgetPerformUpdate
    )
    report.check(title, problem: problem ?? trouble?.description)
    guard problem == nil else {
      return harness.answer(to: WidgetPerformUpdateRequest.method) != nil
    }
    let error = harness.updates.first { $0.result == .failed }.map { $0.error ?? "" }
    report.check(
      "a failed update has an error text",
      problem: error == "" ? "error is missing" : nil
    )
    if let update = harness.updates.last {
      let why = update.error.map { "; \($0)" } ?? ""
      report.remark("the first update: \(update.result.rawValue)\(why)")
    }
    let start = harness.messages.count
    var second = await harness.survives { () throws(HarnessFailure) in
      try await harness.update(.user)
    }
    second =
      second
      ?? harness.problem(
        with: WidgetPerformUpdateRequest.self,
        within: policy.widgetPerformUpdate,
        from: start
      )
    report.check("a second update is answered", problem: second)
    report.check(
      "the view is complete when an update is answered",
      problem: lateView(harness, from: start)
    )
    return true
  }

  /// A view that followed the answer to an update at once, and differs from the view in it.
  private func lateView(_ harness: WidgetHarness, from start: Int) -> String? {
    let messages = harness.messages.dropFirst(start).filter(\.isFromWidget)
    guard
      let index = messages.firstIndex(where: {
        $0.isAnswer && $0.method == WidgetPerformUpdateRequest.method
      }), let line = try? IncomingLine(messages[index].bytes[...]),
      let reply = try? line.decode(WidgetPerformUpdateRequest.Reply.self), reply.result == .newData
    else { return nil }
    let later = messages[messages.index(after: index)...].first {
      $0.method == SetViewNotification.method
    }
    guard let later, let line = try? IncomingLine(later.bytes[...]),
      let view = try? line.decode(SetViewNotification.self).view, view != reply.content.view
    else { return nil }
    return
      "another view came with setView just after the answer; make it before the update is answered"
  }

  // MARK: - The view

  /// A widget may push its first view by itself, without being asked for an update.
  private func waitForView(_ harness: WidgetHarness) async {
    let isFailed = harness.updates.last?.result == .failed
    guard harness.card != nil, harness.view == nil, !isFailed else { return }
    do throws(HarnessFailure) {
      try await harness.steps.wait(for: "a view", within: .seconds(1)) {
        harness.record.messages.contains { $0.method == SetViewNotification.method }
      }
      try await harness.settle()
    } catch {}
  }

  private func checkView(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "there is a view after the first update"
    await waitForView(harness)
    guard harness.card != nil else {
      return report.skip(title, because: "the widget has hidden its card with setHasContent")
    }
    if harness.view == nil, let last = harness.updates.last, last.result == .failed {
      return report.skip(title, because: "its updates have failed: \(last.error ?? "no reason")")
    }
    report.check(
      title,
      problem: harness.view == nil
        ? "no answer contained a view, and no setView arrived within 1 s" : nil
    )
    guard let view = harness.view else { return }
    for width in Self.widths {
      let rows = harness.rows(width: width)
      report.check(
        "the view is visible at \(width) columns",
        problem: rows.contains { !$0.isEmpty } || hasFigures(view)
          ? nil : "the view is empty in \(width) columns"
      )
    }
    let unknown = harness.log(of: "unknown node type")
    report.check(
      "views contain only elements of the protocol",
      problem: unknown.isEmpty ? nil : unknown.joined(separator: "\n")
    )
    for warning in harness.log(of: "late height") { report.remark("warning: \(warning)") }
  }

  /// Whether there is something that is not a text, such as a picture or a background.
  private func hasFigures(_ view: ViewNode) -> Bool {
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0))
    return ViewLayout.layOut(view, width: 40, height: nil, in: environment).runs.contains { run in
      run.cells.contains { $0.glyph != .space || $0.style.background != nil }
    }
  }

  // MARK: - The end

  private func checkEnd(_ harness: WidgetHarness, _ report: inout TestReport) {
    let status = harness.record.ends.last
    let title = "shutdown: the process exits within \(policy.shutdown.words)"
    if let signal = harness.lastSignal {
      return report.check(
        title,
        problem: "still running; it had to be ended with \(signal); exit on shutdown"
      )
    }
    guard let status, case .signaled = status else {
      report.check(title)
      report.check(
        "shutdown: it exits with code 0",
        problem: status == .exited(0) || status == nil
          ? nil : "\(status?.description ?? "")\(harness.lastWords)"
      )
      return
    }
    report.check(title, problem: "still running; it was ended (\(status))")
  }
}
