/// The results of checks, as TAP version 13 (testanything.org).
public struct TestReport {
  /// The lines so far, without the plan.
  public private(set) var lines: [String] = []
  /// How many checks were made.
  public private(set) var checkCount = 0
  /// How many checks failed.
  public private(set) var failureCount = 0
  /// Called with each line.
  public var onLine: ((String) -> Void)?

  /// Creates an empty report.
  public init() {}

  /// Adds the result of a check.
  ///
  /// - Parameters:
  ///   - name: What was checked.
  ///   - problem: The problem, in a sentence; nil if the check passed.
  public mutating func check(_ name: String, problem: String? = nil) {
    checkCount += 1
    if let problem {
      failureCount += 1
      add("not ok \(checkCount) - \(name)")
      for line in problem.split(separator: "\n") { add("# \(line)") }
    } else {
      add("ok \(checkCount) - \(name)")
    }
  }

  /// Adds a check that does not apply to this widget.
  public mutating func skip(_ name: String, because reason: String) {
    checkCount += 1
    add("ok \(checkCount) - \(name) # SKIP \(reason)")
  }

  /// Adds a remark.
  public mutating func remark(_ text: String) {
    add("# \(text)")
  }

  /// Ends the report with its plan.
  public mutating func finish() {
    add("1..\(checkCount)")
  }

  private mutating func add(_ line: String) {
    lines.append(line)
    onLine?(line)
  }
}
