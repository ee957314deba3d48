/// What any answer may carry to change the card: a view, and the height that goes with it.
public struct ContentUpdate: Hashable, Sendable, Codable {
  /// The new content.
  public var view: ViewNode?
  /// The height that the widget would like; null goes by the view.
  public var preferredContentSize: Stated<PreferredContentSize>

  /// Creates a change.
  public init(
    view: ViewNode? = nil,
    preferredContentSize: Stated<PreferredContentSize> = .unstated
  ) {
    self.view = view
    self.preferredContentSize = preferredContentSize
  }

  /// Whether nothing is stated.
  public var isEmpty: Bool { view == nil && preferredContentSize == .unstated }

  enum CodingKeys: String, CodingKey {
    case view
    case preferredContentSize
  }

  /// Reads the two members.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    view = try container.decodeIfPresent(ViewNode.self, forKey: .view)
    preferredContentSize = try container.decodeStated(
      PreferredContentSize.self,
      forKey: .preferredContentSize
    )
  }

  /// Writes what is stated.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(view, forKey: .view)
    try container.encodeStated(preferredContentSize, forKey: .preferredContentSize)
  }
}
