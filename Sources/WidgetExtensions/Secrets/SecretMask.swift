import FoundationEssentials
package import WidgetKitCore

/// Removes secrets from the messages of widgets before they are recorded.
package enum SecretMask {
  /// The beginning of the methods whose messages have secrets.
  private static let methods = "secret"
  /// What is recorded instead of a secret.
  private static let mark = "<secret>"
  /// What is recorded instead of a line that cannot be read and may have a secret.
  private static let unreadable = "a line about secrets, which is not recorded"

  /// A line as it is recorded, a message or not.
  package static func recorded(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    do throws(WireError) {
      return recorded(try IncomingLine(line))
    } catch {
      return recorded(line, error).line
    }
  }

  /// A message as it is recorded: without secrets, and without the fields that a transfer sends.
  package static func recorded(_ line: IncomingLine) -> ArraySlice<UInt8> {
    let (id, method): (MessageID?, String)
    switch line.kind {
    case .request(let number, let name): (id, method) = (number, name)
    case .notification(let name): (id, method) = (nil, name)
    case .result, .error: return line.bytes
    }
    switch method {
    case DownloadInBackgroundRequest.method:
      return recorded(line, id, method, headers: \DownloadInBackgroundRequest.headers)
    case UploadInBackgroundRequest.method:
      return recorded(line, id, method, headers: \UploadInBackgroundRequest.headers)
    case _ where method.hasPrefix(methods):
      let names = try? line.decode(Names.self)
      return encoded(Message(id: id, method: method, params: names ?? Names()))
    default:
      return line.bytes
    }
  }

  /// A request as it is recorded: with a mark instead of the values of fields of HTTP, which may be tokens.
  private static func recorded<Params: Codable>(
    _ line: IncomingLine,
    _ id: MessageID?,
    _ method: String,
    headers: WritableKeyPath<Params, [String: String]?>
  ) -> ArraySlice<UInt8> {
    guard var params = try? line.decode(Params.self) else {
      return encoded(Message(id: id, method: method, params: Names()))
    }
    guard let values = params[keyPath: headers] else { return line.bytes }
    params[keyPath: headers] = values.mapValues { _ in mark }
    return encoded(Message(id: id, method: method, params: params))
  }

  private static func encoded(_ message: Message<some Encodable>) -> ArraySlice<UInt8> {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return ArraySlice((try? encoder.encode(message)) ?? Data(unreadable.utf8))
  }

  /// A line that is not a message, and its error, as they are recorded.
  package static func recorded(
    _ line: ArraySlice<UInt8>,
    _ error: WireError
  ) -> (line: ArraySlice<UInt8>, error: WireError, isJSON: Bool) {
    guard line.firstRange(of: methods.utf8) != nil else {
      return (line, error, error.code != .parseError)
    }
    let shown = WireError(code: error.code, message: "\(unreadable) has an error")
    return (ArraySlice(unreadable.utf8), shown, false)
  }

  /// What is recorded of a request.
  private struct Message<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: MessageID?
    var method: String
    var params: Params
  }

  /// The members of a request that are no secrets.
  private struct Names: Codable {
    var name: String?
    var group: String?
    var value: String?

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try? container.decode(String.self, forKey: .name)
      group = try? container.decode(String.self, forKey: .group)
      value = container.contains(.value) ? mark : nil
    }
  }
}
