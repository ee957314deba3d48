import Testing
import WidgetKitCore
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

  @Test func `a step of widgets and the line of an option are named with their places`()
    async throws
  {
    let authored = try AuthoredExtension(.share)
    try authored.scenario("{ \"name\": \"n\", \"steps\": [\n{ \"update\": \"user\" } ] }")
    let options = BundleLint.Options(
      harness: HarnessOptions(environment: authored.world.environment(term: nil)),
      share: "\(authored.world.path)/share/today"
    )
    var still = options
    still.runs = false
    let found = await BundleLint(authored.path, still).run()
    let step = found.first { $0.message == "this step is for widgets" }
    #expect(step?.place?.line == 2, "\(found)")
    try authored.world.script(
      "odd.sh",
      "# today: action accepts=\"public.plain-text\"\n# today: option nam=way default=up\ncat"
    )
    let path = "\(authored.world.path)/config/today/scripts/odd.sh"
    let script = await BundleLint(path, still).run()
    #expect(script.first?.place?.line == 3, "\(script)")
  }

  @Test func `a type that nobody declares is named in a predicate and in a scenario`()
    async throws
  {
    let rule = """
      NSExtensionActivationRule = "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO \\"public.jsn\\" OR
        ANY $a.registeredTypeIdentifiers UTI-EQUALS \\"public.json\\").@count == 1).@count >= 1";
      """
    let authored = try AuthoredExtension(.filter, attributes: rule)
    try authored.scenario(
      """
      { "name": "n", "steps": [
        { "request": { "text": "a", "type": "public.plain-txt" } },
        { "expect": { "outcome": "completed", "types": ["public.plain-text", "public.htm"] } } ] }
      """
    )
    var options = BundleLint.Options(
      harness: HarnessOptions(environment: authored.world.environment(term: nil)),
      share: "\(authored.world.path)/share/today"
    )
    options.runs = false
    let found = await BundleLint(authored.path, options).run().filter { $0.rule == .unknownType }
    #expect(
      found.map { "\($0.message), \($0.advice)" } == [
        "public.jsn is a type that nobody declares, did you mean public.json?",
        "public.plain-txt is a type that nobody declares, did you mean public.plain-text?",
        "public.htm is a type that nobody declares, did you mean public.html?",
      ]
    )
    #expect(found.map { $0.place?.line } == [5, 2, 3], "\(found)")
  }

  @Test func `a content that an extension cannot take is an error`() async throws {
    let found = await lint(try AuthoredExtension(.filter, fault: "large"))
    #expect(found.contains { $0.message == "“it takes a content of 1 MiB” fails" }, "\(found)")
    #expect(found.contains { $0.rule == .noScenario })
  }
}
