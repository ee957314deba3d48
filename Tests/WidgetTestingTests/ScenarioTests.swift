import Foundation
import Testing
import WidgetKitCore
import WidgetTesting

@Suite("Scenarios", .timeLimit(.minutes(2)))
struct ScenarioTests {
  private let authored: AuthoredBundle

  init() throws {
    authored = try AuthoredBundle()
  }

  private func play(
    _ steps: String,
    _ head: String = "",
    records: Bool = false,
    faults: Set<HarnessFault> = []
  ) async throws -> TestReport {
    try authored.scenario("{ \"name\": \"counts\", \(head) \"steps\": [\n\(steps)\n] }")
    var options = HarnessOptions()
    options.faults = faults
    var report = TestReport()
    await ScenarioFolder(try authored.bundle, options, records: records).run(&report)
    return report
  }

  private func problem(_ report: TestReport) -> String { report.checks.first?.problem ?? "none" }

  @Test func `pass where everything is as expected`() async throws {
    let report = try await play(
      """
      { appear: { width: 60 } }, { expect: { result: "newData", height: 3, contains: ["0 cups", "at 04:05"] } },
      { press: "more" }, { expect: { contains: "1 cups", lacks: "0 cups", written: ["data/count"] } },
      { advance: "5 min" }, { update: "user" }, { expect: { contains: "at 04:10", written: [], sent: [] } },
      { configure: { unit: "mugs" } }, { expect: { contains: "1 mugs", shown: true, opened: [] } },
      { notice: { title: "Done", app: "make" } },
      { disappear: {} }, { kill: {} }, { appear: { width: 20 } }, { expect: { contains: "1 mugs" } }
      """,
      "\"now\": \"2031-02-03T04:05:06Z\","
    )
    #expect(problem(report) == "none")
    #expect(report.checks.map(\.name) == ["Tests/counts.json: counts"])
  }

  @Test func `name the place of what is not as expected, and show the card`() async throws {
    let report = try await play("{ appear: {} },\n{ expect: { contains: \"7 cups\", height: 9 } }")
    let words = problem(report)
    #expect(words.hasPrefix("Tests/counts.json:3:1: height: expected 9, found 3"))
    #expect(words.contains("contains: no row has “7 cups”"))
    #expect(words.contains("\nthe card shows:\n  │0 cups"))
  }

  @Test(arguments: [
    (
      "{ apear: {} }",
      "Tests/counts.json:2:3: steps[0].apear: unknown member; did you mean “appear”?"
    ),
    (
      "{ appear: { width: 1e300 } }",
      "steps[0].appear.width: expected a whole number from 1 to 1000"
    ),
    ("{ appear: { width: -1 } }", "steps[0].appear.width: expected a whole number from 1 to 1000"),
    ("{ advance: \"1e300 days\" }", "steps[0].advance: expected a time such as"),
    ("{ advance: \"nan s\" }", "steps[0].advance: expected a time such as"),
    ("{ expect: { golden: \"../x\" } }", "steps[0].expect.golden: expected a name of letters"),
    ("{ appear: {}, kill: {} }", "steps[0]: expected one step"),
    ("{ notice: {} }", "steps[0].notice.title: is missing; expected a text"),
    (
      "{ notice: { title: \"a\", urgency: \"high\" } }", "steps[0].notice.urgency: expected \"low\""
    ),
    ("{ notice: { title: \"a\", progress: 101 } }", "expected a whole number from 0 to 100"),
    ("{ press: 7 }", "steps[0].press: expected a text, found 7"),
    ("{ press: ", "expected a value"),
  ])
  func `say where a file is wrong`(_ steps: String, _ words: String) async throws {
    let report = try await play(steps)
    #expect(report.checks.first?.name == "Tests/counts.json can be read")
    #expect(problem(report).contains(words), "\(problem(report))")
    #expect(problem(report).hasPrefix("Tests/counts.json:"))
  }

  @Test(arguments: [
    ("\"timeZone\": \"Mars/Phobos\",", "timeZone: expected a time zone of the tz database"),
    ("\"locale\": \"xx_YYYY!\",", "locale: expected a locale such as de_DE"),
  ])
  func `refuse a zone and a locale that there are none of`(head: String, words: String) async throws
  {
    let report = try await play("{ appear: {} }", head)
    #expect(problem(report).hasPrefix("Tests/counts.json:1:") && problem(report).contains(words))
  }

  /// What is in the file, and where and what the problem is.
  @Test(arguments: [
    (
      "\"configuration\": {\n  // a comment\n  unti: \"mugs\" },\n", "{ appear: {} }",
      "3:3: configuration.unti: Cups has no setting “unti”; did you mean “unit”?"
    ),
    (
      "\"configuration\": {\n  \"unit\": 7 },\n", "{ appear: {} }",
      "2:11: configuration.unit: expected a text"
    ),
    (
      "", "{ appear: {} },\n{ configure: {\n untt: \"a\" } }",
      "4:2: steps[1].configure.untt: Cups has no setting “untt”"
    ),
  ])
  func `say where a setting is wrong`(head: String, steps: String, words: String) async throws {
    let report = try await play(steps, head)
    #expect(problem(report).hasPrefix("Tests/counts.json:\(words)"), "\(problem(report))")
  }

  @Test func `say what can be pressed where something cannot`() async throws {
    let report = try await play("{ appear: {} }, { press: \"less\" }")
    #expect(problem(report).contains("nothing “less” can be pressed; there is “more”"))
  }

  @Test func `record goldens, and show how cells differ from them`() async throws {
    let steps = "{ appear: {} }, { expect: { golden: \"cups\", widths: [20, 40] } }"
    let missing = try await play(steps)
    #expect(problem(missing).contains("cups.txt is missing; “today test --record” writes it"))
    let recorded = try await play(steps, records: true)
    #expect(recorded.hasRecorded && problem(recorded) == "none")
    let same = try await play(steps, records: true)
    #expect(!same.hasRecorded && problem(same) == "none")
    let other = try await play(
      "{ appear: {} }, { press: \"more\" }, { expect: { golden: \"cups\", widths: [20, 40] } }"
    )
    #expect(problem(other).contains("- 0 cups\n+ 1 cups"))
  }

  @Test(arguments: [HarnessFault.killDuringUpdate, .slowDisk, .denyActivities, .refuseURLs])
  func `pass while something goes wrong`(_ fault: HarnessFault) async throws {
    let report = try await play(
      "{ appear: {} }, { advance: \"1 min\" }, { update: \"user\" }, { expect: { contains: \"0 cups\" } }",
      faults: [fault]
    )
    #expect(problem(report) == "none")
  }

  @Test func `leave the author's folders alone`() async throws {
    let report = try await play(
      "{ appear: {} }, { press: \"more\" }, { expect: { contains: \"1 cups\" } }"
    )
    #expect(problem(report) == "none")
    let again = try await play("{ appear: {} }, { expect: { contains: \"0 cups\" } }")
    #expect(problem(again) == "none")
  }

  @Test func `are reported as XML and JSON too`() async throws {
    var lines: [String] = []
    var report = TestReport(.junit) { lines.append($0) }
    report.suite = "a<b"
    report.check("one")
    report.check("two", problem: "\"x\" & \u{1b}[2J")
    report.skip("three", because: "not there")
    report.finish()
    let xml = lines.joined(separator: "\n")
    #expect(xml.contains(#"<testsuite name="a&lt;b" tests="3" failures="1" skipped="1">"#))
    #expect(xml.contains("&quot;x&quot; &amp; \u{fffd}[2J") && !xml.contains("\u{1b}"))
    var json: [String] = []
    var other = TestReport(.json) { json.append($0) }
    other.check("one", problem: "why")
    other.finish()
    let value = try JSONSerialization.jsonObject(with: Data(json.joined().utf8)) as? [String: Any]
    #expect(value?["failures"] as? Int == 1)
  }
}
