import FoundationEssentials

/// One received line: which kind of message it is, and the ranges of its parts.
///
/// The content of `params` or `result` is decoded only when asked for, so that a `setView` that a newer
/// one has replaced costs only a scan. If a member occurs twice, the first is used.
public struct IncomingLine: Sendable {
  /// The host's default for the nesting of a message (Docs/Protocol.md, Transport).
  public static let defaultDepthLimit = 64

  /// What kind of message the line is.
  public enum Kind: Hashable, Sendable {
    /// A request, which has an answer.
    case request(MessageID, method: String)
    /// A notification, which has no answer.
    case notification(method: String)
    /// An answer to a request of this side.
    case result(MessageID)
    /// An error as the answer to a request of this side; a nil id answers an unreadable line.
    case error(MessageID?)
  }

  /// What kind of message the line is.
  public let kind: Kind

  /// The whole line, without its end.
  public let bytes: ArraySlice<UInt8>

  private let content: Range<Int>?

  /// The content of `params`, `result` or `error`, as JSON; empty if there is none.
  public var contentBytes: ArraySlice<UInt8> { content.map { bytes[$0] } ?? [] }

  /// Scans a line.
  ///
  /// - Throws: ``WireError`` with `parseError` if the line is not UTF-8 or not JSON, nests
  ///   deeper than `depthLimit`, or contains NUL; with `invalidRequest` if it is not a message.
  public init(
    _ bytes: ArraySlice<UInt8>,
    depthLimit: Int = IncomingLine.defaultDepthLimit
  ) throws(WireError) {
    guard Self.isUTF8(bytes) else {
      let offset = FaultExcerpt.invalidUTF8(in: bytes) ?? 0
      throw .parseError("not UTF-8", at: offset, in: bytes)
    }
    var members = Members()
    do throws(JSONScanner.Failure) {
      members = try Members(scanning: bytes, depthLimit: depthLimit)
    } catch {
      throw .parseError(error.reason, at: error.offset, in: bytes)
    }
    self.bytes = bytes
    (kind, content) = try members.message(in: bytes)
  }

  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Decodes the content.
  ///
  /// - Throws: ``WireError`` with `invalidParams`, naming the member below `params`, `result` or
  ///   `error` and what was expected there.
  public func decode<Content: Decodable>(
    _ type: Content.Type,
    limits: ViewLimits = .standard
  ) throws(WireError) -> Content {
    try decode(type, budget: ViewBudget(limits))
  }

  /// Decodes the content with a budget of the caller, which then lists the unknown types.
  ///
  /// - Throws: As ``decode(_:limits:)``.
  public func decode<Content: Decodable>(
    _ type: Content.Type,
    budget: ViewBudget
  ) throws(WireError) -> Content {
    let content = contentBytes
    do {
      // The whole line has been checked, with its depth.
      let document = JSONDocument(checked: content.isEmpty ? ArraySlice("{}".utf8) : content)
      return try JSONDocumentDecoder(userInfo: [.viewBudget: budget]).decode(type, from: document)
    } catch {
      throw .invalidParams(error, under: contentName)
    }
  }

  private var contentName: String {
    switch kind {
    case .request, .notification: "params"
    case .result: "result"
    case .error: "error"
    }
  }
}

/// The ranges of the members of a message in its line.
private struct Members {
  var version: Range<Int>?
  var id: Range<Int>?
  var method: Range<Int>?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: Range<Int>?
  var isObject = false

  init() {}

  init(scanning bytes: ArraySlice<UInt8>, depthLimit: Int) throws(JSONScanner.Failure) {
    var scanner = JSONScanner(bytes, depthLimit: depthLimit)
    scanner.skipSpace()
    if scanner.current == UInt8(ascii: "{") {
      var found = Members()
      found.isObject = true
      try scanner.object { (scanner, key) throws(JSONScanner.Failure) in
        let value = try scanner.value()
        found.note(value, under: bytes[key.content])
      }
      self = found
    } else {
      _ = try scanner.value()
    }
    scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.failure("something follows the value") }
  }

  private mutating func note(_ value: Range<Int>, under key: ArraySlice<UInt8>) {
    switch String(decoding: key, as: UTF8.self) {
    case "jsonrpc" where version == nil: version = value
    case "id" where id == nil: id = value
    case "method" where method == nil: method = value
    case "params" where params == nil: params = value
    case "result" where result == nil: result = value
    case "error" where error == nil: error = value
    default: break
    }
  }

  func message(
    in bytes: ArraySlice<UInt8>
  ) throws(WireError) -> (IncomingLine.Kind, Range<Int>?) {
    guard isObject else { throw .invalidRequest("expected an object, one message a line") }
    guard let version, bytes[version].elementsEqual(#""2.0""#.utf8) else {
      throw .invalidRequest("jsonrpc: expected \"2.0\"")
    }
    let id = try messageID(in: bytes)
    if let method {
      guard let name = Self.name(bytes[method]) else {
        throw .invalidRequest("method: expected a string")
      }
      if let params, !Self.isStructured(bytes[params]) {
        throw .invalidRequest("params: expected an object")
      }
      switch id {
      case .some(.some(let id)): return (.request(id, method: name), params)
      case .some(nil): throw .invalidRequest("id: expected a whole number or a string, found null")
      case nil: return (.notification(method: name), params)
      }
    }
    if let error, result == nil {
      guard let id else { throw .invalidRequest("id: expected, but missing") }
      return (.error(id), error)
    }
    guard let result, error == nil else {
      throw .invalidRequest("expected method, or one of result and error")
    }
    guard case .some(.some(let id)) = id else {
      throw .invalidRequest("id: expected a whole number or a string")
    }
    return (.result(id), result)
  }

  /// nil: no id; nil inside: a null one.
  private func messageID(in bytes: ArraySlice<UInt8>) throws(WireError) -> MessageID?? {
    guard let id else { return nil }
    if bytes[id].elementsEqual("null".utf8) { return .some(nil) }
    guard let value = Self.number(bytes[id]) ?? Self.decode(MessageID.self, bytes[id]) else {
      throw .invalidRequest("id: expected a whole number or a string")
    }
    return value
  }

  /// A method name; those of the protocol need no decoding.
  private static func name(_ text: ArraySlice<UInt8>) -> String? {
    guard text.count >= 2, text.first == UInt8(ascii: "\""), !text.contains(UInt8(ascii: "\\"))
    else {
      return decode(String.self, text)
    }
    return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
  }

  /// A plain integer, as the ids of this side are; nil for anything else.
  private static func number(_ text: ArraySlice<UInt8>) -> MessageID? {
    guard text.count <= 18, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    return .number(text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
  }

  private static func isStructured(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "{")
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type,
    _ bytes: ArraySlice<UInt8>
  ) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
