/// The attributes that a cell is drawn with.
public struct CellAttributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt16
  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Bold.
  public static let bold = CellAttributes(rawValue: 1)
  /// Dim.
  public static let dim = CellAttributes(rawValue: 2)
  /// Slanted.
  public static let italic = CellAttributes(rawValue: 4)
  /// A line below.
  public static let underline = CellAttributes(rawValue: 8)
  /// A line through the middle.
  public static let strikethrough = CellAttributes(rawValue: 16)
  /// Foreground and background exchanged.
  public static let reverse = CellAttributes(rawValue: 32)
  /// Where text is typed: the terminal puts its cursor there, which looks like nothing.
  package static let cursor = CellAttributes(rawValue: 256)

  /// How much nearer to the background the colour of a part of a graph is: 0 to 3, in the bits above the attributes.
  ///
  /// The theme decides what that looks like, and where there are too few colours nothing does.
  package var shade: Int {
    get { Int(rawValue >> 6 & 3) }
    set {
      let level = UInt16(clamping: min(max(newValue, 0), 3))
      self = CellAttributes(rawValue: rawValue & ~(3 << 6) | level << 6)
    }
  }

  /// Adds or removes an attribute; nil leaves it as it is.
  fileprivate mutating func set(_ attribute: CellAttributes, _ isOn: Bool?) {
    switch isOn {
    case true?: insert(attribute)
    case false?: remove(attribute)
    case nil: break
    }
  }
}

/// The look of a cell, with nothing left to inherit; nil colours are the terminal's own.
public struct CellStyle: Hashable, Sendable {
  /// The terminal's own look.
  public static let plain = CellStyle()

  /// The colour of the character.
  public var foreground: Color?
  /// The colour behind it.
  public var background: Color?
  /// Bold, dim and the rest.
  public var attributes: CellAttributes

  /// Creates a look.
  public init(
    foreground: Color? = nil,
    background: Color? = nil,
    attributes: CellAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Returns this look with the properties that `style` sets.
  public func applying(_ style: TextStyle) -> CellStyle {
    guard style != .inherited else { return self }
    var result = self
    result.foreground = style.foreground ?? foreground
    result.background = style.background ?? background
    result.attributes.set(.bold, style.bold)
    result.attributes.set(.dim, style.dim)
    result.attributes.set(.italic, style.italic)
    result.attributes.set(.underline, style.underline)
    result.attributes.set(.strikethrough, style.strikethrough)
    result.attributes.set(.reverse, style.reverse)
    return result
  }
}

/// The content of one cell of a screen.
public struct Cell: Hashable, Sendable {
  /// An empty cell in the terminal's own look.
  public static let blank = Cell(glyph: .space, style: .plain)

  /// The character, or the mark for the second cell of the wide character on the left.
  public var glyph: Glyph
  /// The look of the cell.
  public var style: CellStyle

  /// Creates a cell.
  public init(glyph: Glyph, style: CellStyle) {
    self.glyph = glyph
    self.style = style
  }
}
