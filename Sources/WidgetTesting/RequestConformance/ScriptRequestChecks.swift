import ExtensionContent
import WidgetKitCore

/// What a script returns, and its options.
struct ScriptRequestChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    await checkResult(&report)
    await checkOptions(&report)
  }

  private func checkResult(_ report: inout TestReport) async {
    var texts: [String] = []
    var isText = true
    let problem = await run.problem { harness throws(HarnessFailure) in
      try await harness.begin(sample.content)
      texts = harness.returned.map(\.text)
      isText = harness.returned.allSatisfy { String(validating: $0.data, as: UTF8.self) != nil }
      return harness.problem(from: 0)
    }
    report.check("it completes the request, or cancels it with a reason", problem: problem)
    let title = "what it returns has no control characters but tabs and line feeds"
    guard !texts.isEmpty else { return report.skip(title, because: "it was not completed") }
    let odd = texts.joined().unicodeScalars.first {
      $0.properties.generalCategory == .control && !"\t\n\r".unicodeScalars.contains($0)
    }
    if isText {
      report.check(title, problem: odd.map { "U+\(String($0.value, radix: 16, uppercase: true))" })
    } else {
      report.skip(title, because: "it returns no text")
    }
    let returns = "an editor returns content in place of what it was given"
    guard !run.target.shares, run.target.role == .editor else {
      return report.skip(returns, because: "it is no editor")
    }
    report.check(returns, problem: texts.allSatisfy(\.isEmpty) ? "it printed nothing" : nil)
  }

  private func checkOptions(_ report: inout TestReport) async {
    let options = run.target.script?.options ?? []
    guard !options.isEmpty else {
      return report.skip("it takes every choice of its options", because: "it has none")
    }
    for option in options {
      let values = option.choices.isEmpty ? ["", "a b", "'\"$(x)\\"] : option.choices
      var problems: [String] = []
      for value in values {
        let problem = await run.problem { harness throws(HarnessFailure) in
          try await harness.begin(sample.content, options: [option.name: value])
          return harness.problem(from: 0)
        }
        if let problem { problems.append("“\(value)”: \(problem)") }
      }
      report.check(
        "it takes \(option.choices.isEmpty ? "any text" : "every choice") for “\(option.name)”",
        problem: problems.isEmpty ? nil : problems.joined(separator: "\n")
      )
    }
  }
}
