import Glibc
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today test BUNDLE...`: checks that widgets conform to the protocol, and plays their scenarios.
struct TestCommand: Command {
  var options: CommonOptions
  private var paths: [String] = []
  private var format = TestReport.Format.tap
  private var records = false
  private var repeats = 1
  private var faults: Set<HarnessFault> = []
  private var watches = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--format": format = try reader.choice(of: argument)
      case "--fault": faults.insert(try reader.choice(of: argument))
      case "--record": records = true
      case "--repeat": repeats = try reader.number(of: argument, in: 1...100_000)
      case "--watch": watches = true
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        paths.append(argument)
      }
    }
    guard !paths.isEmpty else {
      throw .usage("expected a bundle or a script; see “today help test”")
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let interruption = Interruption { WidgetHarness.removeFolders() }
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
    let bundles = try NamedBundles.read(paths, environment: options.environment)
    var harness = HarnessOptions(environment: options.environment)
    harness.tracePath = options.tracePath
    var report = TestReport(format) { StandardStreams.writeLine(SafeText($0).onOneLine) }
    for round in 1...repeats {
      if repeats > 1 { report.remark("round \(round) of \(repeats)") }
      for bundle in bundles {
        report.suite = bundle.bundleIdentifier
        report.remark("\(bundle.bundleIdentifier) at \(bundle.path)")
        if faults.isEmpty, !(await ConformanceRun(bundle, harness).run(&report)) { continue }
        var scenarios = harness
        scenarios.faults = faults
        await ScenarioFolder(bundle, scenarios, records: records).run(&report)
      }
    }
    report.finish()
    if report.hasRecorded {
      StandardStreams.writeError("recorded; look at the files, and run the test again")
    }
    return report.failureCount == 0 && !report.hasRecorded ? .success : .failure
  }
}
