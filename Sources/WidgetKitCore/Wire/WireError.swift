/// An error as it is sent: `{"code":-32602,"message":"…"}`.
public struct WireError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The kind of the error.
  public var code: Code
  /// A sentence with the member and what was expected.
  public var message: String
  /// More about the error, for programs; nil if there is no more.
  package var details: Details?

  /// Creates an error.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// What `data` of an error has.
  package struct Details: Codable, Hashable, Sendable {
    /// Why an attachment was not loaded (NSItemProvider.ErrorCode).
    package var itemProviderError: Int?

    package init(itemProviderError: Int? = nil) { self.itemProviderError = itemProviderError }
  }

  private enum CodingKeys: String, CodingKey {
    case code, message
    case details = "data"
  }

  /// Reads an error; `data` that is none of the host's is ignored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Code.self, forKey: .code)
    message = try container.decode(String.self, forKey: .message)
    details = try? container.decode(Details.self, forKey: .details)
  }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }

  /// The number of an error (JSON-RPC 2.0, 5.1); unknown numbers are preserved.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The number on the wire.
    public var rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The line is not JSON.
    public static let parseError = Code(rawValue: -32_700)
    /// The line is JSON, but not a message.
    public static let invalidRequest = Code(rawValue: -32_600)
    /// There is no such method.
    public static let methodNotFound = Code(rawValue: -32_601)
    /// The params of the method are invalid.
    public static let invalidParams = Code(rawValue: -32_602)
    /// The method failed.
    public static let internalError = Code(rawValue: -32_603)
    /// Too many requests are open at once.
    public static let tooManyRequests = Code(rawValue: -32_000)
    /// The request is not for this widget.
    public static let notPermitted = Code(rawValue: -32_001)
    /// There is no such group, suite or secret.
    public static let notFound = Code(rawValue: -32_002)
    /// The session is invalid: it has no shared container.
    public static let invalidSession = Code(rawValue: -32_003)
    /// A limit is exceeded.
    public static let overLimit = Code(rawValue: -32_004)
    /// The user has decided not to do it now, and knows; the host says it to its own scripts only.
    ///
    /// The number is that of a cancelled request in the Language Server Protocol.
    package static let declined = Code(rawValue: -32_800)
  }
}

extension WireError {
  /// The line is not JSON; `what` is the reason.
  public static func parseError(_ what: String) -> WireError {
    WireError(code: .parseError, message: what)
  }

  /// The line is not JSON at the byte at `offset`; `what` is the reason, and the bytes around show
  /// where.
  static func parseError(_ what: String, at offset: Int, in line: ArraySlice<UInt8>) -> WireError {
    .parseError("at byte \(offset): \(what), near \(FaultExcerpt.words(of: line, around: offset))")
  }

  /// The line is JSON, but not a message; `what` names the member and what was expected.
  public static func invalidRequest(_ what: String) -> WireError {
    WireError(code: .invalidRequest, message: what)
  }

  /// There is no method with that name.
  public static func methodNotFound(_ method: String) -> WireError {
    WireError(code: .methodNotFound, message: "no method “\(method)”")
  }

  /// The error of a decoder for params, as a sentence that names the member.
  ///
  /// `params.view.children[3].frame.width: expected a whole number from 0 to 10000, found -1`
  public static func invalidParams(_ error: any Error, under member: String) -> WireError {
    WireError(code: .invalidParams, message: describe(error, under: member))
  }

  /// The error of a decoder, as `member.path: expected …`.
  public static func describe(_ error: any Error, under member: String) -> String {
    guard let error = error as? DecodingError else { return "\(member): \(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(context.codingPath + [key], under: member)): expected, but missing"
    case .typeMismatch(let type, let context):
      return "\(path(context.codingPath, under: member)): expected \(name(of: type))"
    case .valueNotFound(let type, let context):
      return "\(path(context.codingPath, under: member)): expected \(name(of: type)), found null"
    case .dataCorrupted(let context):
      return "\(path(context.codingPath, under: member)): \(context.debugDescription)"
    @unknown default:
      return "\(member): \(error)"
    }
  }

  private static func path(_ keys: [any CodingKey], under member: String) -> String {
    keys.reduce(into: member) { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += "." + key.stringValue
      }
    }
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    case is any ExpressibleByArrayLiteral.Type: "an array"
    case is any ExpressibleByDictionaryLiteral.Type: "an object"
    default: "another type of value"
    }
  }
}
