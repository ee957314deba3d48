import FoundationEssentials
import WidgetKitCore

/// What a scenario looks at: a page with a widget, or a host with a request.
@MainActor
protocol ScenarioSubject {
  /// What is looked at, in words.
  var shownName: String { get }
  /// The text of what is shown, row by row.
  var rows: [String] { get }
  /// The text of what is shown at another width, row by row.
  func rows(width: Int) -> [String]
  var messages: [HarnessMessage] { get }
  var log: [String] { get }
  var openedURLs: [String] { get }
  var alerts: [String] { get }
  var containers: Containers { get }
}

extension WidgetHarness: ScenarioSubject {
  var shownName: String { "the card" }
}

extension RequestHarness: ScenarioSubject {
  var shownName: String { "the extension" }
}

extension Scenario {
  /// Takes the steps in their order, to the first one that fails.
  ///
  /// - Parameters:
  ///   - record: What the tested extension has said.
  ///   - perform: Takes one step.
  /// - Returns: What is not as expected, with its place; nil if everything is.
  func play(
    _ record: HarnessRecord,
    perform: (Action) async throws(HarnessFailure) -> Void
  ) async -> String? {
    for step in steps {
      do throws(HarnessFailure) {
        try await perform(step.action)
      } catch {
        return "\(error.isLocated ? "" : "\(step.place): ")\(error)\(record.lastWords)"
      }
    }
    return nil
  }
}

/// The expectations of a scenario that widgets and requests share.
///
/// A class because it keeps how much of everything was expected already.
final class ScenarioChecks {
  private let subject: any ScenarioSubject
  private let folder: String
  private let records: Bool
  /// The files that were recorded.
  private(set) var recorded: [String] = []
  private var seen = (messages: 0, opened: 0, alerts: 0)
  private var files: WrittenFiles

  /// Prepares the checks.
  ///
  /// - Parameters:
  ///   - subject: What is looked at.
  ///   - folder: The folder of the scenarios.
  ///   - records: Whether goldens are written.
  init(_ subject: any ScenarioSubject, folder: String, records: Bool) {
    (self.subject, self.folder, self.records) = (subject, folder, records)
    files = WrittenFiles(subject.containers)
  }

  /// Makes them.
  ///
  /// - Returns: What is not as expected.
  func problems(_ expectation: Scenario.Expectation) -> [String] {
    var problems = textProblems(expectation) + goldenProblems(expectation)
    problems += eventProblems(expectation)
    if let log = expectation.log, !subject.log.contains(where: { $0.contains(log) }) {
      problems.append("log: no line contains “\(log)”")
    }
    seen = (subject.messages.count, subject.openedURLs.count, subject.alerts.count)
    files = WrittenFiles(subject.containers)
    return problems
  }

  private func textProblems(_ expectation: Scenario.Expectation) -> [String] {
    var problems: [String] = []
    let widths = expectation.widths.map(Optional.some)
    for width in widths.isEmpty ? [nil] : widths {
      let rows = width.map { subject.rows(width: $0) } ?? subject.rows
      let place = width.map { " at \($0) columns" } ?? ""
      let shown =
        "\n\(subject.shownName) shows"
        + (rows.isEmpty ? " nothing" : ":\n" + Self.quoted(rows))
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
      rows = ["--- the card"] + subject.rows
    }
    for width in expectation.widths {
      rows += ["--- \(width) columns"] + subject.rows(width: width)
    }
    let file = GoldenFile(path: "\(folder)/Goldens/\(name).txt")
    let (problem, isRecorded) = file.check(rows, records: records)
    if isRecorded { recorded.append(file.path) }
    return problem.map { ["golden: \($0)"] } ?? []
  }

  private func eventProblems(_ expectation: Scenario.Expectation) -> [String] {
    var problems: [String] = []
    let sent = subject.messages.dropFirst(seen.messages)
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
    compare("opened", Array(subject.openedURLs.dropFirst(seen.opened)), expectation.opened)
    compare("alerts", Array(subject.alerts.dropFirst(seen.alerts)), expectation.alerts)
    if let written = expectation.written {
      compare("written", WrittenFiles(subject.containers).changes(since: files), written.sorted())
    }
    return problems
  }

  static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "nothing" : texts.map { "“\($0)”" }.joined(separator: ", ")
  }

  private static func quoted(_ rows: [String]) -> String {
    rows.prefix(40).map { "  │\($0)" }.joined(separator: "\n")
  }
}
