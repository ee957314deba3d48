/// The style of text; nil properties are inherited from the enclosing node.
///
/// On the wire it is for example `{"foreground":"accent","bold":true}`.
public struct TextStyle: Hashable, Sendable {
  /// A style without properties: everything is inherited.
  public static let inherited = TextStyle()

  /// The colour of the characters.
  public var foreground: Color?
  /// The colour behind them; on a container it fills the whole frame.
  public var background: Color?
  /// Bold.
  public var bold: Bool?
  /// Dim.
  public var dim: Bool?
  /// Slanted, if the terminal supports it.
  public var italic: Bool?
  /// A line below.
  public var underline: Bool?
  /// A line through the middle, if the terminal supports it.
  public var strikethrough: Bool?
  /// Foreground and background exchanged.
  public var reverse: Bool?

  /// Creates a style; omitted properties are inherited.
  public init(
    foreground: Color? = nil,
    background: Color? = nil,
    bold: Bool? = nil,
    dim: Bool? = nil,
    italic: Bool? = nil,
    underline: Bool? = nil,
    strikethrough: Bool? = nil,
    reverse: Bool? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.bold = bold
    self.dim = dim
    self.italic = italic
    self.underline = underline
    self.strikethrough = strikethrough
    self.reverse = reverse
  }
}

extension TextStyle: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case foreground, background, bold, dim, italic, underline, strikethrough, reverse
    static let names = listNames()
  }

  /// The names of all members of a style.
  package static let memberNames = CodingKeys.allCases.map(\.stringValue)

  /// Reads a style; every member is optional.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      foreground: try members.value(.foreground),
      background: try members.value(.background),
      bold: try members.flag(.bold),
      dim: try members.flag(.dim),
      italic: try members.flag(.italic),
      underline: try members.flag(.underline),
      strikethrough: try members.flag(.strikethrough),
      reverse: try members.flag(.reverse)
    )
  }

  /// Writes the members that are set.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(foreground, forKey: .foreground)
    try members.encodeIfPresent(background, forKey: .background)
    try members.encodeIfPresent(bold, forKey: .bold)
    try members.encodeIfPresent(dim, forKey: .dim)
    try members.encodeIfPresent(italic, forKey: .italic)
    try members.encodeIfPresent(underline, forKey: .underline)
    try members.encodeIfPresent(strikethrough, forKey: .strikethrough)
    try members.encodeIfPresent(reverse, forKey: .reverse)
  }
}
