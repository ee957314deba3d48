/// Makes the changes that findings have, until none is left that can be made.
public struct BundleMending {
  private let check: () async -> [LintFinding]
  /// What was changed, in words.
  public private(set) var changes: [String] = []

  /// The most rounds: one change can uncover what the next one mends.
  private static let rounds = 10

  /// Prepares the changes for what `check` finds.
  public init(_ check: @escaping () async -> [LintFinding]) {
    self.check = check
  }

  /// Makes the changes.
  ///
  /// - Returns: The findings that are left.
  /// - Throws: ``HarnessFailure`` if a file cannot be changed.
  public mutating func run() async throws(HarnessFailure) -> [LintFinding] {
    var done: Set<LintFix> = []
    var findings = await check()
    for _ in 0..<Self.rounds {
      let mendable = findings.filter { $0.fix.map { !done.contains($0) } ?? false }
      guard !mendable.isEmpty else { break }
      for finding in mendable {
        guard let fix = finding.fix, done.insert(fix).inserted else { continue }
        try fix.apply()
        changes.append("\(finding.file): corrected “\(finding.message)” [\(finding.rule.rawValue)]")
      }
      findings = await check()
    }
    return findings
  }
}
