/// What a reader of the screen misses in the views that a widget has sent.
///
/// The same rules as those of `today lint`, which names the place of each node.
enum FlawChecks {
  private static let rules: [(rule: NodeFlaw.Rule, title: String)] = [
    (.missingAlt, "pictures have an alt text"),
    (.missingLabel, "figures have words for screen readers"),
    (.rawEscape, "texts have no control characters"),
  ]

  /// The names of the checks.
  static let titles = Set(rules.map(\.title))

  /// Makes the checks for everything that was sent on a page.
  static func run(_ harness: WidgetHarness, _ report: inout TestReport) {
    var flaws = NodeFlaws()
    for message in harness.messages { flaws.check(message) }
    for (rule, title) in rules {
      let words = flaws.found.filter { $0.rule == rule }.prefix(5).map {
        "\($0.path): \($0.message); \($0.advice)"
      }
      report.check(title, problem: words.isEmpty ? nil : words.joined(separator: "\n"))
    }
  }
}
