/// The height that a widget prefers, in rows of the card's body.
///
/// On the wire `preferredContentSize`: `{"height":6}`, or null for the height of the view.
public struct PreferredContentSize: Hashable, Sendable, Codable {
  /// Rows; nil for the view's own height.
  public var height: Int?

  /// Creates a preferred height of `height` rows.
  public init(height: Int?) {
    self.height = height
  }

  /// Reads the height and throws if it is outside 0 to 10,000; a width is ignored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    height = try container.decodeExtentIfPresent(forKey: .height)
  }

  /// Writes the height, or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(height, forKey: .height)
  }

  enum CodingKeys: String, CodingKey {
    case height
  }
}

/// A member that can be absent, null or have a value, where absent and null differ.
public enum Stated<Value: Hashable & Sendable & Codable>: Hashable, Sendable {
  /// The member is absent.
  case unstated
  /// The member is null.
  case null
  /// The member has a value.
  case value(Value)
}

extension KeyedDecodingContainer {
  func decodeStated<Value>(_ type: Value.Type, forKey key: Key) throws -> Stated<Value> {
    guard contains(key) else { return .unstated }
    return try decodeNil(forKey: key) ? .null : .value(decode(type, forKey: key))
  }
}

extension KeyedEncodingContainer {
  mutating func encodeStated<Value>(_ stated: Stated<Value>, forKey key: Key) throws {
    switch stated {
    case .unstated: break
    case .null: try encodeNil(forKey: key)
    case .value(let value): try encode(value, forKey: key)
    }
  }
}
