import ExtensionContent
import WidgetKitCore
import WidgetRequests
import WidgetSessions

/// The start of an extension, and what it shows, or does, with the first content.
struct RequestStartChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample
  private let policy = SessionPolicy()

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks.
  ///
  /// - Returns: Whether the extension starts, so that others can be made.
  func run(_ report: inout TestReport) async -> Bool {
    let harness: RequestHarness
    do throws(HarnessFailure) {
      harness = try run.harness()
    } catch {
      report.check("the request can be begun", problem: error.description)
      return false
    }
    var trouble: HarnessFailure?
    do throws(HarnessFailure) {
      try await harness.begin(sample.content)
    } catch {
      trouble = error
    }
    let isUp = checkStart(harness, trouble, &report)
    if isUp {
      if run.target.hasView {
        checkAppearance(harness, &report)
      } else {
        checkResult(harness, trouble, &report)
      }
    }
    report.check("every request has one answer, in time", problem: harness.record.answerProblem)
    let isAnswering = harness.record.unanswered.isEmpty
    await run.end(harness)
    return isUp && isAnswering
  }

  private func checkStart(
    _ harness: RequestHarness,
    _ trouble: HarnessFailure?,
    _ report: inout TestReport
  ) -> Bool {
    guard harness.record.runs > 0 else {
      let words = harness.outcome?.description ?? trouble?.description
      report.check("the request can be begun", problem: words ?? "no process could be started")
      return false
    }
    report.check("the request can be begun")
    return InitializeCheck(
      record: harness.record,
      patience: harness.options.patience,
      methods: ProtocolMethods.ofRequests,
      noun: "requests"
    ).run(&report) { run.refuse($0) }
  }

  // MARK: - With a view

  private func checkAppearance(_ harness: RequestHarness, _ report: inout TestReport) {
    let limit = policy.viewWillAppear
    let title = "viewWillAppear is answered within \(limit.words)"
    if harness.implements.contains(ViewWillAppearRequest.method) {
      report.check(
        title,
        problem: harness.record.problem(
          with: ViewWillAppearRequest.self,
          within: limit,
          patience: harness.options.patience
        )
      )
    } else {
      report.skip(title, because: "not implemented")
    }
    let shows = harness.rows.contains { !$0.isEmpty } || harness.request?.compose != nil
    report.check(
      "there is a sheet or a view when it has appeared",
      problem: shows
        ? nil
        : harness.outcome.map { "it has ended: \($0)" }
          ?? "neither setCompose nor a view came; an action shows a view with setView"
    )
    report.check("it waits for its user", problem: harness.problem(from: 0))
    // An action begins with its view, which comes without an animation.
    guard run.target.shares else { return }
    run.earlyLoads = loadsBeforeSheet(harness)
    for load in run.earlyLoads {
      report.remark("a load before presentationAnimationDidFinish delays the sheet: \(load)")
    }
  }

  /// What was loaded before the sheet was up.
  private func loadsBeforeSheet(_ harness: RequestHarness) -> [String] {
    harness.messages.prefix { $0.method != PresentationAnimationDidFinishNotification.method }
      .filter { $0.isFromWidget && $0.method == LoadItemRequest.method }
      .compactMap { message in
        guard let line = try? IncomingLine(message.bytes[...]),
          let load = try? line.decode(LoadItemRequest.self)
        else { return nil }
        return "\(load.attachment) as \(load.type)"
      }
  }

  // MARK: - Without a view

  private func checkResult(
    _ harness: RequestHarness,
    _ trouble: HarnessFailure?,
    _ report: inout TestReport
  ) {
    report.check(
      "it completes the request, or cancels it with a reason",
      problem: trouble?.description ?? harness.problem(from: 0)
    )
    if case .failed(let reason) = harness.outcome { report.remark("cancelled: \(reason)") }
    let title = "an editor returns content in place of what it was given"
    guard run.target.role == .editor, !run.target.shares else {
      return report.skip(title, because: "it is a viewer")
    }
    guard harness.outcome == .completed else {
      return report.skip(title, because: "it was not completed")
    }
    report.check(
      title,
      problem: harness.returned.isEmpty
        ? "it returned nothing; a viewer has NSExtensionServiceRoleTypeViewer" : nil
    )
  }
}
