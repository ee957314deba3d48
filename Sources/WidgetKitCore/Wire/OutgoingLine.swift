import FoundationEssentials

/// Lines to send: messages as JSON, each with its line feed.
public enum OutgoingLine {
  /// A request, which has an answer.
  ///
  /// `{"id":7,"jsonrpc":"2.0","method":"viewWillAppear","params":{…}}`
  public static func request<Message: RequestMessage>(_ message: Message, id: Int) -> [UInt8] {
    call(message, Message.method, id: id)
  }

  /// A notification, which has no answer.
  ///
  /// `{"jsonrpc":"2.0","method":"viewDidAppear","params":{…}}`
  public static func notification<Message: NotificationMessage>(_ message: Message) -> [UInt8] {
    call(message, Message.method, id: nil)
  }

  /// An answer.
  ///
  /// `{"id":7,"jsonrpc":"2.0","result":{…}}`
  public static func result(_ result: some Encodable, id: MessageID) -> [UInt8] {
    encode(Answer(id: id, result: result))
  }

  /// `{"error":{"code":-32601,"message":"…"},"id":7,"jsonrpc":"2.0"}`; a nil id is sent as null.
  public static func error(_ error: WireError, id: MessageID?) -> [UInt8] {
    encode(Failure(id: id, error: error))
  }

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return encoder
  }()

  /// A request, or a notification if it has no id; the names of methods need no escapes.
  private static func call<Message: Encodable>(_ message: Message, _ method: String, id: Int?)
    -> [UInt8]
  {
    var line = Array((id.map { "{\"id\":\($0)," } ?? "{").utf8)
    line += "\"jsonrpc\":\"2.0\",\"method\":\"".utf8
    line += method.utf8
    line += "\",\"params\":".utf8
    // Most messages have no members; an encoder takes longer for them than everything else for the message.
    line += MemoryLayout<Message>.size == 0 ? Array("{}".utf8) : json(message)
    line += "}\n".utf8
    return line
  }

  private static func encode(_ message: some Encodable) -> [UInt8] {
    json(message) + CollectionOfOne(UInt8(ascii: "\n"))
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    do {
      return Array(try encoder.encode(value))
    } catch {
      // Every message is a plain value of this package. Only a number that is not finite cannot be
      // written, and no decoded value contains one.
      preconditionFailure("a message that cannot be written: \(error)")
    }
  }

  private struct Answer<Result: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: MessageID
    var result: Result
  }

  private struct Failure: Encodable {
    var jsonrpc = "2.0"
    var id: MessageID?
    var error: WireError

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(jsonrpc, forKey: .jsonrpc)
      try container.encode(id, forKey: .id)
      try container.encode(error, forKey: .error)
    }

    enum CodingKeys: String, CodingKey {
      case jsonrpc
      case id
      case error
    }
  }
}

/// A request, which has an answer.
public protocol RequestMessage: Codable, Sendable {
  /// The method's name on the wire.
  static var method: String { get }
  /// The content of the answer's `result`.
  associatedtype Reply: Codable & Sendable
}

/// A notification, which has no answer.
public protocol NotificationMessage: Codable, Sendable {
  /// The method's name on the wire.
  static var method: String { get }
}

/// The params or the result of a message that has no members.
public struct NoMembers: Codable, Hashable, Sendable {
  /// Creates it.
  public init() {}
}
