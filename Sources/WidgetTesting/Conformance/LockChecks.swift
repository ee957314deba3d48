import FoundationEssentials
import WidgetKitCore
import WidgetPages

/// A page that is locked: nothing private is shown, no press reaches the widget, no URL is opened.
struct LockChecks {
  private let harness: WidgetHarness

  /// The width at which private texts are looked for, so that hardly any is wrapped.
  private static let width = 200
  /// A text with fewer letters and digits may be elsewhere by chance.
  private static let shortestText = 4

  init(_ harness: WidgetHarness) {
    self.harness = harness
  }

  /// Makes the checks on a card that is shown.
  func run(_ report: inout TestReport) async {
    guard harness.card != nil, harness.view != nil else { return }
    checkCover(&report)
    let start = harness.messages.count
    let updates = harness.implements.contains(WidgetPerformUpdateRequest.method)
    let locked = await harness.survives { () throws(HarnessFailure) in
      try await harness.lock(true)
      for target in harness.targets where target.action != nil {
        harness.center.input.press(target, on: harness.id)
      }
      if updates { try await harness.update(.user) }
    }
    let isPressed = harness.messages.dropFirst(start).contains {
      $0.method == PerformActionRequest.method
    }
    report.check(
      "a locked page is survived, and no press reaches the widget",
      problem: locked ?? (isPressed ? "it was sent performAction" : nil)
    )
    let unlocked = await harness.survives { () throws(HarnessFailure) in
      try await harness.lock(false)
    }
    report.check("a page that is unlocked is survived", problem: unlocked)
    await checkURL(&report)
  }

  // MARK: - Private content

  private func checkCover(_ report: inout TestReport) {
    let title = "what is private is covered on a locked page"
    guard let view = harness.view, view.hasPrivateContent else {
      return report.skip(title, because: "no part of the view is privacySensitive")
    }
    let shown = rows(view, redactsPrivate: true)
    let open = privateTexts(view).filter { text in shown.contains { $0.contains(text) } }
    report.check(
      title,
      problem: open.isEmpty
        ? nil
        : "“\(open[0])” is privacySensitive, and is also in a part of the view that is not"
    )
  }

  private func rows(_ view: ViewNode, redactsPrivate: Bool = false) -> [String] {
    var environment = harness.center.look.environment
    environment.redactsPrivate = redactsPrivate
    let picture = ViewLayout.layOut(view, width: Self.width, height: nil, in: environment)
    return picture.textRows
  }

  /// The texts of the private parts, row by row.
  private func privateTexts(_ node: ViewNode) -> [String] {
    guard node.privacySensitive else { return node.children.flatMap(privateTexts) }
    return rows(node).map { String($0.drop { $0 == " " }) }.filter { text in
      text.count { $0.isLetter || $0.isNumber } >= Self.shortestText
    }
  }

  // MARK: - URLs

  private func checkURL(_ report: inout TestReport) async {
    let title = "a URL that is requested while the page is locked is survived"
    let method = OpenURLRequest.method
    guard harness.messages.contains(where: { $0.isFromWidget && $0.method == method }) else {
      return report.skip(title, because: "no press opens a URL")
    }
    // The page is locked before it reads the request.
    harness.record.onRequest = { [center = harness.center] in
      if $0 == method { center.setLocked(true) }
    }
    var pressed: Set<String> = []
    let problem = await harness.survives { () throws(HarnessFailure) in
      for action in harness.targets.compactMap(\.action) where pressed.insert(action).inserted {
        guard harness.targets.contains(where: { $0.action == action }) else { continue }
        try await harness.press(action)
        try await harness.lock(false)
      }
    }
    harness.record.onRequest = nil
    report.check(title, problem: problem)
  }
}
