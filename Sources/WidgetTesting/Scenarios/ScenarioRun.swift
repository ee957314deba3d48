import FoundationEssentials
import WidgetKitCore

/// Plays a scenario with a widget.
final class ScenarioRun {
  private let scenario: Scenario
  private let bundle: WidgetBundle
  private let harness: WidgetHarness
  private let records: Bool
  /// The files that were recorded.
  private(set) var recorded: [String] = []
  /// How much of everything was expected already.
  private var seen = (messages: 0, opened: 0, alerts: 0)
  private var files: WrittenFiles

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
    self.bundle = bundle
    self.records = records
    var options = options
    options.configuration = scenario.configuration
    options.now = scenario.now ?? options.now
    options.locale = scenario.locale ?? options.locale
    options.timeZone = scenario.timeZone ?? options.timeZone
    harness = try WidgetHarness(bundle: bundle, options)
    files = WrittenFiles(harness.containers)
  }

  /// Plays it.
  ///
  /// - Returns: What is not as expected, with its place; nil if everything is.
  func run() async -> String? {
    var problem: String?
    for step in scenario.steps {
      do throws(HarnessFailure) {
        try await perform(step.action)
      } catch {
        problem = "\(step.place): \(error)\(lastWords)"
        break
      }
    }
    await harness.finish()
    return problem
  }

  private var lastWords: String {
    let lines = harness.record.log.suffix(10).map { "  \($0)" }
    return lines.isEmpty
      ? "" : "\nthe last lines on standard error:\n" + lines.joined(separator: "\n")
  }

  private func perform(_ action: Scenario.Action) async throws(HarnessFailure) {
    switch action {
    case .appear(let width): try await harness.appear(width: width ?? 40)
    case .disappear: try await harness.disappear()
    case .update(let reason): try await harness.update(reason)
    case .press(let name): try await harness.press(name)
    case .type(let field, let text, let submits):
      try await harness.type(text, in: field, submits: submits)
    case .row(let change, let row): try await harness.change(change, row: row)
    case .edit(let begins): try await harness.edit(begins)
    case .expand(let isExpanded): try await harness.expand(isExpanded)
    case .lock(let isLocked): try await harness.lock(isLocked)
    case .hide(let isHidden): try await harness.hidePage(isHidden)
    case .theme(let isDark): try await harness.setDark(isDark)
    case .configure(let json):
      try harness.configure(json)
      try await harness.settle()
    case .advance(let duration): try await harness.advance(by: duration)
    case .answerURLs(let opens): harness.opensURLs = opens
    case .denyActivities(let isDenied): harness.denyActivities(isDenied)
    case .post(let name): try await harness.post(name)
    case .deliver(let events): try await harness.deliver(events)
    case .warnOfMemory: try await harness.warnOfMemory()
    case .kill: try await harness.kill()
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
    problems += textProblems(expectation)
    problems += goldenProblems(expectation)
    problems += eventProblems(expectation)
    if let log = expectation.log, !harness.log.contains(where: { $0.contains(log) }) {
      problems.append("log: no line contains “\(log)”")
    }
    seen = (harness.messages.count, harness.openedURLs.count, harness.alerts.count)
    files = WrittenFiles(harness.containers)
    guard problems.isEmpty else { throw HarnessFailure(problems.joined(separator: "\n")) }
  }

  private func textProblems(_ expectation: Scenario.Expectation) -> [String] {
    var problems: [String] = []
    let widths = expectation.widths.map(Optional.some)
    for width in widths.isEmpty ? [nil] : widths {
      let rows = width.map { harness.rows(width: $0) } ?? harness.rows
      let place = width.map { " at \($0) columns" } ?? ""
      let shown =
        rows.isEmpty ? "\nthe card shows nothing" : "\nthe card shows:\n" + Self.quoted(rows)
      for text in expectation.contains where !rows.contains(where: { $0.contains(text) }) {
        problems.append("contains: no row has “\(text)”\(place)\(shown)")
      }
      for text in expectation.lacks where rows.contains(where: { $0.contains(text) }) {
        problems.append("lacks: a row has “\(text)”\(place)\(shown)")
      }
    }
    return problems
  }

  private func goldenProblems(_ expectation: Scenario.Expectation) -> [String] {
    guard let name = expectation.golden else { return [] }
    var rows: [String] = []
    if expectation.widths.isEmpty {
      rows = ["--- the card"] + harness.rows
    }
    for width in expectation.widths {
      rows += ["--- \(width) columns"] + harness.rows(width: width)
    }
    let folder = ScenarioFolder.path(of: bundle) + "/Goldens"
    let file = GoldenFile(path: "\(folder)/\(name).txt")
    let (problem, isRecorded) = file.check(rows, records: records)
    if isRecorded { recorded.append(file.path) }
    return problem.map { ["golden: \($0)"] } ?? []
  }

  private func eventProblems(_ expectation: Scenario.Expectation) -> [String] {
    var problems: [String] = []
    let sent = harness.messages.dropFirst(seen.messages)
      .filter { $0.isFromWidget && !$0.isAnswer && $0.method != "log" }.compactMap(\.method)
    if let expected = expectation.sent {
      var rest = sent[...]
      let isFound = expected.allSatisfy { method in
        guard let index = rest.firstIndex(of: method) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
      if !isFound || expected.isEmpty && !sent.isEmpty {
        problems.append("sent: expected \(Self.list(expected)), found \(Self.list(sent))")
      }
    }
    func compare(_ name: String, _ found: [String], _ expected: [String]?) {
      if let expected, expected != found {
        problems.append("\(name): expected \(Self.list(expected)), found \(Self.list(found))")
      }
    }
    compare("opened", Array(harness.openedURLs.dropFirst(seen.opened)), expectation.opened)
    compare("alerts", Array(harness.alerts.dropFirst(seen.alerts)), expectation.alerts)
    if let written = expectation.written {
      compare("written", WrittenFiles(harness.containers).changes(since: files), written.sorted())
    }
    return problems
  }

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "nothing" : texts.map { "“\($0)”" }.joined(separator: ", ")
  }

  private static func quoted(_ rows: [String]) -> String {
    rows.prefix(40).map { "  │\($0)" }.joined(separator: "\n")
  }
}
