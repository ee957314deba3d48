import WidgetCards
import WidgetKitCore
import WidgetPages

/// What changes around a widget: the size of its card, its form, the theme, the settings, the protocol.
struct ChangeChecks {
  private let run: ConformanceRun

  init(_ run: ConformanceRun) {
    self.run = run
  }

  private static let widths = [20, 30, 60, 120]
  /// How often a widget may try to answer in time.
  private static let attempts = 3
  /// Whose answers are more than a pipe has room for.
  private static let lateRequests = 12

  /// Makes the checks.
  func run(_ report: inout TestReport) async {
    guard let harness = try? run.harness({ $0.animates = true }),
      (try? await harness.appear(width: 36)) != nil
    else { return report.check("the widget starts once more", problem: "it does not become idle") }
    await checkTransitions(harness, &report)
    await checkForms(harness, &report)
    await checkWidths(harness, &report)
    await NarrowChecks(harness).run(&report)
    let themed = await harness.survives { () throws(HarnessFailure) in
      try await harness.setDark(false)
      try await harness.setDark(true)
    }
    report.check("another theme is accepted", problem: themed)
    await checkSettings(harness, &report)
    let method = DidReceiveMemoryWarningNotification.method
    if harness.implements.contains(method) {
      let problem = await harness.survives { () throws(HarnessFailure) in
        try await harness.warnOfMemory()
      }
      report.check("a memory warning is survived", problem: problem)
    }
    await checkUnknown(harness, &report)
    await checkLateReading(harness, &report)
    await run.end(harness)
  }

  private func checkTransitions(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "viewWillTransitionToSize is answered within 100 ms"
    guard harness.implements.contains(ViewWillTransitionToSizeRequest.method) else {
      return report.skip(title, because: "not implemented")
    }
    for (number, isAnimated) in [(101, true), (102, false)] {
      var (answer, took): (HarnessMessage?, Duration) = (nil, .zero)
      // A busy machine may take the time, and does not do so each time.
      for _ in 0..<Self.attempts where answer == nil || took > .milliseconds(100) {
        let start = ContinuousClock.now
        answer = await harness.probe.ask(
          ViewWillTransitionToSizeRequest.method,
          """
          {"size":{"width":36,"height":\(harness.height + 1)},"transition":\(number),\
          "duration":\(isAnimated ? 0.25 : 0),"curve":"easeInOut","animated":\(isAnimated)}
          """
        )
        took = start.duration(to: .now)
        if answer == nil { break }
      }
      var problem: String?
      if let answer {
        if case .error = answer.kind { problem = String(decoding: answer.bytes, as: UTF8.self) }
        if took > .milliseconds(100) { problem = "it took \(took.words)" }
      } else {
        problem = "no answer\(harness.lastWords)"
      }
      report.check("\(title), \(isAnimated ? "animated" : "not animated")", problem: problem)
      guard harness.implements.contains(TransitionDidCompleteNotification.method) else { continue }
      let ended = await harness.survives { () throws(HarnessFailure) in
        await harness.probe.tell(
          TransitionDidCompleteNotification.method,
          #"{"transition":\#(number),"finished":\#(isAnimated)}"#
        )
      }
      let word = isAnimated ? "finished" : "replaced"
      report.check("a transition that is \(word) is completed", problem: ended)
    }
  }

  private func checkWidths(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let (view, start) = (harness.view, harness.messages.count)
    let resized = await harness.survives { () throws(HarnessFailure) in
      for width in Self.widths { try await harness.appear(width: width) }
    }
    report.check("other widths are accepted", problem: resized)
    let title = "between updates the view shows the same data"
    let back = await harness.survives { () throws(HarnessFailure) in
      try await harness.appear(width: 36)
      try await harness.advance(by: .milliseconds(500))
    }
    // What it sends by itself, or is asked for, may be new.
    let methods = [SetViewNotification.method, WidgetPerformUpdateRequest.method]
    let hasNews = harness.messages.dropFirst(start).contains {
      $0.isFromWidget && methods.contains($0.method ?? "")
    }
    guard resized == nil, back == nil, let view, let now = harness.view, !hasNews else {
      return report.skip(title, because: "it shows new data by itself")
    }
    // At one moment, so that what the page counts is equal.
    let environment = harness.center.look.environment
    let words = TextDifference.words(
      ViewLayout.layOut(view, width: 36, height: nil, in: environment).textRows,
      ViewLayout.layOut(now, width: 36, height: nil, in: environment).textRows
    )
    report.check(title, problem: words.isEmpty ? nil : words.joined(separator: "\n"))
  }

  /// A page that draws to a slow terminal reads late, so that the widget waits in the middle of a line.
  private func checkLateReading(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "output that is read late, as by a slow terminal, is complete"
    guard await harness.probe.ask("today/later", isKnown: false) != nil else {
      return report.skip(title, because: "it does not answer unknown requests")
    }
    var answered = 0
    let problem = await harness.survives { () throws(HarnessFailure) in
      answered = await harness.probe.askLate("today/later", count: Self.lateRequests)
      try await harness.settle()
    }
    let isComplete = answered == Self.lateRequests
    report.check(
      title,
      problem: problem
        ?? (isComplete ? nil : "\(answered) of \(Self.lateRequests) requests were answered")
    )
  }

  private func checkForms(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "the expanded and the compact form are shown"
    guard harness.card?.offersExpanded == true else {
      return report.skip(title, because: "the widget offers one form")
    }
    let problem = await harness.survives { () throws(HarnessFailure) in
      try await harness.expand(true)
      try await harness.advance(by: .seconds(1))
      try await harness.expand(false)
      try await harness.advance(by: .seconds(1))
    }
    report.check(title, problem: problem)
  }

  private func checkSettings(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let title = "changed settings are accepted"
    guard harness.implements.contains(ConfigurationDidChangeNotification.method) else {
      return report.skip(title, because: "not implemented: the widget is restarted")
    }
    let defaults =
      WidgetConfiguration.defaults(of: harness.bundle.settings, home: HomeFolder(["HOME": "/"]))
      ?? WidgetConfiguration()
    let line = OutgoingLine.notification(
      ConfigurationDidChangeNotification(configuration: defaults)
    )
    let problem = await harness.survives { () throws(HarnessFailure) in
      harness.record.current?.probe(line)
      try await harness.settle()
    }
    report.check(title, problem: problem)
  }

  /// Both sides can grow: what a later version says is not understood, and does no harm.
  private func checkUnknown(_ harness: WidgetHarness, _ report: inout TestReport) async {
    let ignored = await harness.survives { () throws(HarnessFailure) in
      await harness.probe.tell("today/later", #"{"a":[1,{"b":null}]}"#)
    }
    report.check("an unknown notification is ignored", problem: ignored)
    var answer: HarnessMessage?
    let refused = await harness.survives { () throws(HarnessFailure) in
      answer = await harness.probe.ask("today/later", #"{"a":[1,{"b":null}]}"#, isKnown: false)
    }
    report.check("an unknown request does no harm", problem: refused)
    if refused == nil, !isRefused(answer) {
      report.remark(
        "note: an unknown request gets no error −32601, by which the host would know at once"
      )
    }
    let method = WidgetPerformUpdateRequest.method
    guard harness.implements.contains(method) else { return }
    var update: HarnessMessage?
    let members = await harness.survives { () throws(HarnessFailure) in
      update = await harness.probe.ask(method, #"{"reason":"user","later":{"a":[1]}}"#)
    }
    let isAnswered = if case .result? = update?.kind { true } else { false }
    report.check(
      "unknown members are ignored",
      problem: members
        ?? (isAnswered ? nil : "\(method) with an unknown member was not answered with a result")
    )
  }

  private func isRefused(_ answer: HarnessMessage?) -> Bool {
    if case .error = answer?.kind { true } else { false }
  }
}
