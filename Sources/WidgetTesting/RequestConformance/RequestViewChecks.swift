import ExtensionContent
import WidgetKitCore

/// A view of the extension's own: it is visible, and every press in it is answered.
struct RequestViewChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample

  /// The most elements that are pressed.
  private static let pressLimit = 12
  private static let widths = [16, 20, 30, 40, 60, 80, 120, 200]

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks; of an extension with a sheet, or without a view, none.
  func run(_ report: inout TestReport) async {
    guard run.target.hasView, let harness = try? run.harness(),
      (try? await harness.begin(sample.content)) != nil
    else { return }
    guard harness.view != nil else { return await run.end(harness) }
    for width in Self.widths {
      report.check(
        "the view is visible at \(width) columns",
        problem: harness.rows(width: width).contains { !$0.isEmpty }
          ? nil : "the view is empty in \(width) columns"
      )
    }
    let unknown = TalkChecks.lines(harness.log, with: "unknown node type")
    report.check(
      "views contain only elements of the protocol",
      problem: unknown.isEmpty ? nil : unknown.joined(separator: "\n")
    )
    await checkPresses(harness, &report)
    await checkFields(harness, &report)
    await run.end(harness)
  }

  private func checkPresses(_ harness: RequestHarness, _ report: inout TestReport) async {
    let title = "every press is answered"
    var pressed: Set<String> = []
    var problems: [String] = []
    while pressed.count < Self.pressLimit {
      let next = harness.targets.compactMap { target in
        if case .field = target.role { nil } else { target.action }
      }.first { !pressed.contains($0) }
      guard let action = next else { break }
      pressed.insert(action)
      do throws(HarnessFailure) {
        let start = harness.messages.count
        try await harness.press(action)
        if let problem = harness.problem(from: start) { problems.append("“\(action)”: \(problem)") }
        // A press may be the end of the request; the others are pressed in the next one.
        if harness.outcome != nil { try await harness.begin(sample.content) }
      } catch {
        problems.append("“\(action)”: \(error)\(harness.record.lastWords)")
        break
      }
    }
    guard !pressed.isEmpty else { return report.skip(title, because: "nothing can be pressed") }
    report.check(title, problem: problems.isEmpty ? nil : problems.joined(separator: "\n"))
  }

  private func checkFields(_ harness: RequestHarness, _ report: inout TestReport) async {
    let title = "what is typed in a field is accepted"
    let fields = harness.targets.compactMap { target in
      if case .field(let field) = target.role { field.id ?? field.key } else { nil }
    }
    guard !fields.isEmpty, harness.outcome == nil else {
      return report.skip(title, because: "there is no field")
    }
    var problem: String?
    do throws(HarnessFailure) {
      for field in fields {
        let start = harness.messages.count
        try await harness.type("Test 漢字 👩‍👩‍👧", in: field, submits: true)
        problem = problem ?? harness.problem(from: start)
        if harness.outcome != nil { try await harness.begin(sample.content) }
      }
    } catch {
      problem = "\(error)\(harness.record.lastWords)"
    }
    report.check(title, problem: problem)
  }
}
