/// A widget's connection to its host: sends messages, and waits for answers.
@MainActor
final class HostConnection {
  private let write: @MainActor ([UInt8]) -> Void
  private var lastID = 0
  private var waiting: [Int: (IncomingLine) -> Void] = [:]

  /// Creates a connection whose lines go to `write`, whole and in order.
  init(write: @escaping @MainActor ([UInt8]) -> Void) {
    self.write = write
  }

  func notify(_ message: some NotificationMessage) {
    write(OutgoingLine.notification(message))
  }

  func answer(_ result: some Encodable, id: MessageID) {
    write(OutgoingLine.result(result, id: id))
  }

  func fail(_ error: WireError, id: MessageID?) {
    write(OutgoingLine.error(error, id: id))
  }

  /// Sends a request and waits for its answer; throws the host's error, or an error about an invalid
  /// answer.
  func request<Message: RequestMessage>(_ message: Message) async throws -> Message.Reply {
    lastID += 1
    let id = lastID
    let line = await withCheckedContinuation { continuation in
      waiting[id] = { continuation.resume(returning: $0) }
      write(OutgoingLine.request(message, id: id))
    }
    if case .error = line.kind { throw try line.decode(WireError.self) }
    return try line.decode(Message.Reply.self)
  }

  /// Passes an answer to the request that waits for it; other answers are ignored.
  func take(_ line: IncomingLine, for id: MessageID?) {
    guard case .number(let number) = id else { return }
    waiting.removeValue(forKey: number)?(line)
  }
}
