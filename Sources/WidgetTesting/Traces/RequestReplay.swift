import ExtensionContent
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// Plays a recorded share extension or action against the host of requests: the same messages, and what a person did
/// between them.
///
/// What the host does not say by itself it is led to: a text, a choice, a press, Post or Cancel. What it cannot be led
/// to is a ``differences`` entry. Of several requests to one extension, each is played.
package final class RequestReplay {
  /// A request as it was at its end.
  package struct Result {
    /// The name of the extension.
    package var name: String
    /// The text of the sheet or the view, row by row.
    package var rows: [String]
    /// How it has ended: `completed`, `cancelled`, `failed: …`; nil if the trace ends before.
    package var outcome: String?
  }

  /// Where the host said something other than what was recorded.
  package private(set) var differences: [String] = []

  private let trace: Trace
  private let widget: String
  private let environment: [String: String]

  /// How much later than in the trace the host may say something.
  private static let delay: Duration = .seconds(1)

  /// Whether what a trace has of a program is requests, and not a widget on a page.
  package static func isOfRequests(_ widget: String, in trace: Trace) -> Bool {
    trace.parameters(of: InitializeRequest.method, widget)?["reason"]?.string == "request"
  }

  /// Prepares a replay of what a trace has of one extension.
  package init(_ trace: Trace, _ widget: String, environment: [String: String]) {
    (self.trace, self.widget, self.environment) = (trace, widget, environment)
  }

  /// Plays all requests.
  ///
  /// - Parameter width: The columns of the text.
  /// - Returns: The requests, in their order.
  /// - Throws: ``HarnessFailure`` if the trace does not have their start.
  package func run(width: Int) async throws(HarnessFailure) -> [Result] {
    let entries = trace.entries(of: widget).filter { $0.widget != nil && !$0.isOfTest }
    var results: [Result] = []
    for number in Set(entries.map(\.run)).sorted() {
      results.append(try await play(entries.filter { $0.run == number }, width: width))
    }
    return results
  }

  private final class Run {
    var recorded: RecordedWidget?
  }

  private func play(
    _ entries: [Trace.Entry],
    width: Int
  ) async throws(HarnessFailure) -> Result {
    guard let first = Trace.parameters(of: InitializeRequest.method, in: entries),
      let point = first["extensionPoint"]?.string.flatMap(ExtensionPoint.named),
      point.presentation != .card
    else { throw HarnessFailure("the trace has no start of a request to \(widget)") }
    var options = HarnessOptions(environment: environment)
    options.now = trace.date
    options.timeZone = first["timeZone"]?.string ?? "UTC"
    options.locale = first["locale"]?.string ?? options.locale
    let name = Trace.name(in: entries) ?? widget
    let folders = try HarnessFolders(environment)
    let isViewer = first["role"]?.string == "viewer"
    let role =
      isViewer
      ? "<key>NSExtensionServiceRoleType</key><string>NSExtensionServiceRoleTypeViewer</string>"
      : ""
    let target = try StandInBundle.make(name, at: point, in: folders.path, role)
    let run = Run()
    let harness = try RequestHarness(target, .standard, options, folders) { _ in
      { _, _, report in
        let recorded = RecordedWidget(report: report)
        run.recorded = recorded
        return recorded
      }
    }
    try harness.open(Self.content(first), options: [:]).start()
    await turn(harness)
    for entry in entries { await play(entry, run, harness) }
    let result = Result(
      name: name,
      rows: harness.rows(width: width),
      outcome: harness.outcome?.description
    )
    run.recorded?.end(.exited(0))
    await harness.finish()
    return result
  }

  /// Content as large as what was recorded, which a trace does not have.
  private static func content(_ initialize: JSONTree) -> HarnessContent {
    let items = initialize["extensionContext"]?["inputItems"]?.items ?? []
    var content = HarnessContent(items: [])
    for item in items {
      let attachments = item["attachments"]?.items ?? []
      content.items.append(attachments.map { HarnessContent.Attachment(recorded: $0) })
    }
    return content
  }

  /// A message whose returned files are empty texts: a trace does not have the files.
  private static func withoutFiles(_ bytes: [UInt8]) -> [UInt8] {
    guard let tree = try? JSONTree(bytes),
      tree["method"]?.string == CompleteRequestRequest.method
    else { return bytes }
    return withoutFiles(tree).json
  }

  private static func withoutFiles(_ tree: JSONTree) -> JSONTree {
    if let items = tree.items { return .array(items.map(withoutFiles)) }
    guard let members = tree.members else { return tree }
    return .object(
      members.map { member in
        member.name == "path"
          ? JSONTree.Member(name: "text", value: .string(""))
          : JSONTree.Member(name: member.name, value: withoutFiles(member.value))
      }
    )
  }

  /// Lets the host do what follows from what has happened.
  private func turn(_ harness: RequestHarness) async {
    for _ in 0..<4 {
      harness.clock.advance(by: .zero)
      await StepWait.turn(after: .zero)
    }
  }

  // MARK: - Entries

  private func play(_ entry: Trace.Entry, _ run: Run, _ harness: RequestHarness) async {
    let passed =
      min(max(0, entry.time), 366 * 86_400) - harness.clock.date.timeIntervalSince(trace.date)
    if passed > 0 { harness.clock.advance(by: .milliseconds(Int64(passed * 1_000))) }
    switch entry.content {
    case .event("exit", let details):
      run.recorded?.end(Trace.status(details["status"]?.string ?? ""))
    case .event: break
    case .message(true, let bytes):
      if run.recorded?.say(Self.withoutFiles(bytes)) != true {
        note(entry, "an answer was recorded to a request that the host has not made")
      }
    case .message(false, let bytes):
      switch entry.content.kind {
      case .request(let id, let method): await expect(method, id, bytes, entry, run, harness)
      case .notification(let method): await expect(method, nil, bytes, entry, run, harness)
      case .result, .error, nil: break
      }
    }
    // What is returned is taken over beside the loop.
    await harness.steps.passRealTime(upTo: .seconds(1)) { harness.request?.stage != .completing }
    await turn(harness)
  }

  private func expect(
    _ method: String,
    _ id: MessageID?,
    _ bytes: [UInt8],
    _ entry: Trace.Entry,
    _ run: Run,
    _ harness: RequestHarness
  ) async {
    if run.recorded?.take(method, recordedAs: id) == true { return }
    if method == ClockDidChangeNotification.method {
      // Before whatever else the host says, it tells the time; led to a message, it may have done so already.
      harness.page?.tellTime()
      _ = run.recorded?.take(method, recordedAs: id)
      return
    }
    lead(to: method, (try? JSONTree(bytes))?["params"] ?? .null, harness)
    await turn(harness)
    if run.recorded?.take(method, recordedAs: id) == true { return }
    // What is taken over beside the loop takes real time, so that what follows from it may be due a little later.
    let end = harness.clock.now + Self.delay
    while let next = harness.clock.timeToNextTimer, harness.clock.now + next <= end {
      harness.clock.advance(by: next)
      await turn(harness)
      if run.recorded?.take(method, recordedAs: id) == true { return }
    }
    note(entry, "\(method) was recorded, and the host does not send it")
  }

  /// Does what a person did, so that the host sends a message.
  private func lead(to method: String, _ parameters: JSONTree, _ harness: RequestHarness) {
    guard let request = harness.request else { return }
    switch method {
    case PresentationAnimationDidFinishNotification.method:
      request.presentationAnimationDidFinish()
    case ContentDidChangeRequest.method:
      harness.shown?.type(parameters["text"]?.string ?? "")
    case ConfigurationItemChosenRequest.method:
      request.chooseConfigurationItem(
        parameters["id"]?.string ?? "",
        value: parameters["value"]?.string
      )
    case PerformActionRequest.method:
      request.perform(
        PerformActionRequest(
          action: parameters["action"]?.string ?? "",
          value: parameters["value"]?.flag,
          text: parameters["text"]?.string
        )
      )
    case FieldDidChangeNotification.method:
      request.fieldDidChange(
        FieldDidChangeNotification(
          field: parameters["field"]?.string ?? "",
          text: parameters["text"]?.string ?? ""
        )
      )
    case DidSelectPostRequest.method: harness.shown?.post(parameters["text"]?.string ?? "")
    case DidSelectCancelRequest.method: request.cancel()
    case ShutdownNotification.method:
      if harness.outcome == nil { request.cancel() }
      request.quit()
    default: break
    }
  }

  private func note(_ entry: Trace.Entry, _ words: String) {
    let time = "\(Int(min(entry.time, 1e9) * 1_000)) ms"
    differences.append("\(widget) after \(time): \(words)")
  }
}

extension HarnessContent.Attachment {
  /// What a trace has of one.
  fileprivate init(recorded tree: JSONTree) {
    self.init(
      [],
      type: tree["registeredTypeIdentifiers"]?.items?.first?.string,
      suggestedName: tree["suggestedName"]?.string
    )
  }
}
