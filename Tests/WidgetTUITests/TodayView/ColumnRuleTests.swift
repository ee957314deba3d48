import Testing
import WidgetHost
import WidgetKitCore

@testable import WidgetTUI

@Suite struct ColumnRuleTests {
  private func rule(_ width: Int, limit: Int = 100) -> ColumnRule {
    var settings = ScreenSettings()
    settings.columnWidth = width
    settings.columnLimit = limit
    return ColumnRule(settings)
  }

  @Test(arguments: [
    (0, 0, 1), (0, 5, 1), (59, 5, 1), (60, 5, 2), (600, 5, 5), (600, 1, 1), (119, 9, 3),
    (120, 9, 4),
  ])
  func `the width that the user set decides how many columns there are`(
    width: Int,
    cards: Int,
    count: Int
  ) {
    #expect(rule(30).columnCount(width: width, cardCount: cards) == count)
    #expect(rule(30).cardWidth(width: width, cardCount: cards) == width / count)
  }

  @Test func `there are at most as many columns as the user set`() {
    #expect(rule(30, limit: 2).columnCount(width: 600, cardCount: 9) == 2)
    #expect(rule(16, limit: 1).columnCount(width: 600, cardCount: 9) == 1)
  }

  @Test func `a page without a terminal looks as the user set it`() {
    var renderer = PageRenderer(width: 80, date: SamplePage.now)
    renderer.adopt(ScreenSettings())
    #expect(renderer.theme.isDark && renderer.glyphs == .unicode)
    #expect(renderer.innerWidth(cardCount: 2) == 38)
    var settings = ScreenSettings()
    settings.definition = .standard(isDark: false)
    settings.glyphs = .ascii
    settings.columnLimit = 1
    renderer.adopt(settings)
    #expect(!renderer.theme.isDark && renderer.glyphs == .ascii)
    #expect(renderer.innerWidth(cardCount: 2) == 78)
  }

  @Test func `characters that the terminal cannot show are never used`() {
    var settings = ScreenSettings()
    for (characters, shown) in [
      (ScreenSettings.Characters.automatic, [GlyphSet.unicode, .console, .ascii]),
      (.unicode, [.unicode, .unicode, .ascii]), (.console, [.console, .console, .ascii]),
      (.ascii, [.ascii, .ascii, .ascii]),
    ] {
      settings.glyphs = characters
      let found = [GlyphSet.unicode, .console, .ascii].map { settings.glyphs(onTerminal: $0) }
      #expect(found == shown)
    }
  }
}
