import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests
import WidgetSessions

/// Post and Cancel, what is returned, and the time after the request.
struct CompletionChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample
  private let policy = SessionPolicy()

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    await checkPost(&report)
    await checkCancel(&report)
    await checkEarlyCancel(&report)
  }

  private func checkPost(_ report: inout TestReport) async {
    let title = "Post completes the request, or says why it cannot"
    guard let harness = try? run.harness(), (try? await harness.begin(sample.content)) != nil else {
      return report.check(title, problem: "the extension does not become idle")
    }
    if run.target.hasView { await post(title, harness, &report) }
    checkReturn(harness, &report)
    await checkRemainder(harness, &report)
    await run.end(harness)
    checkAnswer(harness, &report)
    checkEnd(harness, &report)
  }

  private func post(
    _ title: String,
    _ harness: RequestHarness,
    _ report: inout TestReport
  ) async {
    guard harness.outcome == nil, harness.postsByHost else {
      return report.skip(title, because: "it ends by a press in its view")
    }
    var problem: String?
    do throws(HarnessFailure) {
      if harness.request?.compose != nil, harness.sheetText.isEmpty {
        try await harness.type("Test")
      }
      guard harness.isContentValid else {
        return report.skip(title, because: "the content is not valid with the text “Test”")
      }
      try await harness.post()
      problem = harness.problem(from: 0)
      if problem == nil, harness.outcome == nil { problem = "the request goes on" }
    } catch {
      problem = "\(error)\(harness.record.lastWords)"
    }
    report.check(title, problem: problem)
    if case .failed(let reason) = harness.outcome { report.remark("not posted: \(reason)") }
  }

  private func checkReturn(_ harness: RequestHarness, _ report: inout TestReport) {
    let completions = harness.messages.filter {
      $0.isFromWidget && !$0.isAnswer && $0.method == CompleteRequestRequest.method
    }
    report.check(
      "the request is completed once",
      problem: completions.count < 2 ? nil : "completeRequest came \(completions.count) times"
    )
    let refusals = harness.messages.compactMap { message -> String? in
      guard !message.isFromWidget, case .error = message.kind,
        message.method == CompleteRequestRequest.method,
        let line = try? IncomingLine(message.bytes[...])
      else { return nil }
      return (try? line.decode(WireError.self))?.message
    }
    report.check("the host takes what is returned", problem: refusals.first)
    let title = "nothing is sent to other machines before Post"
    guard run.target.shares else {
      return report.skip(title, because: "it is not a share extension")
    }
    let before = harness.messages.prefix { $0.method != DidSelectPostRequest.method }
    let sends = before.contains {
      $0.isFromWidget && $0.method == UploadInBackgroundRequest.method
    }
    report.check(title, problem: sends ? "uploadInBackground came before didSelectPost" : nil)
  }

  /// Checks the answer to Post, which may come when the request was completed, and until the process ends.
  private func checkAnswer(_ harness: RequestHarness, _ report: inout TestReport) {
    let title = "didSelectPost is answered, before or after the request is completed"
    let method = DidSelectPostRequest.method
    guard harness.messages.contains(where: { !$0.isFromWidget && $0.method == method }) else {
      return report.skip(title, because: "it was not asked")
    }
    if harness.record.answer(to: method) != nil { return report.check(title) }
    // Its process is ended with the request.
    if case .failed = harness.outcome { return report.skip(title, because: "it has failed") }
    report.check(
      title,
      problem: "no answer came before the process ended\(harness.record.lastWords)"
    )
  }

  // MARK: - Afterwards

  private func checkRemainder(_ harness: RequestHarness, _ report: inout TestReport) async {
    let title = "it ends when its time after the request is over"
    guard harness.outcome == .completed else {
      return report.skip(title, because: "the request was not completed")
    }
    guard harness.implements.contains(RequestDidCompleteNotification.method),
      harness.page?.isFinished == false
    else { return report.skip(title, because: "it does nothing after its request") }
    var problem: String?
    do throws(HarnessFailure) {
      try await harness.advance(by: .seconds(10))
      await harness.steps.passRealTime(upTo: .seconds(3)) { harness.page?.isFinished != false }
    } catch {
      problem = error.description
    }
    if let signal = harness.record.lastSignal { problem = "it had to be ended with \(signal)" }
    report.check(title, problem: problem)
  }

  private func checkEnd(_ harness: RequestHarness, _ report: inout TestReport) {
    report.check(
      "shutdown: the process exits within \(policy.shutdown.words)",
      problem: harness.record.lastSignal.map { "it had to be ended with \($0); exit on shutdown" }
    )
    let status = harness.record.ends.last
    report.check(
      "shutdown: it exits with code 0",
      problem: status == .exited(0) || harness.record.lastSignal != nil
        ? nil : "\(status?.description ?? "it has not ended")\(harness.record.lastWords)"
    )
  }

  // MARK: - Cancel

  private func checkCancel(_ report: inout TestReport) async {
    let title = "Cancel ends the request and the process"
    guard run.target.hasView else {
      return report.skip(title, because: "it has no view in which its user cancels")
    }
    var isAsked = false
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      guard harness.outcome == nil else { return nil }
      isAsked = harness.implements.contains(DidSelectCancelRequest.method)
      try await harness.cancel()
      await harness.steps.passRealTime(upTo: .seconds(5)) { harness.page?.isFinished != false }
      if harness.page?.isFinished == false { return "the process goes on" }
      if harness.outcome != .cancelled {
        return "the request was \(harness.outcome?.description ?? "")"
      }
      return harness.record.lastSignal.map { "it had to be ended with \($0)" }
    }
    report.check(title, problem: problem)
    if !isAsked { report.remark("didSelectCancel is not implemented; the host cancels by itself") }
  }

  private func checkEarlyCancel(_ report: inout TestReport) async {
    let problem = await run.problem { harness throws(HarnessFailure) in
      // Before its process has said anything.
      let request = try harness.open(sample.content, options: [:])
      request.start()
      request.cancel()
      await harness.steps.passRealTime(upTo: .seconds(5)) { harness.page?.isFinished != false }
      return harness.page?.isFinished == false
        ? "the process goes on after a request that was cancelled at once" : nil
    }
    report.check("a request that is cancelled at once leaves no process", problem: problem)
  }
}
