import ExtensionContent
import WidgetKitCore

/// Other worlds: another locale and zone, slow and full disks, and hosts of later versions.
struct RequestWorldChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    var worlds: [(String, (inout HarnessOptions) -> Void)] = [
      (
        "it works in another locale and zone",
        { ($0.locale, $0.timeZone) = ("de_DE", "Pacific/Auckland") }
      ),
      ("a full disk does no harm", { $0.faults.insert(.fullDisk) }),
    ]
    if run.target.script == nil {
      worlds.append(
        ("it works while the host is slow to answer", { $0.faults.insert(.slowDisk) })
      )
    }
    for (title, change) in worlds {
      let problem = await run.problem(change) { harness throws(HarnessFailure) in
        try await harness.take(sample.content)
      }
      report.check(title, problem: problem)
    }
    if run.target.script == nil { await checkLaterVersions(&report) }
  }

  private func checkLaterVersions(_ report: inout TestReport) async {
    let (request, notification) = (
      "an unknown request is answered with an error", "an unknown notification does no harm"
    )
    guard run.target.hasView else {
      for title in [request, notification] {
        report.skip(title, because: "it has no view, and is ended with its request")
      }
      return
    }
    var (answer, wasProbed) = (HarnessMessage?.none, false)
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      guard harness.outcome == nil else { return nil }
      wasProbed = true
      answer = await harness.probe.ask("orgExampleUnknown", isKnown: false)
      await harness.probe.tell("orgExampleUnknownToo")
      try await harness.settle()
      return harness.outcome.map { "the request has ended: \($0)" }
    }
    guard wasProbed || problem != nil else {
      for title in [request, notification] {
        report.skip(title, because: "the request ends by itself")
      }
      return
    }
    var isError = false
    if case .error = answer?.kind { isError = true }
    report.check(
      request,
      problem: isError ? nil : "no error came; answer with code -32601 what is not known"
    )
    report.check(notification, problem: problem)
  }
}
