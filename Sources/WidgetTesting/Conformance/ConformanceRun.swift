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
  private let options: HarnessOptions
  /// What was written that is not a message, and what exceeds a limit.
  private var faults: [String] = []
  /// Requests and notifications that the page has refused.
  private var refusals: [String] = []

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - options: The world of the test.
  public init(_ bundle: WidgetBundle, _ options: HarnessOptions = HarnessOptions()) {
    self.bundle = bundle
    self.options = options
  }

  /// Makes all checks, and adds their results to a report.
  ///
  /// After a request that is never answered the others are not made, as each of them would wait as long.
  ///
  /// - Returns: Whether the widget starts and answers, so that scenarios can be played with it.
  @discardableResult
  public func run(_ report: inout TestReport) async -> Bool {
    guard await LaunchChecks(self).run(&report) else {
      checkTalk(&report)
      report.remark("no further checks, as they need a widget that starts and answers")
      return false
    }
    let isScript = bundle.script != nil
    if isScript {
      report.remark("a script does not speak the protocol, so that fewer checks apply")
    } else {
      await ChangeChecks(self).run(&report)
      await RestChecks(self).run(&report)
      await ContentChecks(self).run(&report)
      await DiskChecks(self).run(&report)
    }
    await EndChecks(self).run(&report, isScript: isScript)
    checkTalk(&report)
    return true
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
    for fault in harness.record.faults where !faults.contains(fault) { faults.append(fault) }
    for message in harness.messages where message.isFromWidget && message.kind == nil {
      let line = SafeText(String(decoding: message.bytes.prefix(120), as: UTF8.self))
      let reason = parseError(message.bytes)
      let fault = "not a message: \(reason ?? "\(line)")"
      if !faults.contains(fault) { faults.append(fault) }
    }
    for words in harness.log(of: "refused: ") {
      let words = String(words.dropFirst("refused: ".count))
      if words.contains("params.") { refuse(words) }
    }
    for message in harness.messages where !message.isFromWidget {
      guard case .error = message.kind, let line = try? IncomingLine(message.bytes[...]),
        let error = try? line.decode(WireError.self),
        [.invalidRequest, .invalidParams, .methodNotFound].contains(error.code)
      else { continue }
      refuse("\(message.method.map { "\($0): " } ?? "")\(error.message)")
    }
  }

  /// Notes a message of the widget that is none of the protocol.
  func refuse(_ words: String) {
    if !refusals.contains(words) { refusals.append(words) }
  }

  private func parseError(_ bytes: [UInt8]) -> String? {
    do throws(WireError) {
      _ = try IncomingLine(bytes[...])
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func checkTalk(_ report: inout TestReport) {
    report.check(
      "only messages on standard output",
      problem: faults.isEmpty ? nil : faults.prefix(5).joined(separator: "\n")
    )
    report.check(
      "the messages of the widget are those of the protocol",
      problem: refusals.isEmpty ? nil : refusals.prefix(5).joined(separator: "\n")
    )
  }
}

extension WidgetHarness {
  /// The first answer of the widget to a method, from the message at `start` on.
  func answer(to method: String, from start: Int = 0) -> HarnessMessage? {
    messages.dropFirst(start).first { $0.isFromWidget && $0.isAnswer && $0.method == method }
  }

  /// What is wrong with the answer to a method; nil if it came in time and has the right form.
  func problem<Request: RequestMessage>(
    with _: Request.Type,
    within limit: Duration,
    from start: Int = 0
  ) -> String? {
    guard let answer = answer(to: Request.method, from: start) else {
      guard messages.contains(where: { $0.method == Request.method }) else {
        return "it was never asked\(lastWords)"
      }
      if let status = record.ends.last { return "the process ended (\(status))\(lastWords)" }
      return "no answer in \(min(limit, patience).words); "
        + "standard output may be buffered: flush it after each line\(lastWords)"
    }
    guard let line = try? IncomingLine(answer.bytes[...]) else {
      return "the answer cannot be read"
    }
    do throws(WireError) {
      if case .error = line.kind { throw try line.decode(WireError.self) }
      if !line.contentBytes.elementsEqual("null".utf8) { _ = try line.decode(Request.Reply.self) }
    } catch {
      return "\(error)"
    }
    guard let took = answer.took, took > limit else { return nil }
    return "it took \(took.words)"
  }

  /// What is wrong with the members of the answer to a method; nil if there is no answer, or it is an error.
  func malformation<Request: RequestMessage>(of _: Request.Type) -> String? {
    guard let answer = answer(to: Request.method), case .result = answer.kind,
      let line = try? IncomingLine(answer.bytes[...])
    else { return nil }
    do throws(WireError) {
      _ = try line.decode(Request.Reply.self)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The signal by which the page had to end the last process; nil if it has ended by itself.
  var lastSignal: String? {
    switch record.endings[record.runs]?.last {
    case .terminate: "SIGTERM"
    case .kill: "SIGKILL"
    case .resume, nil: nil
    }
  }

  /// The lines of the log that have some words, from these words on.
  func log(of words: String) -> [String] {
    log.compactMap { line in line.firstRange(of: words).map { String(line[$0.lowerBound...]) } }
  }

  /// The last lines of standard error, for a problem.
  var lastWords: String {
    let lines = record.log.suffix(10).map { "  \($0)" }
    return lines.isEmpty
      ? "" : "\nthe last lines on standard error:\n" + lines.joined(separator: "\n")
  }

  /// Takes a step that the widget must survive.
  ///
  /// - Returns: What is wrong; nil if it is still there and has come to rest.
  func survives(_ step: () async throws(HarnessFailure) -> Void) async -> String? {
    let ends = record.ends.count
    do throws(HarnessFailure) {
      try await step()
    } catch {
      return "\(error)\(lastWords)"
    }
    guard record.ends.count > ends else { return nil }
    return "the process ended (\(record.ends.last?.description ?? ""))\(lastWords)"
  }
}

extension Duration {
  /// Seconds or milliseconds with their unit: `5 s`, `100 ms`.
  nonisolated var words: String {
    self < .seconds(1)
      ? "\(Int(self / .milliseconds(1))) ms" : "\(Int(self / .seconds(1))) s"
  }
}
