/// The identifier that matches an answer to its request; each side has its own.
///
/// The host's are integers. A widget's may be strings; JSON-RPC 2.0 §4 allows both.
public enum MessageID: Hashable, Sendable {
  /// A whole number.
  case number(Int)
  /// A string.
  case string(String)
}

extension MessageID: Codable {
  /// Reads a whole number or a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected an id: a whole number or a string"
      )
    }
  }

  /// Writes the number or the string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    }
  }
}
