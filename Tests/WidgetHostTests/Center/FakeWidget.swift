import Testing
import WidgetKitCore

@testable import WidgetHost

/// A widget without a process: it keeps what it is sent, and answers when a test lets it.
final class FakeWidget: WidgetConnection {
  /// What it was sent, in order.
  private(set) var received: [IncomingLine] = []
  private(set) var signals: [ProcessSignal] = []
  private(set) var isInputClosed = false
  /// The results that it answers with, by method; what is not here is never answered.
  var answers: [String: String]

  private let report: (WidgetReport) -> Void
  private var unanswered: [IncomingLine] = []
  private var endings: [TerminationStatus] = []

  init(answers: [String: String], report: @escaping (WidgetReport) -> Void) {
    self.answers = answers
    self.report = report
  }

  func send(_ line: [UInt8]) {
    do {
      let line = try IncomingLine(line.dropLast())
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

  /// Whether it hears what it is told and does not go.
  var isDeaf = false
  /// What stands for its process group.
  var processRun: ProcessRun? = ProcessRun(leader: 1)
  /// Whether it is stopped.
  private(set) var isSuspended = false
  private(set) var suspensions = 0
  /// The file of a group that it holds a lock on when it is suspended.
  var heldLock: String?

  // MARK: - What a test does

  /// Says one line.
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

  /// Says what is due; false if nothing was.
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

  /// The methods that it heard, in order.
  var methods: [String] {
    received.compactMap { line in
      switch line.kind {
      case .request(_, let method), .notification(let method): method
      case .result, .error: nil
      }
    }
  }

  /// The messages of one kind that it was sent.
  func messages<Message: RequestMessage>(_ type: Message.Type) throws -> [Message] {
    try received.filter {
      if case .request(_, Message.method) = $0.kind { true } else { false }
    }.map { try $0.decode(Message.self) }
  }

  /// The notifications of one kind that it was sent.
  func notifications<Message: NotificationMessage>(_ type: Message.Type) throws -> [Message] {
    try received.filter { $0.kind == .notification(method: Message.method) }
      .map { try $0.decode(Message.self) }
  }

  /// The result of one of its own requests.
  func result<Result: Decodable>(_ type: Result.Type, of id: MessageID) throws -> Result? {
    try received.first { $0.kind == .result(id) }?.decode(type)
  }
}
