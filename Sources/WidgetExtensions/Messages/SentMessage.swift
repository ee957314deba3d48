package import WidgetKitCore
package import WidgetPlatform

/// A message of the host on its way to a widget: a value, of which a line is made where somebody reads lines.
package struct SentMessage: ConnectionMessage {
  package enum Content: Sendable {
    case message(HostMessage)
    /// The answer to a request of the widget.
    case answer(ServiceAnswer)
    /// A line of another host, or of a test.
    case line
  }

  package let content: Content
  /// The number of a request, or of the request that is answered.
  package let id: MessageID?
  private var encoded: [UInt8]?

  package init(_ message: HostMessage, id: Int? = nil) {
    content = .message(message)
    self.id = id.map { .number($0) }
  }

  package init(answer: ServiceAnswer, id: MessageID) {
    content = .answer(answer)
    self.id = id
  }

  /// A message that is a line already, with its end.
  package init(line: [UInt8]) {
    encoded = line
    guard let read = try? IncomingLine(line.dropLast()) else {
      (content, id) = (.line, nil)
      return
    }
    let message = HostMessage(read).map { Content.message($0) } ?? .line
    switch read.kind {
    case .request(let id, _): (self.id, content) = (id, message)
    case .notification: (id, content) = (nil, message)
    case .result(let id): (self.id, content) = (id, .answer(ServiceAnswer(NoMembers())))
    case .error(let id):
      let error = try? read.decode(WireError.self)
      let refusal = error ?? WireError(code: .internalError, message: "failed")
      (self.id, content) = (id, .answer(ServiceAnswer(refusal: refusal)))
    }
  }

  /// The line, with its end.
  package var line: [UInt8] { encoded ?? line(recorded: false) }

  /// Keeps the line, as it is needed more than once.
  package mutating func encode() { encoded = line }

  /// The line as it is recorded, if that is another one: without secrets.
  package var recordedLine: [UInt8]? {
    switch content {
    case .message(let message) where message.configuration != nil: line(recorded: true)
    case .answer(let answer): id.flatMap { answer.shownLine(to: $0) }
    case .message, .line: nil
    }
  }

  private func line(recorded: Bool) -> [UInt8] {
    switch content {
    case .message(let message): (recorded ? message.recorded : message).line(id)
    case .answer(let answer): id.map { answer.line(to: $0) } ?? []
    case .line: []
    }
  }

  /// The name of the method, or what is answered, in a few words.
  package var words: String {
    guard case .message(let message) = content, let method = message.method else { return "answer" }
    return method
  }
}

/// A message of a widget that has no lines: of what answers in the place of a script.
package struct SaidMessage: ConnectionMessage {
  package enum Content: Sendable {
    /// The answer to a request of the host.
    case reply(HostReply)
    case view(ViewNode)
    case log(LogNotification)
    case request(PageRequest, any RequestMessage)
    /// It does not know a message.
    case refusal(WireError)
  }

  package let content: Content
  /// The number of a request, or of the request that is answered.
  package let id: MessageID?

  package init(_ content: Content, id: MessageID? = nil) {
    self.content = content
    self.id = id
  }

  /// The answer of a widget that implements nothing; nil if it is not asked.
  package init?(withoutMethods message: any ConnectionMessage) {
    guard let message = message as? SentMessage, case .message(.initialize) = message.content else {
      return nil
    }
    self.init(.reply(.initialize(InitializeRequest.Reply(implements: []))), id: message.id)
  }

  /// The line that a program would have sent, with its end.
  package var line: [UInt8] {
    switch (content, id) {
    case (.reply(let reply), let id?): reply.line(to: id)
    case (.refusal(let error), _): OutgoingLine.error(error, id: id)
    case (.view(let view), _): OutgoingLine.notification(SetViewNotification(view: view))
    case (.log(let message), _): OutgoingLine.notification(message)
    case (.request(_, let message), .number(let id)?): OutgoingLine.request(message, id: id)
    case (.reply, nil), (.request, _): []
    }
  }

  /// The name of the method, or what is answered, in a few words.
  package var words: String {
    switch content {
    case .reply(let reply): "answer to \(reply.call.method)"
    case .view: SetViewNotification.method
    case .log: LogNotification.method
    case .request(_, let message): type(of: message).method
    case .refusal(let error): error.message
    }
  }
}
