import ExtensionContent
import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetTesting

@Suite("Scenarios of share extensions and actions", .timeLimit(.minutes(2)))
struct RequestScenarioTests {
  private func play(
    _ kind: AuthoredExtension.Kind,
    _ steps: String,
    records: Bool = false,
    in authored: AuthoredExtension? = nil
  ) async throws -> TestReport {
    let authored = try authored ?? AuthoredExtension(kind)
    try authored.scenario("{ \"name\": \"a note\", \"steps\": [\n\(steps)\n] }")
    let options = HarnessOptions(environment: authored.world.environment())
    var report = TestReport()
    await ScenarioFolder(try authored.target, .standard, options, records: records).run(&report)
    return report
  }

  private func problem(_ report: TestReport) -> String { report.checks.first?.problem ?? "none" }

  @Test func `a share extension is typed in, chosen from, posted and cancelled`() async throws {
    let report = try await play(
      .share,
      """
      { request: { text: "A line.\\n", type: "public.plain-text", name: "a.txt" } },
      { expect: { contains: ["A note", "About", "Audience  Everyone"], valid: true, remaining: 280, outcome: "none" } },
      { type: { text: "Hi #" } }, { expect: { contains: "#news", remaining: 276, lacks: "Audience" } },
      { type: { text: "Hi" } }, { choose: { item: "audience", value: "Friends" } },
      { expect: { contains: "Audience  Friends" } },
      { choose: { item: "more" } }, { expect: { contains: "Pushed", lacks: "Audience" } }, { back: {} },
      { select: "post" },
      { expect: { outcome: "completed", returned: "A line.\\nHi", types: "public.plain-text", sent: ["loadItem", "completeRequest"] } },
      { request: { attachments: [ { text: "1" }, { text: "2" } ], separate: true } },
      { select: "cancel" }, { expect: { outcome: "cancelled", returned: [] } },
      { request: { text: "x" } }, { kill: {} }, { expect: { outcome: "failed", error: "SIGKILL" } }
      """
    )
    #expect(problem(report) == "none")
    #expect(report.checks.map(\.name) == ["Tests/note.json: a note"])
  }

  @Test func `an action is pressed and typed in, and a filter takes a file`() async throws {
    let action = try await play(
      .action,
      """
      { request: { text: "hello" } }, { expect: { contains: "Presses: 0", height: 4 } },
      { press: "Count" }, { expect: { contains: "Presses: 1", outcome: "none" } },
      { type: { field: "name", text: "Ida", submit: true } }, { expect: { contains: "Presses: 2" } },
      { press: "return" }, { expect: { outcome: "completed", returned: "HELLO" } }
      """
    )
    #expect(problem(action) == "none")
    let authored = try AuthoredExtension(.filter)
    try authored.world.write("some text", to: "\(authored.path)/Tests/some.txt")
    let filter = try await play(
      .filter,
      """
      { request: { file: "some.txt" } }, { expect: { outcome: "completed", returned: "SOME TEXT" } },
      { advance: "10 s" }
      """,
      in: authored
    )
    #expect(problem(filter) == "none")
  }

  @Test func `a golden of a view is recorded and compared`() async throws {
    let authored = try AuthoredExtension(.action)
    let steps = """
      { request: { text: "hello" } }, { expect: { golden: "first", widths: [20, 40] } }
      """
    #expect(try await play(.action, steps, records: true, in: authored).hasRecorded)
    #expect(problem(try await play(.action, steps, in: authored)) == "none")
    let pressed = steps.replacing("{ expect", with: "{ press: \"Count\" }, { expect")
    let words = problem(try await play(.action, pressed, in: authored))
    #expect(words.contains("golden: ") && words.contains("+ Presses: 1"), "\(words)")
  }

  @Test(arguments: [
    ("{ appear: {} }", "this step is for widgets"),
    ("{ request: {} }", "steps[0].request: expected either “text” or “file”"),
    ("{ request: { text: \"a\", file: \"b\" } }", "expected either “text” or “file”"),
    ("{ request: { file: \"none.txt\" } }", "none.txt: No such file"),
    ("{ request: { attachments: [] } }", "expected a list of attachments"),
    ("{ request: { attachments: [ { text: \"a\" } ], type: \"public.text\" } }", "stands beside"),
    ("{ request: { text: \"a\", kind: 7 } }", "steps[0].request.kind: unknown member"),
    ("{ request: { text: \"a\", options: { none: \"1\" } } }", "no setting"),
    ("{ type: { text: \"a\" } }", "no request was begun"),
    ("{ expect: { contains: \"a\" } }", "no request was begun before this"),
    (
      "{ request: { text: \"a\" } }, { type: { text: \"a\", field: \"x\" } }",
      "there is no field “x”"
    ),
    ("{ request: { text: \"a\" } }, { choose: { item: \"x\" } }", "there is “audience”, “more”"),
    (
      "{ request: { text: \"a\" } }, { choose: { item: \"audience\", value: \"x\" } }",
      "“x” is no choice of “audience”; there is “Everyone”, “Friends”"
    ),
    ("{ request: { text: \"a\" } }, { select: \"done\" }", "expected \"post\" or \"cancel\""),
    ("{ request: { text: \"a\" } }, { expect: { result: \"newData\" } }", "are for widgets"),
    (
      "{ request: { text: \"a\" } }, { expect: { outcome: \"completed\" } }",
      "outcome: expected completed, found none"
    ),
    (
      "{ request: { text: \"a\" } }, { select: \"post\" }, { expect: { returned: \"b\" } }",
      "returned: it is other content\n- b\n+ a"
    ),
  ])
  func `a scenario that is wrong says so with its place`(
    _ steps: String,
    _ words: String
  ) async throws {
    let found = problem(try await play(.share, steps))
    #expect(found.contains(words) && found.contains("Tests/note.json:"), "\(found)")
  }

  @Test func `a job of GitHub annotates the line of a scenario`() async throws {
    let authored = try AuthoredExtension(.share)
    try authored.scenario(
      "{ \"name\": \"n\", \"steps\": [\n{ \"reqest\": { \"text\": \"a\" } } ] }"
    )
    let options = HarnessOptions(environment: authored.world.environment())
    var lines: [String] = []
    var report = TestReport(.github) { lines.append($0) }
    await ScenarioFolder(try authored.target, .standard, options, records: false).run(&report)
    let file = "\(authored.path)/Tests/note.json"
    #expect(lines.first?.hasPrefix("::error file=\(file),line=2,col=3,") == true, "\(lines)")
  }

  @Test func `a step of a request is refused for a widget`() async throws {
    let authored = try AuthoredBundle()
    try authored.scenario(#"{ "name": "n", "steps": [{ "request": { "text": "a" } }] }"#)
    var report = TestReport()
    await ScenarioFolder(try authored.bundle, HarnessOptions(), records: false).run(&report)
    #expect(problem(report).contains("for share extensions and actions"))
  }
}
