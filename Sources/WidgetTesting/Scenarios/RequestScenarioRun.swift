import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// Plays a scenario with a share extension or an action.
final class RequestScenarioRun {
  private let scenario: Scenario
  private let harness: RequestHarness
  private let checks: ScenarioChecks
  /// The files that were recorded.
  var recorded: [String] { checks.recorded }

  /// Prepares an extension.
  ///
  /// - Parameters:
  ///   - scenario: What is done and expected.
  ///   - target: The extension.
  ///   - table: The types that are known.
  ///   - options: The world of the test; what the scenario says comes first.
  ///   - records: Whether goldens are written.
  /// - Throws: ``HarnessFailure`` if the extension cannot be prepared.
  init(
    _ scenario: Scenario,
    _ target: ContentExtension,
    _ table: TypeTable,
    _ options: HarnessOptions,
    records: Bool
  ) throws(HarnessFailure) {
    self.scenario = scenario
    do throws(HarnessFailure) {
      harness = try RequestHarness(target, table, scenario.world(options))
    } catch {
      throw scenario.located(error)
    }
    let folder = ScenarioFolder.path(of: target.bundle.path, isScript: target.script != nil)
    checks = ScenarioChecks(harness, folder: folder, records: records)
  }

  /// Plays it.
  ///
  /// - Returns: What is not as expected, with its place; nil if everything is.
  func run() async -> String? {
    let problem = await scenario.play(harness.record) { action throws(HarnessFailure) in
      try await perform(action)
    }
    await harness.finish()
    return problem
  }

  private func perform(_ action: Scenario.Action) async throws(HarnessFailure) {
    switch action {
    case .request(let content, let options):
      if let words = harness.host.refusal(of: content) {
        throw HarnessFailure("its activation rule does not accept this content: \(words)")
      }
      try await harness.begin(content, options: options)
    case .type(nil, let text, _): try await harness.type(text)
    case .type(let field?, let text, let submits):
      try await harness.type(text, in: field, submits: submits)
    case .choose(let item, let value): try await harness.choose(item, value)
    case .press(let name): try await harness.press(name)
    case .back: try await harness.goBack()
    case .select(.post): try await harness.post()
    case .select(.cancel): try await harness.cancel()
    case .configure(let settings):
      do throws(HarnessFailure) {
        try harness.configure(settings.json)
      } catch {
        throw settings.located(error)
      }
    case .advance(let duration): try await harness.advance(by: duration)
    case .denyActivities(let isDenied): harness.page?.denyActivities(isDenied)
    case .deliver(let events):
      harness.page?.deliver(events)
      try await harness.settle()
    case .kill: try await harness.kill()
    case .expect(let expectation): try check(expectation)
    case .appear, .disappear, .update, .row, .edit, .expand, .lock, .hide, .theme, .answerURLs,
      .post, .notice, .warnOfMemory:
      throw HarnessFailure(
        "this step is for widgets, and this is a share extension or an action; begin with "
          + "{ \"request\": { \"text\": \"…\" } }"
      )
    }
  }

  private func check(_ expectation: Scenario.Expectation) throws(HarnessFailure) {
    guard harness.hasBegun else { throw HarnessFailure("no request was begun before this") }
    var problems: [String] = []
    func compare(_ name: String, _ found: String, _ expected: String?) {
      if let expected, found != expected {
        problems.append("\(name): expected \(expected), found \(found)")
      }
    }
    if expectation.isOfWidget { problems.append("result and shown are for widgets") }
    let found = harness.outcome
    if let expected = expectation.outcome, expected != found?.word ?? "none" {
      problems.append("outcome: expected \(expected), found \(found?.description ?? "none")")
    }
    if let error = expectation.error, found?.reason?.contains(error) != true {
      problems.append(
        "error: expected “\(error)”, found \(found?.reason.map { "“\($0)”" } ?? "none")"
      )
    }
    compare("height", "\(harness.rows.count)", expectation.height.map { "\($0)" })
    compare("valid", "\(harness.isContentValid)", expectation.valid.map { "\($0)" })
    compare(
      "remaining",
      harness.charactersRemaining.map { "\($0)" } ?? "no count",
      expectation.remaining.map { "\($0)" }
    )
    if let types = expectation.types, types != harness.returned.map(\.type) {
      let found = ScenarioChecks.list(harness.returned.map(\.type))
      problems.append("types: expected \(ScenarioChecks.list(types)), found \(found)")
    }
    if let texts = expectation.returned {
      let found = harness.returned.map(\.text)
      let rows = TextDifference.words(texts.flatMap(Self.lines), found.flatMap(Self.lines))
      if texts != found {
        problems.append((["returned: it is other content"] + rows).joined(separator: "\n"))
      }
    }
    problems += checks.problems(expectation)
    guard problems.isEmpty else { throw HarnessFailure(problems.joined(separator: "\n")) }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension RequestHarness.Outcome {
  /// The word of a scenario.
  fileprivate var word: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// Why it has failed.
  fileprivate var reason: String? {
    if case .failed(let reason) = self { reason } else { nil }
  }
}
