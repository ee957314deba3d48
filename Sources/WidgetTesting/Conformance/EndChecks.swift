import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// The end of a process in every way, and the next one.
struct EndChecks {
  private let run: ConformanceRun
  private let policy = SessionPolicy()

  init(_ run: ConformanceRun) {
    self.run = run
  }

  /// Makes the checks.
  func run(_ report: inout TestReport, isScript: Bool) async {
    await checkKill(&report)
    if !isScript { await checkEndOfInput(&report) }
  }

  private func checkKill(_ report: inout TestReport) async {
    guard let harness = try? run.harness(), (try? await harness.appear(width: 36)) != nil else {
      return report.check("the widget starts a third time", problem: "it does not become idle")
    }
    guard harness.card != nil else {
      report.skip(
        "it starts again after it was killed during an update",
        because: "the widget has hidden its card with setHasContent"
      )
      return await run.end(harness)
    }
    let hadView = harness.view != nil
    let updates = harness.updates
    var problem: String?
    do throws(HarnessFailure) {
      harness.page.update(.user)
      try await harness.kill()
      // The page waits before it starts a widget again that has failed.
      try await harness.advance(by: .seconds(5))
    } catch {
      problem = "\(error)\(harness.lastWords)"
    }
    if problem == nil, hadView, harness.card != nil, harness.view == nil {
      problem = "there is no view"
    }
    // An update may fail, if it has failed before, as without a network.
    let mayFail =
      updates.last?.result == .failed && harness.updates.count > updates.count
      && harness.updates.last?.result == .failed
    let hasFailed = harness.card?.state == .failed && hadView && !mayFail
    if problem == nil, harness.card?.state == .stopped || hasFailed {
      problem = harness.card?.message?.string ?? "it has failed"
    }
    report.check("it starts again after it was killed during an update", problem: problem)
    await run.end(harness)
    if problem == nil, hadView { await checkSameCells(&report) }
  }

  /// Until its first update, a new process shows what the last one has shown.
  private func checkSameCells(_ report: inout TestReport) async {
    let title = "a new process begins with the cells of the last one, but for numbers"
    guard let harness = try? run.harness(), (try? await harness.appear(width: 36)) != nil else {
      return report.check(title, problem: "the widget does not become idle")
    }
    await checkSameCells(harness, title, &report)
    await run.end(harness)
  }

  private func checkSameCells(
    _ harness: WidgetHarness,
    _ title: String,
    _ report: inout TestReport
  ) async {
    let width = harness.body?.size.columns ?? 36
    // Of the view itself: the card of a compact form may be higher.
    let before = harness.rows(width: width)
    let start = harness.messages.count
    do throws(HarnessFailure) {
      try await harness.kill()
      try await harness.advance(by: .seconds(5))
    } catch {
      return report.check(title, problem: "\(error)\(harness.lastWords)")
    }
    guard let view = firstView(harness, from: start) else {
      return report.skip(title, because: "it shows nothing before its first update")
    }
    let environment = harness.center.look.environment
    let first = ViewLayout.layOut(view, width: width, height: nil, in: environment)
    let words = TextDifference.words(shape(before), shape(first.textRows))
    report.check(title, problem: words.isEmpty ? nil : words.joined(separator: "\n"))
  }

  /// The first view of the last process before its first update; nil if there is none.
  private func firstView(_ harness: WidgetHarness, from start: Int) -> ViewNode? {
    for message in harness.messages.dropFirst(start) where message.isFromWidget {
      guard message.run == harness.record.runs,
        let line = try? IncomingLine(message.bytes[...])
      else { continue }
      switch message.method {
      case WidgetPerformUpdateRequest.method: return nil
      case InitializeRequest.method:
        if let view = try? line.decode(InitializeRequest.Reply.self).content.view { return view }
      case ViewWillAppearRequest.method:
        if let view = try? line.decode(ContentUpdate.self).view { return view }
      case SetViewNotification.method: return try? line.decode(SetViewNotification.self).view
      default: break
      }
    }
    return nil
  }

  /// The rows without numbers, and without what is drawn for them.
  private func shape(_ rows: [String]) -> [String] {
    rows.map { row in
      row.filter { character in
        let scalar = character.unicodeScalars.first?.value ?? 0
        let isFigure = (0x2500...0x25FF).contains(scalar) || (0x2800...0x28FF).contains(scalar)
        return !character.isWhitespace && !character.isNumber && !isFigure
          && !".,+-–−%:".contains(character)
      }
    }
  }

  private func checkEndOfInput(_ report: inout TestReport) async {
    guard let harness = try? run.harness(), (try? await harness.appear(width: 36)) != nil else {
      return
    }
    let ends = harness.record.ends.count
    harness.page.closeInput()
    var waited = WaitedTime()
    while harness.record.ends.count == ends, waited.total < policy.shutdown {
      await StepWait.turn(after: .milliseconds(1))
      waited.takeTurn()
    }
    report.check(
      "the end of its input: the process exits within \(policy.shutdown.words)",
      problem: harness.record.ends.count > ends
        ? nil : "still running; a widget whose host has gone must exit"
    )
    await run.end(harness)
  }
}
