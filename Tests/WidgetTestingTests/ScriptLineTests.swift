import Foundation
import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// What `today test` and `today lint` say of the lines `today:` of a script.
@Suite(.timeLimit(.minutes(2)))
struct ScriptLineTests {
  private let world: TestWorld
  private let path: String

  init() throws {
    world = try TestWorld()
    path = "\(world.path)/load.sh"
  }

  private func write(_ values: String) throws {
    try world.write("#!/bin/sh\n# today: \(values)\necho hello\n", to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func lint() async -> [LintFinding] {
    var options = BundleLint.Options(
      harness: HarnessOptions(environment: world.environment(term: nil)),
      share: "\(world.path)/share/today"
    )
    options.runs = false
    return await BundleLint(path, options).run().filter { $0.rule == .scriptLine }
  }

  @Test func `a script with a wrong value is tested as it is shown, and the value is named`()
    async throws
  {
    try write("title=Load lines=many colour=red")
    let environment = world.environment(term: nil)
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [path], environment: environment, executable: nil)
    )
    let bundle = try #require(catalog.widgets.first)
    var report = TestReport()
    ScriptLineCheck(bundle, catalog.problems).run(&report)
    await ConformanceRun(bundle, HarnessOptions(environment: environment)).run(&report)
    let problems = report.checks.compactMap(\.problem)
    #expect(problems.count == 1, "\(problems)")
    let lines = problems.first?.split(separator: "\n") ?? []
    #expect(lines.first?.hasPrefix("load.sh:2:3: today: lines is \"many\"; expected 1 to") == true)
    #expect(lines.last?.hasPrefix("load.sh:2:3: today: colour is unknown; expected one of") == true)
    #expect(report.checkCount > 10)
  }

  /// The values, which of them is wrong, and what was expected; nil for a line that is right.
  @Test(
    arguments: [
      ("format=prometheus metrics='up{'", "metrics", "labels such as {device=\"eth0\"} in item 1"),
      ("format=prometheus", "metrics", "names of metrics between commas"),
      ("format=json columns='a,,b'", "columns", "names between commas"),
      ("format=json rows='$.x['", "rows", "a name in quotes, an index, *, or ?"),
      ("format=json template='{a'", "template", "} after {"),
      ("format=json value='$..'", "value", nil),
      ("format=json metrics=up", "metrics", "another format than json"),
      ("topic='a/#'", "topic", "a topic: + and # are for filters"),
      ("topic=a broker=ftp://broker", "broker", "an address such as mqtts://broker.lan"),
      ("format=json rows='$.items' columns='name, size as Size' value='$.count'", nil, nil),
      ("format=prometheus metrics='up, rate(bytes_total{device=\"eth0\"}) as Net'", nil, nil),
      ("topic=a/b broker=mqtts://broker.lan", nil, nil),
    ] as [(String, String?, String?)]
  )
  func `a value of the format that cannot be used is found without running the script`(
    values: String,
    name: String?,
    expected: String?
  ) async throws {
    try write(values)
    let findings = await lint()
    #expect(findings.map(\.member) == [name.map { "today: \($0)" }].compactMap(\.self))
    #expect(findings.allSatisfy { $0.place?.line == 2 })
    if let expected { #expect(findings.first?.advice == "expected \(expected)") }
  }
}
