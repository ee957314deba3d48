import WidgetKitCore

/// How many colours the screen has.
nonisolated enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case palette = 256
  case full = 16_777_216

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The depth of a terminal with a number of colours.
  init(colors: Int) {
    self =
      switch colors {
      case ..<8: .none
      case ..<16: .eight
      case ..<256: .sixteen
      case ..<16_777_216: .palette
      default: .full
      }
  }
}

/// A colour of a terminal.
nonisolated enum TerminalColor: Hashable, Sendable {
  /// An entry of the palette.
  case indexed(UInt8)
  /// Red, green and blue.
  case rgb(RGB)
}

/// A style of a terminal; nil colours are its default ones.
nonisolated struct TerminalStyle: Hashable, Sendable {
  var foreground: TerminalColor?
  var background: TerminalColor?
  var attributes: CellAttributes
}

/// The colours for colour names: on a dark or light background, with the available colours.
///
/// Without colours attributes are used: secondary text is dim, the focus is reversed.
nonisolated struct Theme: Hashable, Sendable {
  var depth: ColorDepth
  var isDark: Bool

  /// Creates a theme.
  init(depth: ColorDepth, isDark: Bool = true) {
    self.depth = depth
    self.isDark = isDark
  }

  /// The style of the terminal for `style`.
  func resolve(_ style: CellStyle) -> TerminalStyle {
    var attributes = style.attributes
    if depth < .palette, case .semantic(let name)? = style.foreground {
      switch name {
      case .secondaryLabel, .tertiaryLabel, .separator, .gray: attributes.insert(.dim)
      case .accent where depth == .none: attributes.insert(.bold)
      default: break
      }
    }
    return TerminalStyle(
      foreground: style.foreground.flatMap(terminalColor),
      background: style.background.flatMap(terminalColor),
      attributes: attributes
    )
  }

  /// The nearest colour of the terminal; nil for its default one.
  func terminalColor(_ color: Color) -> TerminalColor? {
    switch (depth, color) {
    case (.none, _): nil
    case (.eight, .semantic(let name)): Self.eight[name].map { .indexed($0) }
    case (.sixteen, .semantic(let name)): sixteen(name).map { .indexed($0) }
    case (.palette, .semantic(let name)): palette(name).map { .indexed($0) }
    case (.full, .semantic(.label)): nil
    case (.full, .semantic(let name)): .rgb(rgb(named: name))
    case (.full, .indexed(let index)): .indexed(index)
    case (.full, .rgb(let red, let green, let blue)):
      .rgb(RGB(red: red, green: green, blue: blue))
    case (.palette, .indexed(let index)): .indexed(index)
    case (.palette, .rgb(let red, let green, let blue)):
      .indexed(RGB(red: red, green: green, blue: blue).nearest(of: 16..<256))
    case (_, .indexed(let index)) where Int(index) < depth.rawValue: .indexed(index)
    case (_, .indexed(let index)): .indexed(RGB(index: index).nearest(of: 0..<depth.rawValue))
    case (_, .rgb(let red, let green, let blue)):
      .indexed(RGB(red: red, green: green, blue: blue).nearest(of: 0..<depth.rawValue))
    }
  }

  /// The colour for `color` in an image, which can have all colours.
  func rgb(_ color: Color) -> RGB {
    switch color {
    case .semantic(let name): rgb(named: name)
    case .indexed(let index): RGB(index: index)
    case .rgb(let red, let green, let blue): RGB(red: red, green: green, blue: blue)
    }
  }

  /// The colour of a name in 24 bits.
  func rgb(named name: SemanticColor) -> RGB {
    let pair = Self.colors[name] ?? (0xE6E8EC, 0x1F2328)
    return RGB(hex: isDark ? pair.0 : pair.1)
  }

  /// The background of an image.
  var windowBackground: RGB { RGB(hex: isDark ? 0x16181D : 0xFBFBFD) }

  /// On a dark and on a light background.
  private static let colors: [SemanticColor: (UInt32, UInt32)] = [
    .label: (0xE6E8EC, 0x1F2328),
    .secondaryLabel: (0x9AA1AD, 0x5F6773),
    .tertiaryLabel: (0x6B7280, 0x8C939E),
    .separator: (0x3F4652, 0xC6CBD3),
    .accent: (0x5AA9FF, 0x0A66D6),
    .red: (0xFF6B64, 0xC92A2A),
    .orange: (0xFFA94D, 0xB45309),
    .yellow: (0xF5D76E, 0x8A6D00),
    .green: (0x5FD38D, 0x1F7A3F),
    .mint: (0x7FE0C4, 0x0F766E),
    .teal: (0x4FC3C9, 0x0E7490),
    .cyan: (0x70D6FF, 0x0B7FAB),
    .blue: (0x6CA8FF, 0x1D5FD1),
    .indigo: (0x8E8CFF, 0x4B45C6),
    .purple: (0xC792EA, 0x8E44AD),
    .pink: (0xFF7EB0, 0xC2255C),
    .brown: (0xC29A6B, 0x7F5539),
    .gray: (0x9AA1AD, 0x6B7280),
  ]

  /// Names in eight colours; missing names are the default colour.
  ///
  /// Without blue, which is hard to read on black consoles.
  private static let eight: [SemanticColor: UInt8] = [
    .accent: 6, .red: 1, .orange: 3, .yellow: 3, .green: 2, .mint: 6, .teal: 6, .cyan: 6,
    .blue: 6, .indigo: 5, .purple: 5, .pink: 5, .brown: 3,
  ]

  private func sixteen(_ name: SemanticColor) -> UInt8? {
    switch name {
    case .label, .secondaryLabel, .gray: nil
    case .tertiaryLabel, .separator: 8
    case .accent, .blue: isDark ? 12 : 4
    case .red, .pink: isDark ? 9 : 1
    case .orange, .brown: 3
    case .yellow: isDark ? 11 : 3
    case .green: isDark ? 10 : 2
    case .mint, .cyan: isDark ? 14 : 6
    case .teal: 6
    case .indigo, .purple: isDark ? 13 : 5
    }
  }

  /// Names in 256 colours, without the first sixteen, which users change.
  private func palette(_ name: SemanticColor) -> UInt8? {
    switch name {
    case .label: nil
    case .secondaryLabel: isDark ? 247 : 241
    case .tertiaryLabel: isDark ? 243 : 245
    case .separator: isDark ? 239 : 250
    default: rgb(named: name).nearest(of: 16..<256)
    }
  }
}
