/// How text looks; what is nil is inherited from the node around it.
///
/// On the wire `{"foreground":"accent","bold":true}`.
public struct TextStyle: Hashable, Sendable, Codable {
  /// Nothing of its own: everything is inherited.
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

  /// Creates a style; everything left out is inherited.
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
