import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetSessions

/// What a user does on the card: presses, typing, changes of rows.
///
/// No row is removed or added.
struct InputChecks {
  private let harness: WidgetHarness

  init(_ harness: WidgetHarness) {
    self.harness = harness
  }

  /// Makes the checks on a card that is shown.
  func run(_ report: inout TestReport) async {
    guard harness.view != nil else { return }
    checkNames(&report)
    checkLinks(&report)
    await checkTyping(&report)
    await checkPresses(&report)
    await checkEditing(&report)
  }

  private func checkNames(_ report: inout TestReport) {
    var problems: [String] = []
    harness.view?.forEachInput { node in
      switch node.content {
      case .field: if node.id == nil { problems.append("a field has no id") }
      case .list(let list):
        if node.id == nil { problems.append("a list has no id") }
        var ids: Set<String> = []
        for row in list.rows where !ids.insert(row.id).inserted {
          problems.append("two rows have the id “\(SafeText(row.id))”")
        }
      default: break
      }
    }
    report.check(
      "lists, rows and fields can be told from each other",
      problem: problems.isEmpty ? nil : problems.prefix(5).joined(separator: "\n")
    )
    let nameless = harness.targets.filter { target in
      if case .field = target.role { return false }
      return target.label.string.allSatisfy { !$0.isLetter && !$0.isNumber }
        && (target.action ?? target.link) != nil
    }
    report.check(
      "everything that can be pressed has a name for screen readers",
      problem: nameless.isEmpty
        ? nil
        : nameless.prefix(5).map {
          "“\(SafeText($0.action ?? $0.link ?? ""))” has no text; give it an accessibilityLabel"
        }.joined(separator: "\n")
    )
  }

  private func checkLinks(_ report: inout TestReport) {
    let wrong = Set(harness.targets.compactMap(\.link)).filter { CheckedURL($0) == nil }.sorted()
    report.check(
      "links are URLs",
      problem: wrong.isEmpty
        ? nil : wrong.map { "not a URL: \(SafeText($0))" }.joined(separator: "\n")
    )
  }

  private func checkTyping(_ report: inout TestReport) async {
    guard harness.implements.contains(FieldDidChangeNotification.method) else { return }
    let fields = harness.targets.compactMap { target in
      if case .field(let field) = target.role { field.id } else { nil }
    }
    for field in fields {
      let problem = await harness.survives { () throws(HarnessFailure) in
        try await harness.type("a", in: field)
        try await harness.type("", in: field)
      }
      report.check("typing in the field “\(SafeText(field))” is accepted", problem: problem)
    }
  }

  private func checkPresses(_ report: inout TestReport) async {
    let actions = harness.targets.filter { $0.action != nil }
    guard !actions.isEmpty else {
      return report.skip("a press on each element is answered", because: "nothing can be pressed")
    }
    let isPressable = harness.implements.contains(PerformActionRequest.method)
    report.check(
      "performAction is implemented where elements have actions",
      problem: isPressable ? nil : "\(actions.count) elements have an action"
    )
    guard isPressable else { return }
    let urls = harness.openedURLs.count
    var pressed: [String] = []
    for target in actions {
      guard let action = target.action, !pressed.contains(action) else { continue }
      pressed.append(action)
      await checkPress(action, isToggle: target.newValue != nil, &report)
    }
    let title = "a URL that is not opened is survived"
    guard harness.openedURLs.count > urls else {
      return report.skip(title, because: "no press opens a URL")
    }
    harness.opensURLs = false
    let problem = await harness.survives { () throws(HarnessFailure) in
      for action in pressed where harness.targets.contains(where: { $0.action == action }) {
        try await harness.press(action)
      }
    }
    harness.opensURLs = true
    report.check(title, problem: problem)
  }

  private func checkPress(
    _ action: String,
    isToggle: Bool,
    _ report: inout TestReport
  ) async {
    let start = harness.messages.count
    // An earlier press may have removed the element.
    guard harness.targets.contains(where: { $0.action == action }) else { return }
    var problem = await harness.survives { () throws(HarnessFailure) in
      try await harness.press(action)
    }
    if problem == nil,
      harness.messages.dropFirst(start).contains(where: { $0.method == "performAction" })
    {
      problem = harness.problem(
        with: PerformActionRequest.self,
        within: SessionPolicy().widgetPerformUpdate,
        from: start
      )
    }
    let title = "a press on “\(SafeText(action))” is answered"
    let runsCommand = harness.messages.dropFirst(start).contains {
      $0.method == RunCommandRequest.method
    }
    if problem != nil, runsCommand {
      return report.skip(title, because: "it runs a command, which the user has to permit")
    }
    report.check(title, problem: problem)
    // A toggle is pressed again, so that the next press finds what this one has found.
    guard isToggle, harness.targets.contains(where: { $0.action == action }) else { return }
    let back = await harness.survives { () throws(HarnessFailure) in try await harness.press(action)
    }
    report.check("and the toggle back", problem: back)
  }

  private func checkEditing(_ report: inout TestReport) async {
    let isMovable = harness.implements.contains(ListDidMoveRowRequest.method)
    guard harness.card?.allowsEditing == true else {
      guard isMovable else { return }
      return report.remark(
        "warning: listDidMoveRow is implemented, but rows are moved only where initialize is answered "
          + "with allowsEditing"
      )
    }
    let lists = lists
    let problem = await harness.survives { () throws(HarnessFailure) in
      try await harness.edit(true)
      for (_, rows) in lists where isMovable && rows.count > 1 {
        try await harness.change(.move(1), row: rows[0])
        try await harness.change(.move(-1), row: rows[0])
      }
      try await harness.edit(false)
    }
    report.check("the widget can be edited", problem: problem)
    guard isMovable, problem == nil else { return }
    report.check(
      "a row that was moved and moved back is where it was",
      problem: self.lists.elementsEqual(lists) { $0.rows == $1.rows }
        ? nil : "the rows have another order"
    )
  }

  /// The lists of the view that have a name, with the names of their rows.
  private var lists: [(id: String, rows: [String])] {
    var lists: [(id: String, rows: [String])] = []
    harness.view?.forEachInput { node in
      guard case .list(let list) = node.content, let id = node.id else { return }
      lists.append((id: id, rows: list.rows.map(\.id)))
    }
    return lists
  }
}
