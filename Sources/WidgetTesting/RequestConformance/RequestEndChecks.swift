import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests
import WidgetSessions

/// The end of the host, and of the process, and the next request.
struct RequestEndChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample
  private let policy = SessionPolicy()

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    await checkNext(&report)
    // A script ends with its request.
    guard run.target.script == nil else { return }
    await checkEndOfInput(&report)
    await checkKill(&report)
  }

  /// What is shown, and how the request has ended.
  private func state(_ harness: RequestHarness) -> [String] {
    harness.rows + [harness.outcome?.description ?? "goes on"] + harness.returned.map(\.type)
  }

  private func checkNext(_ report: inout TestReport) async {
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      let first = state(harness)
      try await harness.begin(sample.content)
      let words = TextDifference.words(shape(first), shape(state(harness)))
      return words.isEmpty ? nil : words.joined(separator: "\n")
    }
    report.check("the next request begins as the first one, but for numbers", problem: problem)
  }

  private func checkKill(_ report: inout TestReport) async {
    let title = "a request after one that was killed begins as the first one, but for numbers"
    guard run.target.hasView else {
      return report.skip(title, because: "it has no view, and is ended with its request")
    }
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      guard harness.outcome == nil else { return nil }
      let first = state(harness)
      try await harness.kill()
      guard case .failed = harness.outcome else { return "the kill has not ended the request" }
      try await harness.begin(sample.content)
      let words = TextDifference.words(shape(first), shape(state(harness)))
      return words.isEmpty ? nil : words.joined(separator: "\n")
    }
    report.check(title, problem: problem)
  }

  private func checkEndOfInput(_ report: inout TestReport) async {
    let title = "the end of its input: the process exits within \(policy.shutdown.words)"
    guard run.target.hasView else {
      return report.skip(title, because: "it has no view, and is ended with its request")
    }
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      guard harness.outcome == nil else { return nil }
      let count = harness.record.ends.count
      harness.page?.closeInput()
      var waited = WaitedTime()
      while harness.record.ends.count == count, waited.total < policy.shutdown {
        await StepWait.turn(after: .milliseconds(1))
        waited.takeTurn()
      }
      return harness.record.ends.count > count
        ? nil : "still running; an extension whose host has gone must exit"
    }
    report.check(title, problem: problem)
  }

  /// The rows without numbers and blanks.
  private func shape(_ rows: [String]) -> [String] {
    rows.map { row in row.filter { !$0.isNumber && !$0.isWhitespace } }
  }
}
