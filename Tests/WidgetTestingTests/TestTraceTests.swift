import ExtensionContent
import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetTesting

/// The traces of `today test`, each played again.
@Suite(.timeLimit(.minutes(3)))
struct TestTraceTests {
  /// The traces in a folder, in the order in which they were written.
  private func traces(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".trace") }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// What is different when the widget of a trace is played, and when its page is.
  private func differences(_ path: String, _ authored: AuthoredBundle) async throws -> [String] {
    let (trace, environment) = (try Trace(path: path), authored.world.environment(term: nil))
    #expect(trace.unreadable == [])
    let bundle = try authored.bundle
    let widget = try WidgetReplay(trace, bundle.bundleIdentifier, environment: environment)
    await widget.run()
    await widget.harness.finish()
    let host = try HostReplay(trace, bundle, environment: environment)
    try await host.run()
    return widget.differences + host.differences
  }

  private func options(_ authored: AuthoredBundle) -> HarnessOptions {
    var options = HarnessOptions(environment: authored.world.environment(term: nil))
    options.traces = TraceSeries("\(authored.world.path)/t.trace")
    return options
  }

  @Test func `each page of a test has a trace of its own, which can be played again`() async throws
  {
    let authored = try AuthoredBundle(fault: "everything")
    defer { authored.remove() }
    var lines: [String] = []
    var report = TestReport { lines.append($0) }
    await ConformanceRun(try authored.bundle, options(authored)).run(&report)
    #expect(report.failureCount == 0)
    let names = try traces(in: authored.world.path)
    #expect(
      names == [
        "t-1-start.trace", "t-2-changes.trace", "t-3-rest.trace", "t-4-no-content.trace",
        "t-5-full-disk.trace", "t-6-end.trace", "t-7-end.trace", "t-8-end.trace",
      ]
    )
    for name in names {
      let path = "\(authored.world.path)/\(name)"
      #expect(lines.contains("# the trace of these checks: \(path)"))
      let differences = try await differences(path, authored)
      #expect(differences == [], "\(name)")
    }
  }

  @Test func `a scenario with a timeline, disappearances and a kill can be played again`()
    async throws
  {
    let authored = try AuthoredBundle()
    defer { authored.remove() }
    try authored.write(program: Self.timeline)
    try authored.scenario(
      """
      { name: "timeline", steps: [
        { appear: {} }, { advance: "70 s" }, { disappear: {} }, { advance: "45 s" },
        { appear: {} }, { advance: "2 min" }, { hide: true }, { advance: "40 s" },
        { hide: false }, { kill: {} }, { advance: "30 s" }, { update: "user" },
        { advance: "70 s" }] }
      """
    )
    var report = TestReport()
    await ScenarioFolder(try authored.bundle, options(authored), records: false).run(&report)
    #expect(report.checks.compactMap(\.problem) == [])
    let path = "\(authored.world.path)/t-1-counts.trace"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.split(separator: #""method":"viewWillTransitionToSize""#).count > 5)
    let differences = try await differences(path, authored)
    #expect(differences == [])
  }

  @Test func `each request of a test has a trace of its own, which can be played again`()
    async throws
  {
    let authored = try AuthoredExtension(.share)
    defer { authored.remove() }
    var options = HarnessOptions(environment: authored.world.environment())
    options.traces = TraceSeries("\(authored.world.path)/t.trace")
    var report = TestReport()
    await RequestConformanceRun(try authored.target, .standard, options).run(&report)
    let names = try traces(in: authored.world.path)
    #expect(names.first == "t-1-start.trace" && names.count > 10)
    for name in names {
      let trace = try Trace(path: "\(authored.world.path)/\(name)")
      let replay = RequestReplay(trace, "com.example.Note", environment: options.environment)
      _ = try await replay.run(width: 60)
      #expect(replay.differences == [], "\(name)")
    }
  }

  @Test(arguments: [
    ("a.trace", "a-1-start.trace"), ("a", "a-1-start"), ("b.c/a", "b.c/a-1-start"),
    ("/dev/stderr", "/dev/stderr"),
  ])
  func `the files are named after the one that was given`(path: String, name: String) {
    #expect(TraceSeries(path).next("start") == name)
  }

  /// A widget whose height changes every 20 s.
  private static let timeline = """
    #!/usr/bin/env python3
    import datetime, json, sys
    now = None
    for line in sys.stdin:
        call = json.loads(line)
        method, answer = call.get("method"), {}
        text = call.get("params", {}).get("now")
        if text:
            now = datetime.datetime.fromisoformat(text[:19] + "+00:00")
        if method == "shutdown":
            break
        if method == "initialize":
            answer = {"protocolVersion": 1, "implements": [
                "widgetPerformUpdate", "viewWillTransitionToSize", "transitionDidComplete",
                "viewWillAppear", "clockDidChange"]}
        elif method == "widgetPerformUpdate":
            entries = []
            for number in range(16):
                date = now + datetime.timedelta(seconds=20 * number)
                rows = ["row %d" % row for row in range(2 + number * 4 % 9)]
                entries.append({"date": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
                                "view": {"type": "vstack", "children": rows}})
            answer = {"result": "newData", "timeline": {"entries": entries, "policy": "never"}}
        if "id" in call:
            print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": answer}), flush=True)

    """
}
