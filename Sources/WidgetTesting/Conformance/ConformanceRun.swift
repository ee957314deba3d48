import FoundationEssentials
public import WidgetKitCore
import WidgetPlatform

/// Runs a widget through its life on a page, several times, and checks the rules of the protocol.
///
/// | part | what is checked |
/// | --- | --- |
/// | ``LaunchChecks`` | the start, updates, and the view |
/// | ``FlawChecks`` | words for pictures and figures |
/// | ``InputChecks`` | presses, typing, rows |
/// | ``LockChecks`` | a locked page |
/// | ``ChangeChecks`` | transitions, themes, settings, messages of later versions |
/// | ``RestChecks`` | disappearance, suspension, denied activities |
/// | ``ContentChecks`` | a card that is hidden for good |
/// | ``DiskChecks`` | a full disk |
/// | ``EndChecks`` | the end of the page, of the input, and of the process |
public final class ConformanceRun {
  private let bundle: WidgetBundle
  private var options: HarnessOptions
  private let talk = TalkChecks()

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - options: The world of the test.
  public init(_ bundle: WidgetBundle, _ options: HarnessOptions = HarnessOptions()) {
    self.bundle = bundle
    self.options = options
    self.options.part = "start"
  }

  /// Makes all checks, and adds their results to a report.
  ///
  /// After a request that is never answered the others are not made, as each of them would wait as long.
  ///
  /// - Returns: Whether the widget starts and answers, so that scenarios can be played with it.
  @discardableResult
  public func run(_ report: inout TestReport) async -> Bool {
    let isUp = await LaunchChecks(self).run(&report)
    options.traces?.name(in: &report)
    guard isUp else {
      talk.check(&report)
      report.remark("no further checks, as they need a widget that starts and answers")
      return false
    }
    let isScript = bundle.script != nil
    if isScript {
      report.remark("a script does not speak the protocol, so that fewer checks apply")
    } else {
      await run("changes", &report) { await ChangeChecks(self).run(&$0) }
      await run("rest", &report) { await RestChecks(self).run(&$0) }
      await run("no-content", &report) { await ContentChecks(self).run(&$0) }
      await run("full-disk", &report) { await DiskChecks(self).run(&$0) }
    }
    await run("end", &report) { await EndChecks(self).run(&$0, isScript: isScript) }
    talk.check(&report)
    return true
  }

  /// Makes the checks of a part, whose traces have its name.
  private func run(
    _ part: String,
    _ report: inout TestReport,
    _ checks: (inout TestReport) async -> Void
  ) async {
    options.part = part
    await checks(&report)
    options.traces?.name(in: &report)
  }

  /// A page with the widget.
  func harness(_ change: (inout HarnessOptions) -> Void = { _ in }) throws(HarnessFailure)
    -> WidgetHarness
  {
    var options = options
    change(&options)
    return try WidgetHarness(bundle: bundle, options)
  }

  /// Ends a page, and keeps what was wrong with the messages of the widget.
  func end(_ harness: WidgetHarness) async {
    await harness.finish()
    talk.take(harness.record, log: harness.log)
  }

  /// Notes a message of the widget that is none of the protocol.
  func refuse(_ words: String) { talk.refuse(words) }
}

extension WidgetHarness {
  /// The first answer of the widget to a method, from the message at `start` on.
  func answer(to method: String, from start: Int = 0) -> HarnessMessage? {
    record.answer(to: method, from: start)
  }

  /// What is wrong with the answer to a method; nil if it came in time and has the right form.
  func problem<Request: RequestMessage>(
    with type: Request.Type,
    within limit: Duration,
    from start: Int = 0
  ) -> String? {
    record.problem(with: type, within: limit, patience: steps.longest, from: start)
  }

  /// What is wrong with the members of the answer to a method; nil if there is no answer, or it is an error.
  func malformation<Request: RequestMessage>(of type: Request.Type) -> String? {
    record.malformation(of: type)
  }

  /// The signal by which the page had to end the last process; nil if it has ended by itself.
  var lastSignal: String? { record.lastSignal }

  /// The lines of the log that have some words, from these words on.
  func log(of words: String) -> [String] { TalkChecks.lines(log, with: words) }

  /// The last lines of standard error, for a problem.
  var lastWords: String { record.lastWords }

  /// Takes a step that the widget must survive.
  ///
  /// - Returns: What is wrong; nil if it is still there and has come to rest.
  func survives(_ step: () async throws(HarnessFailure) -> Void) async -> String? {
    let ends = record.ends.count
    do throws(HarnessFailure) {
      try await step()
    } catch {
      // One that the host has killed says why.
      let reason = record.ends.count > ends ? record.endReasons.last ?? nil : nil
      return "\(error)\(reason.map { "; the process ended (\($0))" } ?? "")\(lastWords)"
    }
    guard record.ends.count > ends, let status = record.ends.last else { return nil }
    return record.ended(status)
  }
}

extension Duration {
  /// Seconds or milliseconds with their unit: `5 s`, `100 ms`.
  nonisolated var words: String {
    self < .seconds(1)
      ? "\(Int(self / .milliseconds(1))) ms" : "\(Int(self / .seconds(1))) s"
  }
}
