import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct ThemeTests {
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
