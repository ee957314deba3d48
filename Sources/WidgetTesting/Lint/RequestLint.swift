import ExtensionContent
import WidgetKitCore

/// Runs a share extension or an action, and checks the rules of the protocol.
struct RequestLint {
  private let target: ContentExtension
  private let table: TypeTable
  private let options: HarnessOptions

  init(_ target: ContentExtension, _ table: TypeTable, _ options: HarnessOptions) {
    (self.target, self.table, self.options) = (target, table, options)
  }

  func run() async -> [LintFinding] {
    var report = TestReport()
    report.suite = target.identifier
    let run = RequestConformanceRun(target, table, options)
    await run.run(&report)
    var findings = report.checks.compactMap { check in
      check.problem.map { problem in
        finding(
          .conformance,
          check.name,
          "“\(check.name)” fails",
          problem.split(separator: "\n").joined(separator: "; ")
        )
      }
    }
    if let load = run.earlyLoads.first {
      findings.append(
        finding(
          .earlyLoad,
          "loadItem",
          "\(load) is loaded before the sheet is up",
          "load it after presentationAnimationDidFinish"
        )
      )
    }
    return findings
  }

  private func finding(
    _ rule: LintRule,
    _ member: String,
    _ message: String,
    _ advice: String
  ) -> LintFinding {
    LintFinding(rule, target.bundle.executablePath, member: member, message, advice: advice)
  }
}
