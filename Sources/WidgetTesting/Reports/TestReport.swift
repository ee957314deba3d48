import FoundationEssentials
import WidgetKitCore

/// The results of checks, as TAP version 13 (testanything.org), JUnit's XML, JSON, or annotations of GitHub's jobs.
///
/// TAP and annotations are written as the checks are made, the others at the end.
public struct TestReport {
  /// A form of the report.
  public enum Format: String, CaseIterable, Sendable {
    case tap
    case junit
    case json
    /// Workflow commands (docs.github.com, “Workflow commands for GitHub Actions”).
    case github
  }

  /// A check that was made.
  public struct Check: Codable, Hashable, Sendable {
    /// The widget and the part of its test.
    public var suite: String
    /// What was checked.
    public var name: String
    /// The problem, in words; nil if the check passed.
    public var problem: String?
    /// Why it does not apply; nil if it does.
    public var skipped: String?
  }

  /// The checks, in order.
  public private(set) var checks: [Check] = []
  /// The part of the test that is under way.
  public var suite = ""
  /// Whether something was recorded.
  public private(set) var hasRecorded = false
  /// How many checks were made.
  public var checkCount: Int { checks.count }
  /// How many checks failed.
  public var failureCount: Int { checks.count { $0.problem != nil } }

  /// The first check whose problems are referred to when they come again; nil if each is said where it is.
  private var firstReferred: Int?
  private let format: Format
  private let onLine: (String) -> Void

  /// Creates an empty report.
  ///
  /// - Parameters:
  ///   - format: Its form.
  ///   - onLine: Called with each line.
  public init(_ format: Format = .tap, onLine: @escaping (String) -> Void = { _ in }) {
    self.format = format
    self.onLine = onLine
    if format == .tap { onLine("TAP version 13") }
  }

  /// Adds the result of a check.
  ///
  /// - Parameters:
  ///   - name: What was checked.
  ///   - problem: The problem, in a sentence; nil if the check passed. It may begin with the place in a file:
  ///     `NAME:LINE:COLUMN: `.
  ///   - file: The path of that file; nil for none.
  public mutating func check(_ name: String, problem: String? = nil, in file: String? = nil) {
    checks.append(Check(suite: suite, name: name, problem: problem))
    add("\(problem == nil ? "ok" : "not ok") \(checkCount) - \(name)")
    for line in problem.map(lines) ?? [] { add("# \(line)") }
    if format == .github, let problem {
      onLine(
        WorkflowCommand.annotation(
          "error",
          file: file.map(Self.relative),
          place: file.flatMap { _ in TextPlace(beginning: problem) },
          title: "\(suite): \(name)",
          problem
        )
      )
    }
  }

  /// Says a problem that comes again only once in TAP from now on, in which the other checks name the number of its
  /// first one.
  ///
  /// The other formats have each problem with its check, as programs read them one by one.
  mutating func beginReferring() { firstReferred = checkCount }

  /// Says each problem where it is again.
  mutating func endReferring() { firstReferred = nil }

  /// The lines below a check that has failed in TAP.
  private func lines(of problem: String) -> [String] {
    let earlier = firstReferred.flatMap { first in
      checks.indices.dropFirst(first).dropLast().first { checks[$0].problem == problem }
    }
    if let earlier { return ["as for check \(earlier + 1)"] }
    return problem.split(separator: "\n").map(String.init)
  }

  /// A path as a repository has it, if it is below the present folder.
  private static func relative(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  /// Adds a check that does not apply to this widget.
  public mutating func skip(_ name: String, because reason: String) {
    checks.append(Check(suite: suite, name: name, skipped: reason))
    add("ok \(checkCount) - \(name) # SKIP \(reason)")
  }

  /// Adds a remark.
  public mutating func remark(_ text: String) {
    for line in text.split(separator: "\n") { add("# \(line)") }
  }

  /// Notes that a file was recorded.
  public mutating func noteRecording(_ path: String) {
    hasRecorded = true
    remark("recorded \(path)")
  }

  /// Ends the report.
  public mutating func finish() {
    switch format {
    case .tap: add("1..\(checkCount)")
    case .github: onLine("\(checkCount) checks, \(failureCount) failed")
    case .junit: for line in junit { onLine(line) }
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let summary = Summary(checks: checks, failures: failureCount)
      let bytes = (try? encoder.encode(summary)) ?? Data()
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        onLine(String(line))
      }
    }
  }

  private struct Summary: Codable {
    var checks: [Check]
    var failures: Int
  }

  private func add(_ line: String) {
    if format == .tap { onLine(line) }
  }

  /// The form of JUnit that continuous integration reads.
  private var junit: [String] {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites tests="\#(checkCount)" failures="\#(failureCount)">"#,
    ]
    var suites: [String] = []
    for check in checks where !suites.contains(check.suite) { suites.append(check.suite) }
    for suite in suites {
      let checks = checks.filter { $0.suite == suite }
      let failures = checks.count { $0.problem != nil }
      let skipped = checks.count { $0.skipped != nil }
      lines.append(
        #"<testsuite name="\#(xml(suite))" tests="\#(checks.count)" failures="\#(failures)" skipped="\#(skipped)">"#
      )
      for check in checks {
        let head = #"<testcase classname="\#(xml(suite))" name="\#(xml(check.name))""#
        if let problem = check.problem {
          lines.append(#"\#(head)><failure>\#(xml(problem))</failure></testcase>"#)
        } else if let reason = check.skipped {
          lines.append(#"\#(head)><skipped message="\#(xml(reason))"/></testcase>"#)
        } else {
          lines.append("\(head)/>")
        }
      }
      lines.append("</testsuite>")
    }
    return lines + ["</testsuites>"]
  }

  /// A text inside quotes, in which line feeds are kept.
  private func xml(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { MarkupText.escaped(String($0)) }.joined(separator: "&#10;")
  }
}
