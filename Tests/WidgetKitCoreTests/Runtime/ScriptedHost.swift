import Testing

@testable import WidgetKitCore

/// A host without a process: it sends what a test tells it, and records the answers.
@MainActor
final class ScriptedHost<Program> {
  /// The messages of the widget, in order.
  private(set) var sent: [IncomingLine] = []
  /// The pauses of the widget; each ends when the test lets it.
  private(set) var pauses: [CheckedContinuation<Void, any Error>] = []

  private(set) var context: WidgetContext?
  private var runner: (any MessageReceiver)?
  private var lastID = 0

  convenience init() where Program: Widget {
    self.init { WidgetRunner<Program>(context: $0) }
  }

  /// Creates a host of what takes the messages.
  init(_ make: (WidgetContext) -> any MessageReceiver) {
    let host = HostConnection { [weak self] line in self?.take(line) }
    let context = WidgetContext(host: host, bundlePath: "/nowhere") { [weak self] _ in
      try await withCheckedThrowingContinuation { self?.pauses.append($0) }
    }
    self.context = context
    runner = make(context)
  }

  var isShutDown: Bool { runner?.isShutDown ?? false }

  /// Sends a request and returns its id.
  @discardableResult
  func request(_ message: some RequestMessage) -> MessageID {
    lastID += 1
    say(OutgoingLine.request(message, id: lastID))
    return .number(lastID)
  }

  func notify(_ message: some NotificationMessage) {
    say(OutgoingLine.notification(message))
  }

  /// Sends a line as it is.
  func say(_ line: String) {
    runner?.receive(Array(line.utf8))
  }

  func say(_ line: [UInt8]) {
    runner?.receive(line.dropLast())
  }

  /// Launches the widget and discards its answer.
  func launch() {
    request(.sample)
    sent = []
  }

  /// The result of a request, when it has arrived.
  func result<Result: Decodable>(
    _ type: Result.Type,
    for id: MessageID,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let line = try #require(
      sent.first { $0.kind == .result(id) },
      "no answer to \(id)",
      sourceLocation: sourceLocation
    )
    return try line.decode(type)
  }

  /// The notifications of one kind that were sent, in order.
  func notifications<Message: NotificationMessage>(_ type: Message.Type) throws -> [Message] {
    try sent.filter { $0.kind == .notification(method: Message.method) }
      .map { try $0.decode(Message.self) }
  }

  /// The requests of one kind that were sent, with their ids.
  func requests<Message: RequestMessage>(_ type: Message.Type) throws -> [(MessageID, Message)] {
    try sent.compactMap { line in
      guard case .request(let id, Message.method) = line.kind else { return nil }
      return (id, try line.decode(Message.self))
    }
  }

  /// Runs the tasks of the widget until `condition` holds.
  func wait(
    until condition: () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    for _ in 0..<10_000 where !condition() { await Task.yield() }
    #expect(condition(), sourceLocation: sourceLocation)
  }

  /// Runs all tasks that can continue.
  func settle() async {
    for _ in 0..<100 { await Task.yield() }
  }

  func endPause() {
    pauses.removeFirst().resume()
  }

  private func take(_ line: [UInt8]) {
    do {
      sent.append(try IncomingLine(line.dropLast()))
    } catch {
      Issue.record("the widget sent a line that is no message: \(error)")
    }
  }
}

extension RequestMessage where Self == InitializeRequest {
  /// An `initialize` like a dashboard's.
  static var sample: InitializeRequest {
    InitializeRequest(
      host: HostInfo(name: "test", version: "0"),
      bundleIdentifier: "com.example.Sample",
      configuration: WidgetConfiguration(["name": .string("value")]),
      reason: .appear,
      activeDisplayMode: .compact,
      maximumSize: Size(columns: 36, rows: 200),
      marginInsets: EdgeInsets(left: 1, right: 1),
      locale: "en_GB",
      timeZone: "UTC",
      appearance: Appearance(colors: 256, dark: true),
      containers: Containers(data: "/nowhere", cache: "/nowhere")
    )
  }
}

extension ViewNode {
  /// All text of the tree, for short comparisons.
  var words: String {
    switch content {
    case .text(let text): text.spans.map(\.text.string).joined()
    case .vstack(let stack), .hstack(let stack):
      stack.children.map(\.words).joined(separator: "|")
    case .button(let control): "[\(control.label.words)]"
    default: ""
    }
  }
}
