import WidgetExtensions
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

/// The colours for colour names: those of a theme, as far as the screen has them.
///
/// Without colours attributes are used: secondary text is dim, the focus is reversed.
nonisolated struct Theme: Hashable, Sendable {
  /// The colours that the screen has.
  var depth: ColorDepth
  /// The theme.
  var definition: ThemeDefinition

  /// Creates a theme on a screen.
  init(depth: ColorDepth, _ definition: ThemeDefinition) {
    self.depth = depth
    self.definition = definition
  }

  /// Creates the standard theme for a dark or light background.
  init(depth: ColorDepth, isDark: Bool = true) {
    self.init(depth: depth, .standard(isDark: isDark))
  }

  /// Whether it is for dark backgrounds.
  var isDark: Bool { definition.isDark }

  /// Whether it paints its own background, so that no cell has the terminal's colours.
  var paintsBackground: Bool { definition.background != nil && depth > .none }

  /// What cards are filled with; nil where they have lines.
  var surface: Color? { depth >= .palette ? definition.surface : nil }

  /// The colours of a gauge from empty to full; none where the theme has none, or the screen has too few for them.
  var gauge: [Color] {
    let stops = definition.gauge
    let hasMixed = stops.contains { if case .rgb = $0 { true } else { false } }
    guard depth >= .palette else { return hasMixed || depth == .none ? [] : stops }
    guard stops.count > 1 else { return stops }
    return (0..<Self.gaugeSteps).map { step in
      let place = Double(step) / Double(Self.gaugeSteps - 1) * Double(stops.count - 1)
      let index = min(Int(place), stops.count - 2)
      let mixed = rgb(stops[index]).mixed(with: rgb(stops[index + 1]), place - Double(index))
      return .rgb(red: mixed.red, green: mixed.green, blue: mixed.blue)
    }
  }

  /// Enough that no edges are seen in a long bar.
  private static let gaugeSteps = 32

  /// The style of the terminal for `style`.
  func resolve(_ style: CellStyle) -> TerminalStyle {
    var attributes = style.attributes
    let shade = attributes.shade
    attributes.shade = 0
    if depth < .palette, definition.background == nil || depth == .none,
      case .semantic(let name)? = style.foreground
    {
      switch name {
      case .secondaryLabel, .tertiaryLabel, .separator, .gray: attributes.insert(.dim)
      case .accent where depth == .none: attributes.insert(.bold)
      default: break
      }
    }
    var foreground = terminalColor(legible(style.foreground, on: style.background) ?? .label)
    if shade > 0 { foreground = shaded(foreground, style, shade) }
    // Terminals draw dim text in about half of its colour, which cannot always be read.
    if attributes.contains(.dim), depth >= .palette {
      attributes.remove(.dim)
      if !attributes.contains(.reverse) { foreground = dimmed(style) }
    }
    // Of sixteen colours, only half of white can be read.
    if attributes.contains(.dim), case .indexed(let index)? = foreground, index != 7, index != 15 {
      attributes.remove(.dim)
    }
    return TerminalStyle(
      foreground: foreground,
      background: style.background.map(terminalColor) ?? ground,
      attributes: attributes
    )
  }

  /// The colour of dim text, where the screen has at least 256 colours.
  private func dimmed(_ style: CellStyle) -> TerminalColor? {
    let color = style.foreground ?? .label
    let given = terminalColor(color)
    // How the first sixteen look is not known.
    if case .indexed(let index)? = given, index < 16 {
      return color == .label ? terminalColor(.tertiary) : given
    }
    let back = style.background.map(rgb)
    let dim = dimmed(rgb(color), on: back)
    guard dim != rgb(color) else { return given }
    guard depth < .full else { return .rgb(dim) }
    // The background is drawn in the nearest of these colours too.
    let grounds = grounds(back).flatMap { [$0, RGB(index: $0.nearest(of: 16..<256))] }
    let isReadable = { (color: RGB) in
      grounds.allSatisfy { color.contrast(with: $0) >= RGB.textContrast }
    }
    let index = dim.nearest(of: 16..<256, where: isReadable)
    return isReadable(RGB(index: index)) ? .indexed(index) : given
  }

  /// A colour of text made less prominent on a background, as far as it can still be read; nil is the
  /// background of the page.
  func dimmed(_ color: RGB, on back: RGB?) -> RGB {
    let grounds = grounds(back)
    for share in [0.45, 0.35, 0.25, 0.15] {
      let mixed = color.mixed(with: grounds[0], share)
      if grounds.allSatisfy({ mixed.contrast(with: $0) >= RGB.textContrast }) { return mixed }
    }
    return color
  }

  /// The backgrounds on which text must be readable: the given one, else that of the theme, else those
  /// that terminals have.
  func grounds(_ back: RGB?) -> [RGB] {
    if let back { return [back] }
    guard definition.background == nil else { return [windowBackground] }
    return [windowBackground, RGB(hex: isDark ? Self.lightestDark : Self.darkestLight)]
  }

  /// No dark theme of a terminal in wide use has a lighter background (Nord), and no light one a darker.
  static let lightestDark: UInt32 = 0x2E3440
  static let darkestLight: UInt32 = 0xE1E2E7

  /// The nearest colour of the terminal; nil for its default one.
  func terminalColor(_ color: Color) -> TerminalColor? {
    switch (depth, color) {
    case (.none, _): nil
    case (_, .semantic(let name)): terminalColor(named: name)
    case (.full, .rgb(let red, let green, let blue)):
      .rgb(RGB(red: red, green: green, blue: blue))
    case (.full, .indexed(let index)), (.palette, .indexed(let index)): .indexed(index)
    case (.palette, .rgb(let red, let green, let blue)):
      .indexed(RGB(red: red, green: green, blue: blue).nearest(of: 16..<256))
    case (_, .indexed(let index)) where Int(index) < depth.rawValue: .indexed(index)
    case (_, .indexed(let index)): .indexed(RGB(index: index).nearest(of: 0..<depth.rawValue))
    case (_, .rgb(let red, let green, let blue)):
      .indexed(RGB(red: red, green: green, blue: blue).nearest(of: 0..<depth.rawValue))
    }
  }

  /// The background of every cell that has none of its own; nil for the terminal's.
  private var ground: TerminalColor? {
    guard let background = definition.background, depth > .none else { return nil }
    if depth < .palette, case .rgb = background {
      // Of few colours, the darkest or the lightest.
      return .indexed(isDark ? 0 : depth == .eight ? 7 : 15)
    }
    return terminalColor(background)
  }

  private func terminalColor(named name: SemanticColor) -> TerminalColor? {
    if let color = definition.colors[name] {
      if case .indexed = color { return terminalColor(color) }
      if depth == .full { return terminalColor(color) }
      if depth == .palette { return .indexed(readable(name)) }
    } else if name != .label, depth >= .palette {
      return depth == .full ? .rgb(rgb(named: name)) : .indexed(readable(name))
    }
    if name == .label { return label }
    return (depth == .eight ? FewColors.eight[name] : FewColors.sixteen(name, isDark: isDark))
      .map { .indexed($0) } ?? label
  }

  /// The colour of text without another one.
  private var label: TerminalColor? {
    guard paintsBackground else { return nil }
    if depth >= .palette {
      return depth == .full ? .rgb(rgb(named: .label)) : .indexed(readable(.label))
    }
    return .indexed(isDark ? (depth == .eight ? 7 : 15) : 0)
  }

  /// The nearest of 256 colours with the contrast that the theme's own colour has, up to what text
  /// needs; without the first sixteen, which users change.
  private func readable(_ name: SemanticColor) -> UInt8 {
    let color = rgb(named: name)
    let backs = [windowBackground] + (definition.surface.map { [rgb($0)] } ?? [])
    let needs = backs.map { back in
      (
        ground: RGB(index: back.nearest(of: 16..<256)),
        contrast: min(RGB.textContrast, color.contrast(with: back))
      )
    }
    return color.nearest(of: 16..<256) { candidate in
      needs.allSatisfy { candidate.contrast(with: $0.ground) >= $0.contrast }
    }
  }

  /// The colour for `color` in an image, which can have all colours.
  func rgb(_ color: Color) -> RGB {
    switch color {
    case .semantic(let name): rgb(named: name)
    case .indexed(let index): index < 16 ? rgb(ofTerminal: Int(index)) : RGB(index: index)
    case .rgb(let red, let green, let blue): RGB(red: red, green: green, blue: blue)
    }
  }

  /// One of the sixteen colours that every terminal has in its own way: for an image, those of the theme, as the ones of
  /// xterm cannot be read on many backgrounds, such as blue on black.
  private func rgb(ofTerminal index: Int) -> RGB {
    let names: [SemanticColor] = [.red, .green, .yellow, .blue, .purple, .cyan]
    switch index {
    case 0:
      return isDark ? windowBackground.mixed(with: rgb(named: .label), 0.4) : rgb(named: .label)
    case 1...6: return rgb(named: names[index - 1])
    case 7, 8: return rgb(named: .secondaryLabel)
    case 9...14: return rgb(named: names[index - 9])
    default: return isDark ? RGB(hex: 0xFFFFFF) : rgb(named: .secondaryLabel)
    }
  }

  /// The colour of a name in 24 bits.
  func rgb(named name: SemanticColor) -> RGB {
    let standard = ThemeDefinition.standard(isDark: isDark)
    return switch definition.colors[name] ?? standard.colors[name] {
    case .indexed(let index)?: RGB(index: index)
    case .rgb(let red, let green, let blue)?: RGB(red: red, green: green, blue: blue)
    case .semantic?, nil: RGB(hex: isDark ? 0xE6E8EC : 0x1F2328)
    }
  }

  /// The background of an image, and the one that text is compared with.
  var windowBackground: RGB {
    switch definition.background {
    case .indexed(let index)?: RGB(index: index)
    case .rgb(let red, let green, let blue)?: RGB(red: red, green: green, blue: blue)
    case .semantic?, nil: RGB(hex: isDark ? 0x16181D : 0xFBFBFD)
    }
  }
}

/// The colours of names on screens with eight or sixteen colours; missing names are the colour of
/// text.
nonisolated private enum FewColors {
  /// Without blue, which is hard to read on black consoles.
  static let eight: [SemanticColor: UInt8] = [
    .accent: 6, .red: 1, .orange: 3, .yellow: 3, .green: 2, .mint: 6, .teal: 6, .cyan: 6,
    .blue: 6, .indigo: 5, .purple: 5, .pink: 5, .brown: 3,
  ]

  static func sixteen(_ name: SemanticColor, isDark: Bool) -> UInt8? {
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
}
