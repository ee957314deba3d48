import WidgetKitCore

/// The characters of borders and symbols, depending on the font of the terminal.
nonisolated struct FrameGlyphs: Sendable {
  /// Corners from the upper left clockwise.
  let corners: [Glyph]
  let horizontal: Glyph
  let vertical: Glyph
  /// The ellipsis; one glyph or more.
  let ellipsis: [Glyph]
  /// The symbol before a problem.
  let warning: SafeText
  /// The separator.
  let dot: SafeText
  /// The card can show more.
  let more: SafeText
  /// The card can show less.
  let less: SafeText
  /// The names of keys in the footer: cards, elements, press.
  private let keys: [SafeText]
  /// The names of two arrows with a key that is held down.
  var arrows: SafeText { keys[0] == "j/k" ? "Up/Down" : keys[0] }
  /// A press on the row does something.
  let disclosure: SafeText
  /// More content below, and above.
  let below: SafeText
  let above: SafeText

  private static let unicode = FrameGlyphs(
    corners: "╭╮╯╰",
    lines: "─│",
    ellipsis: "…",
    warning: "⚠",
    dot: "·",
    more: "▾",
    less: "▴",
    disclosure: "›",
    keys: ["↑↓", "⇥", "⏎"],
    arrows: ["↓", "↑"]
  )
  private static let console = FrameGlyphs(
    corners: "┌┐┘└",
    lines: "─│",
    ellipsis: "...",
    warning: "!",
    dot: "·",
    more: "▼",
    less: "▲",
    disclosure: ">",
    keys: ["↑↓", "Tab", "Enter"],
    arrows: ["↓", "↑"]
  )
  private static let ascii = FrameGlyphs(
    corners: "++++",
    lines: "-|",
    ellipsis: "...",
    warning: "!",
    dot: "-",
    more: "v",
    less: "^",
    disclosure: ">",
    keys: ["j/k", "Tab", "Enter"],
    arrows: ["down", "up"]
  )

  /// The characters of `set`.
  init(_ set: GlyphSet) {
    self =
      switch set {
      case .unicode: Self.unicode
      case .console: Self.console
      case .ascii: Self.ascii
      }
  }

  /// Whether a glyph is a piece of a horizontal line.
  static func isLine(_ glyph: Glyph) -> Bool {
    [unicode, ascii].contains { $0.horizontal == glyph }
  }

  /// The name of a key in the footer.
  func name(of symbol: KeySymbol) -> SafeText {
    switch symbol {
    case .cards: keys[0]
    case .elements: keys[1]
    case .press: keys[2]
    case .letter(let letter): letter
    }
  }

  private init(
    corners: SafeText,
    lines: SafeText,
    ellipsis: SafeText,
    warning: SafeText,
    dot: SafeText,
    more: SafeText,
    less: SafeText,
    disclosure: SafeText,
    keys: [SafeText],
    arrows: [SafeText]
  ) {
    self.corners = Glyph.glyphs(of: corners.string)
    horizontal = Glyph.glyphs(of: lines.string)[0]
    vertical = Glyph.glyphs(of: lines.string)[1]
    self.ellipsis = Glyph.glyphs(of: ellipsis.string)
    self.warning = warning
    self.dot = dot
    self.more = more
    self.less = less
    self.disclosure = disclosure
    self.keys = keys
    below = arrows[0]
    above = arrows[1]
  }
}
