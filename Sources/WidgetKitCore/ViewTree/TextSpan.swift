/// A run of text with one style and one press target.
public struct TextSpan: Hashable, Sendable {
  /// The text.
  public var text: SafeText
  /// The style, on top of the node's style.
  public var style: TextStyle
  /// A URL that a press on the span opens.
  public var link: String?
  /// A name that a press on the span sends back.
  public var action: String?

  /// Creates a span.
  public init(
    _ text: SafeText,
    style: TextStyle = .inherited,
    link: String? = nil,
    action: String? = nil
  ) {
    self.text = text
    self.style = style
    self.link = link
    self.action = action
  }
}

extension [TextSpan] {
  /// The text of all spans.
  var text: SafeText { count == 1 ? self[0].text : SafeText(joining: map(\.text), with: "") }
}

extension TextSpan: Codable, ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case text, style, link, action
    static let names = listNames()
  }

  /// Reads an object, or a plain string, which is a span without a style or a press target.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  /// Writes a plain string if the span has no style and no press target.
  public func encode(to encoder: any Encoder) throws {
    guard !isPlain else {
      try text.encode(to: encoder)
      return
    }
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(text, forKey: .text)
    try members.encode(style, forKey: .style, unless: .inherited)
    try members.encodeIfPresent(link, forKey: .link)
    try members.encodeIfPresent(action, forKey: .action)
  }

  var isPlain: Bool { style == .inherited && link == nil && action == nil }

  init(_ source: ViewSource) throws {
    guard let members = source.members(CodingKeys.self) else {
      self.init(try SafeText(source))
      return
    }
    guard let text: SafeText = try members.value(.text) else {
      throw members.expected("a text", forKey: .text)
    }
    self.init(
      text,
      style: try members.value(.style) ?? .inherited,
      link: try members.string(.link),
      action: try members.string(.action)
    )
  }
}
