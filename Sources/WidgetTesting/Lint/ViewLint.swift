import FoundationEssentials
import WidgetCards
import WidgetKitCore

/// Runs a widget, and checks the views that it sends, and the rules of the protocol.
struct ViewLint {
  private let widget: WidgetBundle
  private let options: HarnessOptions

  /// The bytes of a view from which on it is worth a thought: each is sent, stored and read again.
  private static let largeView = 64 * 1_024
  /// The rows of a card that leave nothing of a terminal of 24 rows to others.
  private static let tallView = 40
  private static let width = 40

  init(_ widget: WidgetBundle, _ options: HarnessOptions) {
    self.widget = widget
    self.options = options
  }

  func run() async -> [LintFinding] {
    var findings: [LintFinding] = []
    if widget.script == nil { findings = await views() }
    var report = TestReport()
    report.suite = widget.bundleIdentifier
    await ConformanceRun(widget, options).run(&report)
    for check in report.checks where !FlawChecks.titles.contains(check.name) {
      guard let problem = check.problem else { continue }
      findings.append(
        finding(
          .conformance,
          check.name,
          "“\(check.name)” fails",
          problem.split(separator: "\n").joined(separator: "; ")
        )
      )
    }
    return findings
  }

  private func finding(
    _ rule: LintRule,
    _ member: String,
    _ message: String,
    _ advice: String
  ) -> LintFinding {
    LintFinding(rule, widget.executablePath, member: member, message, advice: advice)
  }

  private func views() async -> [LintFinding] {
    var options = options
    options.part = "views"
    guard let harness = try? WidgetHarness(bundle: widget, options) else { return [] }
    // What keeps it from being shown is a matter of the protocol.
    try? await harness.appear(width: Self.width)
    var findings: [LintFinding] = []
    var nodes = NodeFlaws()
    var isLarge = false
    var unread: [UnknownMembers.Member] = []
    for message in harness.messages where message.isFromWidget {
      if message.bytes.count > Self.largeView, !isLarge {
        isLarge = true
        findings.append(
          finding(
            .viewSize,
            message.method ?? "view",
            "a view has \(message.bytes.count) bytes",
            "send what fits on a card; every view is stored and read again"
          )
        )
      }
      nodes.check(message)
      for member in UnknownMembers.members(of: message) where !unread.contains(member) {
        unread.append(member)
      }
    }
    let rows = harness.rows(width: Self.width).count
    if rows > Self.tallView, harness.card?.offersExpanded != true {
      findings.append(
        finding(
          .viewHeight,
          "view",
          "the card has \(rows) rows at \(Self.width) columns",
          "offer an expanded form, and show the most important rows in the compact one"
        )
      )
    }
    await harness.finish()
    findings += unread.map { member in
      finding(
        .unknownMember,
        member.path,
        "\(member.message) has a member that is not read",
        member.nearest.map { "did you mean “\($0)”?" } ?? "Docs/Protocol.md lists its members"
      )
    }
    return findings
      + nodes.found.map { flaw in
        finding(LintRule(flaw.rule), flaw.path, flaw.message, flaw.advice)
      }
  }
}

extension LintRule {
  /// The rule of this name.
  fileprivate init(_ rule: NodeFlaw.Rule) {
    switch rule {
    case .missingAlt: self = .missingAlt
    case .missingLabel: self = .missingLabel
    case .rawEscape: self = .rawEscape
    case .unknownMember: self = .unknownMember
    }
  }
}
