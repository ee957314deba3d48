/// Stores a new secret, such as a password or a token (SecItemAdd).
///
/// `{"jsonrpc":"2.0","id":4,"method":"secretAdd","params":{"name":"token","group":"group.com.example",
/// "value":"…"}}`
public struct SecretAddRequest: RequestMessage, Hashable {
  /// The method is `secretAdd`.
  public static let method = "secretAdd"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The name of the secret, unique in its group.
  public var name: SecretName
  /// The access group: the widget's own identifier, or one that it shares with its app.
  public var group: String
  /// The secret.
  public var value: SecretValue

  /// Creates the request.
  public init(name: SecretName, group: String, value: SecretValue) {
    self.name = name
    self.group = group
    self.value = value
  }
}

/// Reads a secret (SecItemCopyMatching).
public struct SecretFindRequest: RequestMessage, Hashable {
  /// The method is `secretFind`.
  public static let method = "secretFind"

  /// The name of the secret.
  public var name: SecretName
  /// The only access group that is searched; nil to search all that the widget may see.
  public var group: String?

  /// Creates the request.
  public init(name: SecretName, group: String? = nil) {
    self.name = name
    self.group = group
  }

  /// The result: `{"value":"…"}`, or `{"value":null}` if there is no such secret.
  public struct Reply: Codable, Hashable, Sendable {
    /// The secret; nil if there is none.
    public var value: SecretValue?

    /// Creates the reply.
    public init(value: SecretValue?) {
      self.value = value
    }

    /// Writes the value also where it is null.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(value, forKey: .value)
    }

    private enum CodingKeys: String, CodingKey {
      case value
    }
  }
}

/// Replaces the value of a secret in the first access group that has it (SecItemUpdate).
public struct SecretUpdateRequest: RequestMessage, Hashable {
  /// The method is `secretUpdate`.
  public static let method = "secretUpdate"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The name of the secret.
  public var name: SecretName
  /// The only access group that is searched; nil to search all that the widget may see.
  public var group: String?
  /// The new secret.
  public var value: SecretValue

  /// Creates the request.
  public init(name: SecretName, group: String? = nil, value: SecretValue) {
    self.name = name
    self.group = group
    self.value = value
  }
}

/// Deletes a secret from the first access group that has it (SecItemDelete).
public struct SecretDeleteRequest: RequestMessage, Hashable {
  /// The method is `secretDelete`.
  public static let method = "secretDelete"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The name of the secret.
  public var name: SecretName
  /// The only access group that is searched; nil to search all that the widget may see.
  public var group: String?

  /// Creates the request.
  public init(name: SecretName, group: String? = nil) {
    self.name = name
    self.group = group
  }
}

/// The name of a secret: 1 to 255 bytes without control characters.
public struct SecretName: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let description: String

  /// Creates a name; nil if the text cannot be one.
  public init?(_ text: String) {
    guard 1...255 ~= text.utf8.count,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    description = text
  }

  /// Reads a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let name = SecretName(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected 1 to 255 bytes without control characters"
      )
    }
    self = name
  }

  /// Writes the string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A secret: at most 16 KiB of text.
///
/// It describes itself as dots, so that it is in no log.
public struct SecretValue: Codable, Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The secret itself.
  public let text: String
  /// The most bytes of a secret.
  public static let byteLimit = 16 * 1024

  /// Creates a secret; nil if it is longer than 16 KiB.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.byteLimit else { return nil }
    self.text = text
  }

  /// Reads a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = SecretValue(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected at most \(Self.byteLimit) bytes"
      )
    }
    self = value
  }

  /// Writes the string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Dots.
  public var description: String { "•••" }
  /// Dots.
  public var debugDescription: String { "•••" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
