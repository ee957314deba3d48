import FoundationEssentials
import WidgetHost
public import WidgetKitCore

/// Plays the recorded host of a trace against a widget, and compares what the widget says.
///
/// The widget runs as on the page: in its sandbox, with folders of its own, which stand in the place of the recorded
/// ones in `initialize`. It is sent what was recorded in the same order, and each answer is waited for.
public final class HostReplay {
  /// What is different, in words.
  public private(set) var differences: [String] = []
  /// How many answers and messages were compared.
  public private(set) var comparedCount = 0

  private let entries: [Trace.Entry]
  private let harness: WidgetHarness
  private let line: Line
  /// The numbers of requests of the widget: those in the trace, and those of now.
  private var numbers: [MessageID: MessageID] = [:]
  /// What the widget has said, and was not compared.
  private var said: [HarnessMessage] { line.said }

  /// How long an answer may take, in real time.
  private static let patience: Duration = .seconds(10)
  /// How many differences of one message are named.
  private static let differenceLimit = 5

  /// The connection to the process, and what the page would have said first.
  private final class Line: WidgetConnection {
    var base: (any WidgetConnection)?
    /// The page, which hears of the end alone.
    var page: (WidgetReport) -> Void = { _ in }
    var said: [HarnessMessage] = []
    var initialize: JSONTree?
    var status: TerminationStatus?

    func take(_ report: WidgetReport) {
      switch report {
      case .line(let bytes):
        said.append(HarnessMessage(Array(bytes), run: 1, isFromWidget: true))
      case .ended(let end):
        status = end
        page(report)
      case .log, .violation, .outOfMemory, .away: break
      }
    }

    func send(_ line: [UInt8]) {
      if initialize == nil { initialize = try? JSONTree(Array(line.dropLast())) }
    }

    func closeInput() { base?.closeInput() }
    func signal(_ signal: ProcessSignal) { base?.signal(signal) }
    func suspend() -> String? { nil }
    var processRun: ProcessRun? { base?.processRun }
  }

  /// Prepares a replay of the first run of a widget.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - bundle: The widget, which must be in the trace.
  ///   - environment: The user's environment.
  /// - Throws: ``HarnessFailure`` if it is not in the trace, or cannot be started.
  public init(
    _ trace: Trace,
    _ bundle: WidgetBundle,
    environment: [String: String]
  ) throws(HarnessFailure) {
    let identifier = bundle.bundleIdentifier
    let widget = trace.widgets.first { $0 == identifier || $0.hasPrefix("\(identifier):") }
    guard let widget else {
      throw HarnessFailure(
        "the trace has no \(identifier); there is \(trace.widgets.joined(separator: ", "))"
      )
    }
    entries = trace.entries(of: widget).filter { $0.widget != nil && $0.run == 1 }
    var options = HarnessOptions(environment: environment)
    options.now = trace.date
    let line = Line()
    self.line = line
    harness = try WidgetHarness(bundle: bundle, options) { usual in
      { bundle, id, report throws(HostError) in
        line.page = report
        line.base = try usual(bundle, id) { line.take($0) }
        return line
      }
    }
  }

  /// Plays the trace.
  ///
  /// - Throws: ``HarnessFailure`` if the widget cannot be started.
  public func run() async throws(HarnessFailure) {
    try await harness.appear(settles: false)
    guard await wait(until: { self.line.initialize != nil }) else {
      throw HarnessFailure(harness.card?.message?.string ?? "the widget could not be started")
    }
    for entry in entries {
      guard case .message(let isFromWidget, let bytes) = entry.content else { continue }
      if isFromWidget {
        await compare(bytes, entry)
      } else {
        send(bytes, entry)
      }
      if line.status != nil, line.said.isEmpty { break }
    }
    line.closeInput()
    line.signal(.kill)
    _ = await wait { self.line.status != nil }
    await harness.finish()
  }

  private func wait(until isDone: () -> Bool) async -> Bool {
    let start = ContinuousClock.now
    while !isDone() {
      guard start.duration(to: .now) < Self.patience else { return false }
      await WidgetHarness.turn(after: .milliseconds(1))
    }
    return true
  }

  // MARK: - To the widget

  private func send(_ bytes: [UInt8], _ entry: Trace.Entry) {
    guard let message = try? JSONTree(bytes) else { return }
    var members = message.members ?? []
    switch entry.content.kind {
    case .request(_, InitializeRequest.method):
      replace("params", in: &members) { parameters in
        guard case .object(var inner) = parameters else { return parameters }
        for name in ["containers", "denied"] {
          let own = line.initialize?["params"]?[name]
          inner.removeAll { $0.name == name }
          if let own { inner.append(.init(name: name, value: own)) }
        }
        return .object(inner)
      }
    case .result(let id), .error(.some(let id)):
      guard let own = numbers[id] else { return }
      replace("id", in: &members) { _ in
        switch own {
        case .number(let number): .number(Double(number))
        case .string(let text): .string(text)
        }
      }
    default: break
    }
    line.base?.send(JSONText.bytes(.object(members)) + [UInt8(ascii: "\n")])
  }

  private func replace(
    _ name: String,
    in members: inout [JSONTree.Member],
    _ change: (JSONTree) -> JSONTree
  ) {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return }
    members[index].value = change(members[index].value)
  }

  // MARK: - From the widget

  private func compare(_ bytes: [UInt8], _ entry: Trace.Entry) async {
    let recorded = HarnessMessage(bytes, run: 1, isFromWidget: true)
    let name = name(of: recorded)
    let isThere = await wait { self.match(recorded) != nil || self.line.status != nil }
    guard isThere, let index = match(recorded) else {
      let end = line.status.map { " (the process has ended: \($0))" } ?? ""
      return differences.append("\(name) was recorded, and did not come\(end)")
    }
    let found = line.said.remove(at: index)
    comparedCount += 1
    if case .request(let id, _) = recorded.kind, case .request(let own, _) = found.kind {
      numbers[id] = own
    }
    let (old, new) = (content(recorded), content(found))
    let list = JSONDifference.between(old, new)
    for difference in list.prefix(Self.differenceLimit) {
      differences.append("\(name): \(difference)")
    }
    if list.count > Self.differenceLimit {
      differences.append("\(name): and \(list.count - Self.differenceLimit) more")
    }
  }

  /// The answer to the same request, or the next message of the same method.
  private func match(_ recorded: HarnessMessage) -> Int? {
    line.said.firstIndex { message in
      switch (recorded.kind, message.kind) {
      case (.result(let id), .result(let own)), (.result(let id), .error(.some(let own))),
        (.error(.some(let id)), .error(.some(let own))), (.error(.some(let id)), .result(let own)):
        id == own
      case (.request(_, let method), .request(_, let own)),
        (.notification(let method), .notification(let own)):
        method == own
      case (nil, nil): true
      default: false
      }
    }
  }

  private func content(_ message: HarnessMessage) -> JSONTree {
    guard let tree = try? JSONTree(message.bytes) else {
      return .string(String(decoding: message.bytes, as: UTF8.self))
    }
    let members = (tree.members ?? []).filter { !["id", "jsonrpc", "method"].contains($0.name) }
    return .object(members)
  }

  private func name(of message: HarnessMessage) -> String {
    switch message.kind {
    case .result(let id), .error(.some(let id)):
      let call = entries.lazy.compactMap { entry -> String? in
        guard case .message(false, _) = entry.content,
          case .request(id, let method)? = entry.content.kind
        else { return nil }
        return method
      }.first
      return "the answer to \(call ?? "a request")"
    case .request(_, let method), .notification(let method): return method
    case .error(nil), nil: return "a line"
    }
  }
}
