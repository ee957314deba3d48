import Testing
import WidgetExtensions
import WidgetKitCore

@testable import WidgetTUI

/// Text that is less prominent on screens with few colours.
@Suite struct FewColorsTests {
  private static let themes: [ThemeDefinition] = {
    let themes = ThemeCatalog(environment: ["HOME": "/nowhere"])
    return themes.ids.compactMap {
      if case .found(let theme) = themes.theme($0) { theme } else { nil }
    }
  }()

  /// The sixteen colours of xterm, whose half a terminal shows for dim text.
  private func isReadable(_ style: TerminalStyle, isDark: Bool) -> Bool {
    guard style.attributes.contains(.dim) else { return true }
    guard case .indexed(let index)? = style.foreground else { return true }
    let ground: RGB =
      if case .indexed(let back)? = style.background {
        RGB(index: back)
      } else {
        isDark ? RGB(red: 0, green: 0, blue: 0) : RGB(red: 255, green: 255, blue: 255)
      }
    let color = RGB(index: index)
    let half = RGB(red: color.red / 2, green: color.green / 2, blue: color.blue / 2)
    return half.contrast(with: ground) >= 2
  }

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func `dim text in few colours is dim only where half of its colour can be seen`(
    depth: ColorDepth
  ) throws {
    #expect(Self.themes.count >= 8)
    #expect(Set(Self.themes.map(\.isDark)) == [true, false])
    for definition in Self.themes {
      let theme = Theme(depth: depth, definition)
      for name in SemanticColor.allCases {
        let style = CellStyle(foreground: .semantic(name), attributes: .dim)
        #expect(
          isReadable(theme.resolve(style), isDark: definition.isDark),
          "\(definition.id), \(name), \(depth)"
        )
      }
    }
    // What is as bright as text can still be less prominent.
    let few = Theme(depth: depth, isDark: true)
    #expect(few.resolve(CellStyle(attributes: .dim)).attributes == .dim)
    #expect(few.resolve(CellStyle(foreground: .indexed(7), attributes: .dim)).attributes == .dim)
  }
}
