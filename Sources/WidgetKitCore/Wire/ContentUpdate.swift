/// The content that any answer can contain: a view and its height.
public struct ContentUpdate: Hashable, Sendable, Codable {
  /// The new content.
  public var view: ViewNode?
  /// The preferred height; null for the height of the view.
  public var preferredContentSize: Stated<PreferredContentSize>

  /// Creates a change.
  public init(
    view: ViewNode? = nil,
    preferredContentSize: Stated<PreferredContentSize> = .unstated
  ) {
    self.view = view
    self.preferredContentSize = preferredContentSize
  }

  /// Whether both members are absent.
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

  /// Writes the members that are set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(view, forKey: .view)
    try container.encodeStated(preferredContentSize, forKey: .preferredContentSize)
  }
}
