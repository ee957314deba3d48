import WidgetKitCore

/// How many colours the screen has.
nonisolated enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case palette = 256
  case full = 16_777_216

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The deepest that a terminal with so many colours has.
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

/// A colour as a terminal takes it.
nonisolated enum TerminalColor: Hashable, Sendable {
  /// An entry of the palette.
  case indexed(UInt8)
  /// Red, green and blue.
  case rgb(RGB)
}

/// A look as a terminal takes it; nil colours are its own.
nonisolated struct TerminalStyle: Hashable, Sendable {
  var foreground: TerminalColor?
  var background: TerminalColor?
  var attributes: CellAttributes
}

/// What the names of colours look like: on dark or on light, with as many colours as there are.
///
/// Without colours the attributes stay: what is secondary is dim, what has the focus is reverse.
nonisolated struct Theme: Hashable, Sendable {
  var depth: ColorDepth
  var isDark: Bool

  /// Creates a theme.
  init(depth: ColorDepth, isDark: Bool = true) {
    self.depth = depth
    self.isDark = isDark
  }

  /// What a terminal is told for `style`.
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

  /// The nearest colour that the terminal has; nil if its own is meant.
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

  /// The colour that stands for `color` in a picture, which has them all.
  func rgb(_ color: Color) -> RGB {
    switch color {
    case .semantic(let name): rgb(named: name)
    case .indexed(let index): RGB(index: index)
    case .rgb(let red, let green, let blue): RGB(red: red, green: green, blue: blue)
    }
  }

  /// What a name looks like in 24 bits.
  func rgb(named name: SemanticColor) -> RGB {
    let pair = Self.colors[name] ?? (0xE6E8EC, 0x1F2328)
    return RGB(hex: isDark ? pair.0 : pair.1)
  }

  /// The background of a picture.
  var windowBackground: RGB { RGB(hex: isDark ? 0x16181D : 0xFBFBFD) }

  /// On dark, on light.
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

  /// Of eight colours; a name that is missing is the terminal's own.
  ///
  /// No blue: on the consoles that have eight it cannot be read on black.
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

  /// Of 256; the sixteen of the user's own palette are left alone.
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
