import Testing
import WidgetKitCore

@testable import WidgetPlatform

/// A widget without a process: it records messages, and answers when a test lets it.
final class FakeWidget: WidgetConnection {
  /// The messages that it received, in order.
  private(set) var received: [IncomingLine] = []
  private(set) var signals: [ProcessSignal] = []
  private(set) var isInputClosed = false
  /// Its results, by method; other methods are never answered.
  var answers: [String: String]

  private let report: (WidgetReport) -> Void
  private var unanswered: [IncomingLine] = []
  private var endings: [TerminationStatus] = []

  init(answers: [String: String], report: @escaping (WidgetReport) -> Void) {
    self.answers = answers
    self.report = report
  }

  func send(_ message: any ConnectionMessage) {
    do {
      let line = try IncomingLine(message.line.dropLast())
      received.append(line)
      unanswered.append(line)
    } catch {
      Issue.record("the host sent a line that is no message: \(error)")
    }
  }

  func closeInput() {
    isInputClosed = true
  }

  func signal(_ signal: ProcessSignal) {
    signals.append(signal)
    if signal == .kill { endings.append(.signaled(9)) }
    if signal == .resume { isSuspended = false }
  }

  func suspend() -> String? {
    isSuspended = true
    suspensions += 1
    return heldLock
  }

  /// Whether it ignores requests to exit.
  var isDeaf = false
  /// The number of its simulated process group.
  var processRun: ProcessRun? = ProcessRun(leader: 1)
  /// Whether it is suspended.
  private(set) var isSuspended = false
  private(set) var suspensions = 0
  /// The file of a group on which it has a lock when it is suspended.
  var heldLock: String?

  // MARK: - What a test does

  /// Sends one line.
  func say(_ json: String) {
    report(.line(Array(json.utf8)[...]))
  }

  /// Sends a notification.
  func notify(_ method: String, _ params: String) {
    say(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  /// Answers the last request of a method.
  func answer(_ method: String, _ result: String) {
    for line in received.reversed() {
      if case .request(.number(let id), method) = line.kind {
        say(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
        return
      }
    }
    Issue.record("\(method) was not sent")
  }

  func crash() {
    report(.ended(.signaled(11)))
  }

  func violate(_ words: String) {
    report(.violation(words))
  }

  /// Sends what is due; false if nothing was.
  func goOn() -> Bool {
    if isSuspended, endings.isEmpty { return false }
    if !endings.isEmpty {
      let status = endings.removeFirst()
      endings = []
      unanswered = []
      report(.ended(status))
      return true
    }
    guard !unanswered.isEmpty else { return false }
    switch unanswered.removeFirst().kind {
    case .request(.number(let id), let method):
      if let result = answers[method] {
        say(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
      }
    case .notification("shutdown") where !isDeaf:
      endings.append(.exited(0))
    default: break
    }
    return true
  }

  // MARK: - What it heard

  /// The methods that it received, in order.
  var methods: [String] {
    received.compactMap { line in
      switch line.kind {
      case .request(_, let method), .notification(let method): method
      case .result, .error: nil
      }
    }
  }

  /// The received messages of one kind.
  func messages<Message: RequestMessage>(_ type: Message.Type) throws -> [Message] {
    try received.filter {
      if case .request(_, Message.method) = $0.kind { true } else { false }
    }.map { try $0.decode(Message.self) }
  }

  /// The received notifications of one kind.
  func notifications<Message: NotificationMessage>(_ type: Message.Type) throws -> [Message] {
    try received.filter { $0.kind == .notification(method: Message.method) }
      .map { try $0.decode(Message.self) }
  }

  /// The result of one of its requests.
  func result<Result: Decodable>(_ type: Result.Type, of id: MessageID) throws -> Result? {
    try received.first { $0.kind == .result(id) }?.decode(type)
  }
}
