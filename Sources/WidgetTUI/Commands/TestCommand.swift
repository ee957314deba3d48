import Glibc
import WidgetKitCore
import WidgetTesting

/// `today test BUNDLE...`: checks that widgets conform to the protocol, and plays their scenarios.
struct TestCommand: Command {
  static let name = "test"
  static let syntax = CommandSyntax<TestCommand>(
    name,
    "check that extensions conform to the protocol, and play their scenarios",
    expected: "a bundle or a script",
    details: """
      Runs widgets through their life on a page and checks the rules of the protocol: start, updates, the
      view at eight widths, presses, typing, a locked page, transitions, suspension, disappearance, the next
      appearance, a full disk, the end in every way, and the next start. It ends with the first request that
      is never answered. Share extensions and actions are given contents of all kinds that their activation
      rules accept, and odd ones; what is typed, chosen, pressed, posted and cancelled is checked. Then plays
      the scenarios in Tests/*.json of each bundle. It is the page of the dashboard, or the host of share and
      act, with a clock of its own, so that nothing is waited for; the extension has temporary folders, and
      URLs are noted and not opened. BUNDLE is a .widget, an .appex, an .app for all that is in it, or a
      script.
      """,
    operands: [.several("BUNDLE", .path, \.paths)],
    options: [
      .flag("--record", \.records):
        "write the goldens of the scenarios to Tests/Goldens; exits with 1, and “recorded”",
      .value("--repeat N", .number(1...100_000), \.repeats):
        "run everything N times, to find what does not always pass",
      .choice("--format", \.format):
        "tap (Test Anything Protocol), junit (XML), json, or github (annotations); tap by default",
      .values("--fault NAME", .choice, \.faults): """
      play the scenarios while something goes wrong: kill-during-update (after the first write \
      in it), slow-disk, full-disk, deny-activities, refuse-urls; may be given several times
      """,
      .flag("--watch", \.watches): "run again whenever a file of the bundles changes",
    ],
    notes: """
      Exits with 1 if a check has failed, and with 66 if there is no extension.
      """
  )

  var options = CommonOptions()
  private var paths: [String] = []
  private var format = TestReport.Format.tap
  private var records = false
  private var repeats = 1
  private var faults: [HarnessFault] = []
  private var watches = false

  func run() async throws(CommandError) -> ExitCode {
    let interruption = Interruption { HarnessFolders.removeAll() }
    defer { withExtendedLifetime(interruption) {} }
    // Until the user ends it.
    while watches {
      let files = BundleFiles(paths)
      // What is wrong now may be right after the next change.
      do throws(CommandError) {
        _ = try await test()
      } catch {
        StandardStreams.writeError(error.description)
      }
      StandardStreams.writeLine("# waiting for a change; Ctrl-C ends")
      await files.change()
    }
    return try await test()
  }

  private func test() async throws(CommandError) -> ExitCode {
    let (extensions, faults) = try NamedBundles.found(paths, environment: options.environment)
    var harness = HarnessOptions(environment: options.environment)
    harness.traces = options.tracePath.map(TraceSeries.init)
    var report = TestReport(format) { StandardStreams.writeLine(SafeText($0).onOneLine) }
    for round in 1...repeats {
      if repeats > 1 { report.remark("round \(round) of \(repeats)") }
      for tested in extensions {
        report.suite = tested.identifier
        report.remark("\(tested.identifier) at \(tested.path)")
        if case .widget(let bundle) = tested { ScriptLineCheck(bundle, faults).run(&report) }
        await test(tested, harness, &report)
      }
    }
    report.finish()
    if report.hasRecorded {
      StandardStreams.writeError("recorded; look at the files, and run the test again")
    }
    return report.failureCount == 0 && !report.hasRecorded ? .success : .failure
  }

  private func test(
    _ tested: NamedBundles.Extension,
    _ harness: HarnessOptions,
    _ report: inout TestReport
  ) async {
    var scenarios = harness
    scenarios.faults = Set(faults)
    switch tested {
    case .widget(let bundle):
      if faults.isEmpty, !(await ConformanceRun(bundle, harness).run(&report)) { return }
      await ScenarioFolder(bundle, scenarios, records: records).run(&report)
    case .content(let target, let table):
      if faults.contains(.killDuringUpdate) {
        report.remark("kill-during-update is of no effect: an extension for content has no updates")
      }
      if faults.isEmpty, !(await RequestConformanceRun(target, table, harness).run(&report)) {
        return
      }
      await ScenarioFolder(target, table, scenarios, records: records).run(&report)
    }
  }
}
