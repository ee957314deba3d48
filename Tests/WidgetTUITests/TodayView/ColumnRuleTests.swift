import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetPages

@testable import WidgetTUI

@Suite struct ColumnRuleTests {
  private func rule(_ minimum: Int, _ preferred: Int, limit: Int = 100) -> ColumnRule {
    var settings = ScreenSettings()
    settings.columnMinimum = minimum
    settings.columnPreferred = preferred
    settings.columnLimit = limit
    return ColumnRule(settings)
  }

  @Test(arguments: [
    (0, 6, 1), (1, 6, 1), (39, 6, 1), (79, 6, 1), (80, 6, 2), (120, 6, 2), (133, 6, 2), (135, 6, 3),
    (160, 6, 3), (200, 6, 4), (400, 6, 6), (400, 9, 7), (400, 1, 1), (400, 0, 1),
  ])
  func `cards widen before columns multiply, and there is at most one column for each card`(
    width: Int,
    cards: Int,
    count: Int
  ) {
    #expect(ColumnRule().columnCount(width: width, cardCount: cards) == count)
  }

  @Test(arguments: [
    (30, 30, 59, 1), (30, 30, 60, 2), (30, 30, 600, 20), (30, 16, 119, 3), (30, 16, 120, 4),
    (16, 500, 499, 1), (16, 500, 600, 1), (16, 500, 800, 2),
  ])
  func `the widths that the user set decide how many columns there are`(
    minimum: Int,
    preferred: Int,
    width: Int,
    count: Int
  ) {
    #expect(rule(minimum, preferred).columnCount(width: width, cardCount: 50) == count)
  }

  @Test func `there are at most as many columns as the user set`() {
    #expect(rule(30, 40, limit: 2).columnCount(width: 600, cardCount: 9) == 2)
    #expect(rule(16, 16, limit: 1).columnCount(width: 600, cardCount: 9) == 1)
  }

  @Test func `the width is nearest to the preferred one, and not below the minimum`() {
    for minimum in [16, 40, 70] {
      for preferred in [16, 39, 40, 41, 56, 80] {
        for width in 0...500 {
          let rule = rule(minimum, preferred)
          let count = rule.columnCount(width: width, cardCount: 100)
          func distance(_ count: Int) -> Double {
            abs(Double(width) / Double(count) - Double(preferred))
          }
          #expect(count == 1 || width / count >= minimum)
          for other in 1...max(1, width / minimum) where other != count {
            #expect(distance(count) <= distance(other), "\(minimum) \(preferred) \(width) \(other)")
          }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 7, 80, 121, 122, 500], 1...9)
  func `columns lie side by side from edge to edge, and differ by a cell at most`(
    width: Int,
    count: Int
  ) {
    let grid = ColumnGrid(width: width, count: count)
    let widths = (0..<count).map { grid.width(column: $0, span: 1) }
    #expect(grid.start(0) == 0 && grid.start(count) == width)
    #expect(widths.reduce(0, +) == width)
    #expect(widths == widths.sorted(by: >))
    #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
    #expect(grid.width(column: 0, span: count) == width)
  }

  @Test func `a page without a terminal looks as the user set it`() {
    let cards = SamplePage.page(CardWidths(40)).cards
    var renderer = PageRenderer(width: 80, date: SamplePage.now)
    renderer.adopt(ScreenSettings())
    #expect(renderer.theme.isDark && renderer.glyphs == .unicode)
    #expect(renderer.widths(cards, bodies: [:]).usual == 38)
    var settings = ScreenSettings()
    settings.definition = .standard(isDark: false)
    settings.glyphs = .ascii
    settings.columnLimit = 1
    renderer.adopt(settings)
    #expect(!renderer.theme.isDark && renderer.glyphs == .ascii)
    #expect(renderer.widths(cards, bodies: [:]).usual == 78)
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
