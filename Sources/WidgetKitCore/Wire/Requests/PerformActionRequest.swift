/// The user pressed a button, a toggle or a row, or entered the text of a field.
///
/// `{"jsonrpc":"2.0","id":6,"method":"performAction","params":{"action":"done-3","value":true}}`
public struct PerformActionRequest: RequestMessage, Hashable {
  /// The method is `performAction`.
  public static let method = "performAction"

  /// The action of the element.
  public var action: String
  /// The new state of a toggle, which is `value` on the wire; otherwise nil.
  public var value: Bool?
  /// The text of a field, which is `value` on the wire; otherwise nil.
  public var text: String?

  /// Creates the request.
  public init(action: String, value: Bool? = nil, text: String? = nil) {
    self.action = action
    self.value = value
    self.text = text
  }

  private enum CodingKeys: String, CodingKey {
    case action, value
  }

  /// Reads the request, whose `value` is true, false or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    action = try container.decode(String.self, forKey: .action)
    text = try? container.decodeIfPresent(String.self, forKey: .value)
    value = text == nil ? try container.decodeIfPresent(Bool.self, forKey: .value) : nil
  }

  /// Writes the request.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(action, forKey: .action)
    if let text {
      try container.encode(text, forKey: .value)
    } else {
      try container.encodeIfPresent(value, forKey: .value)
    }
  }

  /// The result.
  public struct Reply: Codable, Hashable, Sendable {
    /// The new content.
    public var content: ContentUpdate
    /// The result; nil if the widget sends none.
    public var result: UpdateResult?
    /// Why it failed, for the user; nil if the widget does not say.
    public var error: String?

    /// Creates the reply.
    public init(
      content: ContentUpdate = ContentUpdate(),
      result: UpdateResult? = nil,
      error: String? = nil
    ) {
      self.content = content
      self.result = result
      self.error = error
    }

    enum CodingKeys: String, CodingKey {
      case result, error
    }

    /// Reads the reply; the members of ``content`` are next to the others.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      result = try container.decodeIfPresent(UpdateResult.self, forKey: .result)
      error = try container.decodeIfPresent(String.self, forKey: .error)
      content = try ContentUpdate(from: decoder)
    }

    /// Writes the reply.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(result, forKey: .result)
      try container.encodeIfPresent(error, forKey: .error)
      try content.encode(to: encoder)
    }
  }
}
