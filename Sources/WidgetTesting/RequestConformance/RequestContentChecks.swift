import WidgetKitCore

/// Contents of all kinds that the rule of an extension accepts, and odd ones.
///
/// Each must be completed, cancelled with a reason, or shown; a crash or silence is none of these.
struct RequestContentChecks {
  private let run: RequestConformanceRun
  /// Whether a request was completed, and why the first one that was not has failed.
  private var hasCompleted = false
  private var failure: String?

  /// The bytes of a large content.
  private static let largeSize = 1 << 20

  init(_ run: RequestConformanceRun) { self.run = run }

  /// Makes the checks.
  mutating func run(_ report: inout TestReport) async {
    for sample in run.samples.all {
      await check("it takes \(sample.name)", sample.content, &report)
    }
    if let failure, !hasCompleted { report.remark("none of these was completed: \(failure)") }
    await check("it takes several attachments", run.samples.several, &report)
    guard let sample = run.samples.all.first else { return }
    await check(
      "it takes an empty content",
      run.samples.variant(of: sample) { $0.data = [] },
      &report
    )
    await check(
      "it takes a content of 1 MiB",
      run.samples.variant(of: sample) { attachment in
        let line = Array("A line of a long content, which is one of many.\n".utf8)
        attachment.data = Array(
          repeatElement(line, count: Self.largeSize / line.count + 1).joined()
        )
      },
      &report
    )
    await check(
      "it takes bytes that are no text",
      run.samples.variant(of: sample) { $0.data = [0xFF, 0xFE, 0x00, 0x80, 0xC3, 0x28, 0x0A] },
      &report
    )
    await check(
      "it takes a content without a line feed at its end",
      run.samples.variant(of: sample) { attachment in
        while attachment.data.last == 0x0A { attachment.data.removeLast() }
      },
      &report
    )
    await check(
      "it takes a content whose size is not known",
      run.samples.variant(of: sample) { $0.hasKnownSize = false },
      &report
    )
    await check(
      "it takes an odd name",
      run.samples.variant(of: sample) { $0.suggestedName = "-rf $(x) \"'; ä\u{1B}[31m\n.txt" },
      &report
    )
    await check(
      "content that cannot be loaded does no harm",
      run.samples.variant(of: sample) { $0.isLoadable = false },
      &report
    )
  }

  private mutating func check(
    _ title: String,
    _ content: HarnessContent?,
    _ report: inout TestReport
  ) async {
    guard let content else {
      return report.skip(title, because: "its activation rule does not accept that")
    }
    var outcome: RequestHarness.Outcome?
    let problem = await run.problem { harness throws(HarnessFailure) in
      let problem = try await harness.take(content)
      outcome = harness.outcome
      return problem
    }
    if outcome == .completed { hasCompleted = true }
    if case .failed(let reason) = outcome { failure = failure ?? reason }
    report.check(title, problem: problem)
  }
}
