import WidgetKitCore
import WidgetPages

/// A view that appears again without an update: the widget shows what it has, and collects nothing for it.
struct AppearanceChecks {
  private let harness: WidgetHarness

  /// How often the view appears; what differs each time is new data, and what differs once may be the time of day.
  private static let count = 4
  /// What an appearance may take, in the time of the clock or of processors.
  private static let limit: Duration = .milliseconds(250)
  private static let width = 36

  init(_ harness: WidgetHarness) {
    self.harness = harness
  }

  /// Makes the checks on a card that is shown.
  func run(_ report: inout TestReport) async {
    let sameData = "a view that appears again shows the same data until the next update"
    let costs = "a view that appears again is made in less than \(Self.limit.words)"
    guard harness.implements.contains(ViewWillAppearRequest.method), harness.card != nil else {
      for title in [sameData, costs] { report.skip(title, because: "not implemented") }
      return
    }
    var (differences, last): ([[String]], ViewNode?) = ([], nil)
    var fastest = Duration.seconds(60)
    let work = harness.page.processorTime
    for _ in 0..<Self.count {
      let count = harness.messages.count
      let appearance = await appearAgain()
      guard let view = appearance.view else { break }
      fastest = min(fastest, appearance.took)
      // A widget that is alive may have sent other data by itself since it appeared.
      if let before = last {
        differences.append(TextDifference.words(rows(before), rows(view)))
      }
      last = harness.messages.dropFirst(count).last(where: isView).flatMap(notified) ?? view
    }
    let share = (harness.page.processorTime - work) / Self.count
    guard differences.count == Self.count - 1 else {
      for title in [sameData, costs] {
        report.skip(title, because: "its view comes at another time than with viewWillAppear")
      }
      return
    }
    report.check(
      sameData,
      problem: differences.allSatisfy { !$0.isEmpty }
        ? "each viewWillAppear has brought other data; show those of the last update:\n"
          + (differences.last ?? []).joined(separator: "\n")
        : nil
    )
    let slow = fastest > Self.limit ? fastest : share > Self.limit ? share : nil
    report.check(
      costs,
      problem: slow.map {
        "each viewWillAppear takes \($0.words); show what there is, and collect new data in "
          + WidgetPerformUpdateRequest.method
      }
    )
  }

  private func rows(_ view: ViewNode) -> [String] {
    let environment = harness.center.look.environment
    return ViewLayout.layOut(view, width: Self.width, height: nil, in: environment).textRows
  }

  /// Lets the view go and come back, without time between the two.
  ///
  /// - Returns: What the widget shows by the time it answers, nil if that is nothing new; and how long the answer took.
  private func appearAgain() async -> (view: ViewNode?, took: Duration) {
    if harness.implements.contains(ViewWillDisappearRequest.method) {
      _ = await harness.probe.ask(ViewWillDisappearRequest.method)
    }
    if harness.implements.contains(ViewDidDisappearNotification.method) {
      await harness.probe.tell(ViewDidDisappearNotification.method)
    }
    let (count, start) = (harness.messages.count, ContinuousClock.now)
    let answer = await harness.probe.ask(
      ViewWillAppearRequest.method,
      #"{"size":{"width":\#(Self.width),"height":\#(max(1, harness.height))},"animated":false}"#
    )
    let took = start.duration(to: .now)
    let sent = harness.messages.dropFirst(count).last(where: isView)
    let view = answer.flatMap(content)?.view ?? sent.flatMap(notified)
    if harness.implements.contains(ViewDidAppearNotification.method) {
      await harness.probe.tell(ViewDidAppearNotification.method)
    }
    return (view, took)
  }

  private func content(_ answer: HarnessMessage) -> ContentUpdate? {
    guard case .result = answer.kind, let line = try? IncomingLine(answer.bytes[...]) else {
      return nil
    }
    return try? line.decode(ContentUpdate.self)
  }

  private func isView(_ message: HarnessMessage) -> Bool {
    message.isFromWidget && message.method == SetViewNotification.method
  }

  private func notified(_ message: HarnessMessage) -> ViewNode? {
    guard let line = try? IncomingLine(message.bytes[...]) else { return nil }
    return try? line.decode(SetViewNotification.self).view
  }
}
