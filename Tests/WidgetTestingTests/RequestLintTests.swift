import Testing
import WidgetTestSupport
import WidgetTesting

/// What `today lint` finds by running share extensions and actions.
@Suite(.timeLimit(.minutes(2)))
struct RequestLintTests {
  private func lint(_ authored: AuthoredExtension) async -> [LintFinding] {
    let options = BundleLint.Options(
      harness: HarnessOptions(environment: authored.world.environment(term: nil)),
      share: "\(authored.world.path)/share/today"
    )
    return await BundleLint(authored.path, options).run()
  }

  @Test func `a load before the sheet is a note, and a wrong scenario an error`() async throws {
    let authored = try AuthoredExtension(.share, fault: "load")
    try authored.scenario(#"{ "name": "n", "steps": [{ "reqest": { "text": "a" } }] }"#)
    let found = await lint(authored)
    #expect(found.contains { $0.rule == .earlyLoad && $0.rule.severity == .note }, "\(found)")
    let scenario = found.first { $0.rule == .scenario }
    #expect(scenario?.message.contains("did you mean “request”?") == true, "\(found)")
  }

  @Test func `a content that an extension cannot take is an error`() async throws {
    let found = await lint(try AuthoredExtension(.filter, fault: "large"))
    #expect(found.contains { $0.message == "“it takes a content of 1 MiB” fails" }, "\(found)")
    #expect(found.contains { $0.rule == .noScenario })
  }
}
