import Testing
import WidgetExtensions
import WidgetKitCore

@testable import WidgetTUI

@Suite struct ThemeTests {
  /// The themes of the program.
  private var shipped: [ThemeDefinition] {
    let themes = ThemeCatalog(environment: ["HOME": "/nowhere"])
    return themes.ids.compactMap {
      if case .found(let theme) = themes.theme($0) { theme } else { nil }
    }
  }

  /// The names whose colour text may have.
  private var textColors: [SemanticColor] { SemanticColor.allCases.filter { $0 != .separator } }

  /// Of the backgrounds of a kind, the one with the least contrast to text.
  private func worstBackground(_ theme: ThemeDefinition) -> RGB {
    switch theme.background {
    case nil: RGB(hex: theme.isDark ? Theme.lightestDark : Theme.darkestLight)
    case .some: Theme(depth: .full, theme).windowBackground
    }
  }

  @Test func `text of every theme has a contrast of 4.5 to 1 or more`() {
    #expect(shipped.count == 8)
    for theme in shipped {
      let needed = theme.id == "contrast" ? 7 : RGB.textContrast
      for name in textColors where theme.background != nil || name != .label {
        let contrast = Theme(depth: .full, theme).rgb(named: name)
          .contrast(with: worstBackground(theme))
        #expect(contrast >= needed, "\(theme.id): \(name): \(contrast)")
      }
    }
  }

  @Test func `with 256 colours text of every theme has a contrast of 4.5 to 1 or more`() throws {
    for theme in shipped where theme.id != "ansi" {
      let palette = Theme(depth: .palette, theme)
      let ground = palette.resolve(.plain).background
      for name in textColors {
        guard case .indexed(let index)? = palette.terminalColor(.semantic(name)) else {
          #expect(name == .label && theme.background == nil)
          continue
        }
        let background =
          if case .indexed(let index)? = ground {
            RGB(index: index)
          } else {
            palette.windowBackground
          }
        let contrast = RGB(index: index).contrast(with: background)
        #expect(contrast >= RGB.textContrast, "\(theme.id): \(name): \(contrast)")
      }
    }
  }

  @Test(arguments: [ColorDepth.full, .palette])
  func `dim text of every theme has a contrast of 4.5 to 1 or more`(depth: ColorDepth) {
    for theme in shipped where theme.id != "ansi" {
      let screen = Theme(depth: depth, theme)
      let colors = textColors.map { Color.semantic($0) }
      for color in colors where color != .label || theme.background != nil || depth == .full {
        let style = CellStyle(foreground: color, attributes: .dim)
        let drawn = screen.resolve(style)
        #expect(!drawn.attributes.contains(.dim))
        let shown: RGB
        switch drawn.foreground {
        case .rgb(let rgb)?: shown = rgb
        case .indexed(let index)?: shown = RGB(index: index)
        case nil: continue
        }
        let ground =
          if case .indexed(let index)? = drawn.background {
            RGB(index: index)
          } else {
            depth == .full ? worstBackground(theme) : screen.windowBackground
          }
        let contrast = shown.contrast(with: ground)
        #expect(contrast >= RGB.textContrast, "\(theme.id): \(color): \(contrast)")
        let picture = screen.pictureColors(style).foreground
        #expect(picture.contrast(with: screen.windowBackground) >= RGB.textContrast)
      }
    }
  }

  @Test func `dim text differs from other text, where that can be read`() {
    let screen = Theme(depth: .full)
    let dim = screen.resolve(CellStyle(attributes: .dim)).foreground
    #expect(dim != screen.resolve(.plain).foreground && dim != nil)
    let few = Theme(depth: .sixteen)
    #expect(few.resolve(CellStyle(attributes: .dim)).attributes == .dim)
  }

  @Test(arguments: [
    // xterm's colours, and those of the Linux console.
    [
      0x000000, 0xCDCD00, 0x00CDCD, 0xE5E5E5, 0xFF0000, 0x00FF00, 0xFFFF00, 0xFF00FF, 0x00FFFF,
      0xFFFFFF,
    ],
    [
      0x000000, 0xAA5500, 0x00AAAA, 0xAAAAAA, 0xFF5555, 0x55FF55, 0xFFFF55, 0xFF55FF, 0x55FFFF,
      0xFFFFFF,
    ],
  ])
  func `the theme of sixteen colours has only them, and can be read on consoles`(palette: [Int])
    throws
  {
    let theme = try #require(shipped.first { $0.id == "ansi" })
    let used: [UInt8] = [0, 3, 6, 7, 9, 10, 11, 13, 14, 15]
    for name in SemanticColor.allCases {
      guard case .indexed(let index)? = theme.colors[name] else {
        Issue.record("\(name) is not one of sixteen")
        continue
      }
      guard name != .separator else { continue }
      let place = try #require(used.firstIndex(of: index))
      // Brown is an ornament of few colours.
      guard name != .brown else { continue }
      let contrast = RGB(hex: UInt32(palette[place])).contrast(with: RGB(hex: UInt32(palette[0])))
      #expect(contrast >= RGB.textContrast, "\(name): \(contrast)")
    }
  }

  @Test func `a theme that paints its background leaves no cell in the terminal's colours`() throws
  {
    let theme = try #require(shipped.first { $0.id == "paper" })
    for depth in ColorDepth.allCases where depth > .none {
      let style = Theme(depth: depth, theme).resolve(.plain)
      #expect(style.foreground != nil && style.background != nil, "\(depth)")
      #expect(style.foreground != style.background)
    }
    #expect(Theme(depth: .none, theme).resolve(.plain).background == nil)
    let dark = Theme(depth: .full).resolve(.plain)
    #expect(dark.foreground == nil && dark.background == nil)
    let canvas = Canvas(size: Size(columns: 3, rows: 1))
    let painted = ANSIWriter(theme: Theme(depth: .full, theme)).text(canvas)
    #expect(painted == "\u{1B}[0;38;2;47;42;36;48;2;250;245;234m   \u{1B}[0m\n")
    #expect(ANSIWriter(theme: Theme(depth: .full)).text(canvas) == "\n")
  }

  @Test(arguments: ColorDepth.allCases, [true, false])
  func `every colour is one that the terminal has`(depth: ColorDepth, isDark: Bool) {
    let theme = Theme(depth: depth, isDark: isDark)
    let colors =
      SemanticColor.allCases.map { Color.semantic($0) } + (0...255).map { Color.indexed($0) }
      + [.rgb(red: 1, green: 200, blue: 90)]
    for color in colors {
      switch theme.terminalColor(color) {
      case nil: break
      case .indexed(let index)?:
        #expect(Int(index) < min(256, depth.rawValue))
      case .rgb?:
        #expect(depth == .full)
      }
    }
  }

  @Test func `without colours what is secondary is dim and the attributes stay`() {
    let theme = Theme(depth: .none)
    let style = CellStyle(foreground: .secondary, background: .red, attributes: [.bold, .reverse])
    let resolved = theme.resolve(style)
    #expect(resolved.foreground == nil)
    #expect(resolved.background == nil)
    #expect(resolved.attributes == [.bold, .reverse, .dim])
  }

  @Test func `a colour of the palette is its own nearest`() {
    for index in 16...255 {
      let color = RGB(index: UInt8(index))
      #expect(RGB(index: color.nearest(of: 16..<256)) == color)
    }
  }

  @Test(arguments: [
    (-1, ColorDepth.none), (8, .eight), (16, .sixteen), (88, .sixteen), (256, .palette),
  ])
  func `a depth is the largest that the terminal supports`(colors: Int, depth: ColorDepth) {
    #expect(ColorDepth(colors: colors) == depth)
  }
}
