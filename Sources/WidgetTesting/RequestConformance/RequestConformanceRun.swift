package import ExtensionContent
import WidgetKitCore

/// Runs a share or action extension through requests, and checks the rules of the protocol.
///
/// | part | what is checked |
/// | --- | --- |
/// | ``RequestStartChecks`` | the start, and what is shown or done |
/// | ``SheetChecks`` | the compose sheet: text, items, completions |
/// | ``RequestViewChecks`` | a view of its own |
/// | ``CompletionChecks`` | Post and Cancel, and what is returned |
/// | ``RequestContentChecks`` | contents of all kinds that its rule accepts, and odd ones |
/// | ``RequestWorldChecks`` | another locale, slow and full disks, later versions of the host |
/// | ``RequestEndChecks`` | the end of the host, of the process, and of the time after the request |
/// | ``ScriptRequestChecks`` | what a script returns, and its options |
package final class RequestConformanceRun {
  /// The parts in their order.
  enum Part: CaseIterable {
    case start
    case sheet
    case view
    case completion
    case content
    case world
    case end
  }

  let target: ContentExtension
  let samples: SampleContents
  private let table: TypeTable
  private var options: HarnessOptions
  private let talk = TalkChecks("extension")
  /// Whether it starts and answers, without which the other parts are not of use.
  private var hasStarted = false
  /// What was loaded before the sheet was up, which delays it: attachments and types.
  var earlyLoads: [String] = []

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - target: The extension: a bundle or a script.
  ///   - table: The types that are known.
  ///   - options: The world of the test.
  package init(_ target: ContentExtension, _ table: TypeTable, _ options: HarnessOptions) {
    (self.target, self.table, self.options) = (target, table, options)
    samples = SampleContents(for: target, table)
  }

  /// Makes all checks, and adds their results to a report.
  ///
  /// - Returns: Whether the extension starts and answers, so that scenarios can be played with it.
  @discardableResult
  package func run(_ report: inout TestReport) async -> Bool {
    guard let first = samples.all.first else {
      report.check(
        "its activation rule accepts a content",
        problem:
          "of all types that are known, it accepts none, alone or up to four times, so that it is never "
          + "offered; look for a count of 0, and for types that are misspelt"
      )
      return true
    }
    // What is wrong with all contents is wrong with each.
    report.beginReferring()
    defer { report.endReferring() }
    report.check("its activation rule accepts a content")
    report.remark("with \(first.name)")
    await run(.start, &report)
    guard hasStarted else {
      talk.check(&report)
      report.remark("no further checks, as they need an extension that starts and answers")
      return false
    }
    for part in Part.allCases where part != .start { await run(part, &report) }
    if target.script == nil { talk.check(&report) }
    return true
  }

  /// Makes the checks of a part.
  func run(_ part: Part, _ report: inout TestReport) async {
    guard let first = samples.all.first else { return }
    options.part = "\(part)"
    defer { options.traces?.name(in: &report) }
    switch part {
    case .start where target.script != nil:
      report.remark("a script does not speak the protocol, so that fewer checks apply")
      hasStarted = true
      await ScriptRequestChecks(self, first).run(&report)
    case .start: hasStarted = await RequestStartChecks(self, first).run(&report)
    case .sheet: await SheetChecks(self, first).run(&report)
    case .view: await RequestViewChecks(self, first).run(&report)
    case .completion where target.script != nil: break
    case .completion: await CompletionChecks(self, first).run(&report)
    case .content:
      var checks = RequestContentChecks(self)
      await checks.run(&report)
    case .world: await RequestWorldChecks(self, first).run(&report)
    case .end: await RequestEndChecks(self, first).run(&report)
    }
  }

  /// A host with the extension.
  func harness(_ change: (inout HarnessOptions) -> Void = { _ in }) throws(HarnessFailure)
    -> RequestHarness
  {
    var options = options
    change(&options)
    return try RequestHarness(target, table, options)
  }

  /// Ends a host, and keeps what was wrong with the messages of the extension.
  func end(_ harness: RequestHarness) async {
    await harness.finish()
    // What has not come to rest once is not waited for so long in each of the other hosts.
    if harness.steps.wasOverdue { options.patience = harness.steps.patience }
    talk.take(harness.record, log: harness.log)
  }

  /// Notes a message of the extension that is none of the protocol.
  func refuse(_ words: String) { talk.refuse(words) }

  /// Takes steps in a host of their own.
  ///
  /// - Parameters:
  ///   - change: What is different in its world.
  ///   - steps: The steps; what they return is what is wrong.
  /// - Returns: What is wrong; nil if nothing is.
  func problem(
    _ change: (inout HarnessOptions) -> Void = { _ in },
    _ steps: (RequestHarness) async throws(HarnessFailure) -> String?
  ) async -> String? {
    let harness: RequestHarness
    do throws(HarnessFailure) {
      harness = try self.harness(change)
    } catch {
      return error.description
    }
    var problem: String?
    do throws(HarnessFailure) {
      problem = try await steps(harness)
    } catch {
      problem = "\(error)\(harness.record.lastWords)"
    }
    await end(harness)
    return problem
  }
}

extension RequestHarness {
  /// Begins a request with a content and goes on as a person in a hurry does: posts what is there, if that is valid.
  ///
  /// - Returns: What is wrong; nil if the request was completed, or cancelled with a reason, or waits for its user.
  func take(_ content: HarnessContent) async throws(HarnessFailure) -> String? {
    let start = record.messages.count
    try await begin(content)
    if outcome == nil, hasView, isContentValid, postsByHost { try await post() }
    return problem(from: start)
  }

  /// Whether the host draws a button that goes on.
  var postsByHost: Bool {
    host.target.shares || implements.contains(DidSelectPostRequest.method)
      || host.target.role == .viewer
  }

  /// What is wrong with the state of a request; nil if it was completed, or cancelled with a reason, or goes on.
  ///
  /// - Parameter start: The message with which the request began.
  /// - Returns: The problem, in words.
  func problem(from start: Int) -> String? {
    switch outcome {
    case .completed, .cancelled: return nil
    case .failed(let reason) where host.target.script != nil:
      return end?.hasSaidWhy == true
        ? nil
        : "\(reason); a script that cannot do its work says why on standard error, in its last line"
    case .failed(let reason):
      let said = record.messages.dropFirst(start).filter(\.isFromWidget)
      if let cancel = said.last(where: { $0.method == CancelRequestNotification.method }),
        let line = try? IncomingLine(cancel.bytes[...]),
        let message = try? line.decode(CancelRequestNotification.self)
      {
        let hasReason = message.error?.isEmpty == false || message.itemErrors?.isEmpty == false
        return hasReason ? nil : "it has cancelled the request without an error for its user"
      }
      let isPostError = said.contains {
        if case .error = $0.kind { $0.method == DidSelectPostRequest.method } else { false }
      }
      return isPostError ? nil : "\(reason)\(record.lastWords)"
    case nil where !hasView: return "it neither completed nor cancelled the request"
    case nil: return nil
    }
  }
}
