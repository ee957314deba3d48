import FoundationEssentials
import WidgetKitCore

/// Findings in words, as JSON, as SARIF 2.1.0 (OASIS), or as annotations of GitHub's jobs.
public nonisolated struct LintReport {
  /// A form of the report.
  public enum Format: String, CaseIterable, Sendable {
    case text
    case json
    case sarif
    case github
  }

  private let findings: [LintFinding]
  private let folder: String
  private let version: String

  /// Creates a report; paths below `folder` are shown from there.
  public init(_ findings: [LintFinding], folder: String, version: String) {
    self.findings = findings
    self.folder = folder
    self.version = version
  }

  /// Whether there is more than notes.
  public var hasFailed: Bool { findings.contains { $0.rule.severity != .note } }

  /// The lines of the report.
  public func lines(_ format: Format) -> [String] {
    switch format {
    case .text: findings.map(text) + [summary]
    case .github: findings.map(annotation)
    case .json: encoded(Document(findings: findings.map(item)))
    case .sarif: encoded(sarif)
    }
  }

  /// A path as it is shown.
  private func shown(_ path: String) -> String {
    path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
  }

  private var summary: String {
    let counts: [(String, Int)] = [LintRule.Severity.error, .warning, .note].map { severity in
      (severity.rawValue, findings.count { $0.rule.severity == severity })
    }
    let words = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)\($0.1 == 1 ? "" : "s")" }
    return words.isEmpty ? "nothing found" : words.joined(separator: ", ")
  }

  // MARK: - Lines

  /// `FILE:LINE:COLUMN: SEVERITY: words [RULE]`, as compilers write it, so that editors find the place.
  private func text(_ finding: LintFinding) -> String {
    let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
    let member = finding.member.map { "\($0): " } ?? ""
    let fix = finding.fix == nil ? "" : " (--fix does it)"
    let isNamed = finding.message.hasPrefix(finding.member ?? " ")
    return "\(shown(finding.file))\(place): \(finding.rule.severity.rawValue): "
      + "\(isNamed || finding.rule == .conformance ? "" : member)\(finding.message); "
      + "\(finding.advice)\(fix) [\(finding.rule.rawValue)]"
  }

  private func annotation(_ finding: LintFinding) -> String {
    WorkflowCommand.annotation(
      finding.rule.severity == .note ? "notice" : finding.rule.severity.rawValue,
      file: shown(finding.file),
      place: finding.place,
      title: "today lint: \(finding.rule.rawValue)",
      "\(finding.message); \(finding.advice)"
    )
  }

  // MARK: - Documents

  private func encoded(_ value: some Encodable) -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(value)) ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private struct Document: Encodable {
    var findings: [Item]
  }

  private struct Item: Encodable {
    var rule: String
    var severity: String
    var file: String
    var line: Int?
    var column: Int?
    var member: String?
    var message: String
    var advice: String
    var isFixable: Bool
  }

  private func item(_ finding: LintFinding) -> Item {
    Item(
      rule: finding.rule.rawValue,
      severity: finding.rule.severity.rawValue,
      file: shown(finding.file),
      line: finding.place?.line,
      column: finding.place?.column,
      member: finding.member,
      message: finding.message,
      advice: finding.advice,
      isFixable: finding.fix != nil
    )
  }

  private var sarif: SarifLog {
    let rules = LintRule.allCases.map { rule in
      SarifLog.Rule(
        id: rule.rawValue,
        shortDescription: .init(text: rule.summary),
        defaultConfiguration: .init(level: rule.severity.rawValue)
      )
    }
    let results = findings.map { finding in
      SarifLog.Result(
        ruleId: finding.rule.rawValue,
        level: finding.rule.severity.rawValue,
        message: .init(text: "\(finding.message); \(finding.advice)"),
        locations: [
          .init(
            physicalLocation: .init(
              artifactLocation: .init(uri: Self.uri(shown(finding.file))),
              region: finding.place.map { .init(startLine: $0.line, startColumn: $0.column) }
            ),
            logicalLocations: finding.member.map { [.init(fullyQualifiedName: $0)] }
          )
        ]
      )
    }
    let driver = SarifLog.Driver(name: "today lint", version: version, rules: rules)
    return SarifLog(runs: [.init(tool: .init(driver: driver), results: results)])
  }

  /// A path as a reference (RFC 3986).
  private static func uri(_ path: String) -> String {
    path.utf8.reduce(into: "") { result, byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        byte < 0x80 && (character.isLetter || character.isNumber || "/-._~".contains(character))
      let hex = String(byte, radix: 16, uppercase: true)
      result += isPlain ? String(character) : "%" + (hex.count == 1 ? "0\(hex)" : hex)
    }
  }
}

/// The parts of SARIF 2.1.0 that the report has.
private nonisolated struct SarifLog: Encodable {
  var version = "2.1.0"
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var runs: [Run]

  enum CodingKeys: String, CodingKey {
    case version
    case schema = "$schema"
    case runs
  }

  struct Run: Encodable {
    var tool: Tool
    var results: [Result]
  }

  struct Tool: Encodable {
    var driver: Driver
  }

  struct Driver: Encodable {
    var name: String
    var version: String
    var rules: [Rule]
  }

  struct Rule: Encodable {
    var id: String
    var shortDescription: Message
    var defaultConfiguration: Configuration
  }

  struct Configuration: Encodable {
    var level: String
  }

  struct Message: Encodable {
    var text: String
  }

  struct Result: Encodable {
    var ruleId: String
    var level: String
    var message: Message
    var locations: [Location]
  }

  struct Location: Encodable {
    var physicalLocation: PhysicalLocation
    var logicalLocations: [LogicalLocation]?
  }

  struct PhysicalLocation: Encodable {
    var artifactLocation: Artifact
    var region: Region?
  }

  struct Artifact: Encodable {
    var uri: String
  }

  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int
  }

  struct LogicalLocation: Encodable {
    var fullyQualifiedName: String
  }
}
