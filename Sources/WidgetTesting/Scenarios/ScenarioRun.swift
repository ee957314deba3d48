import FoundationEssentials
import WidgetKitCore

/// Plays a scenario with a widget.
final class ScenarioRun {
  private let scenario: Scenario
  private let harness: WidgetHarness
  private let checks: ScenarioChecks
  /// The files that were recorded.
  var recorded: [String] { checks.recorded }

  /// Prepares a widget.
  ///
  /// - Parameters:
  ///   - scenario: What is done and expected.
  ///   - bundle: The widget.
  ///   - options: The world of the test; what the scenario says comes first.
  ///   - records: Whether goldens are written.
  /// - Throws: ``HarnessFailure`` if the widget cannot be prepared.
  init(
    _ scenario: Scenario,
    _ bundle: WidgetBundle,
    _ options: HarnessOptions,
    records: Bool
  ) throws(HarnessFailure) {
    self.scenario = scenario
    do throws(HarnessFailure) {
      harness = try WidgetHarness(bundle: bundle, scenario.world(options))
    } catch {
      throw scenario.located(error)
    }
    checks = ScenarioChecks(harness, folder: ScenarioFolder.path(of: bundle), records: records)
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
    case .appear(let width): try await harness.appear(width: width ?? 40)
    case .disappear: try await harness.disappear()
    case .update(let reason): try await harness.update(reason)
    case .press(let name): try await harness.press(name)
    case .type(let field, let text, let submits):
      guard let field else { throw HarnessFailure("“type” needs the “field” that is typed in") }
      try await harness.type(text, in: field, submits: submits)
    case .row(let change, let row): try await harness.change(change, row: row)
    case .edit(let begins): try await harness.edit(begins)
    case .expand(let isExpanded): try await harness.expand(isExpanded)
    case .lock(let isLocked): try await harness.lock(isLocked)
    case .hide(let isHidden): try await harness.hidePage(isHidden)
    case .theme(let isDark): try await harness.setDark(isDark)
    case .configure(let settings):
      do throws(HarnessFailure) {
        try harness.configure(settings.json)
      } catch {
        throw settings.located(error)
      }
      try await harness.settle()
    case .advance(let duration): try await harness.advance(by: duration)
    case .answerURLs(let opens): harness.opensURLs = opens
    case .denyActivities(let isDenied): harness.denyActivities(isDenied)
    case .post(let name): try await harness.post(name)
    case .notice(let notice, let application):
      try await harness.post(notice, from: application)
    case .deliver(let events): try await harness.deliver(events)
    case .warnOfMemory: try await harness.warnOfMemory()
    case .kill: try await harness.kill()
    case .request, .choose, .select, .back:
      throw HarnessFailure("this step is for share extensions and actions, and this is a widget")
    case .expect(let expectation): try check(expectation)
    }
  }

  // MARK: - Expectations

  private func check(_ expectation: Scenario.Expectation) throws(HarnessFailure) {
    var problems: [String] = []
    func compare(_ name: String, _ found: some CustomStringConvertible, _ expected: String?) {
      if let expected, "\(found)" != expected {
        problems.append("\(name): expected \(expected), found \(found)")
      }
    }
    let last = harness.updates.last
    compare("result", last?.result.rawValue ?? "no update", expectation.result?.rawValue)
    if let error = expectation.error, last?.error?.contains(error) != true {
      problems.append(
        "error: expected “\(error)”, found \(last?.error.map { "“\($0)”" } ?? "none")"
      )
    }
    compare("height", harness.height, expectation.height.map { "\($0)" })
    compare("shown", harness.card != nil, expectation.shown.map { "\($0)" })
    problems += checks.problems(expectation)
    if expectation.isOfRequest {
      problems.append(
        "outcome, returned, types, valid and remaining are for share extensions and actions"
      )
    }
    guard problems.isEmpty else { throw HarnessFailure(problems.joined(separator: "\n")) }
  }
}
