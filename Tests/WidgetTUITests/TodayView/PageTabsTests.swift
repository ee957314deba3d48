import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform

@testable import WidgetTUI

@Suite struct PageTabsTests {
  private static func names(_ texts: [String]) -> [PageName] {
    texts.compactMap(PageName.init(rawValue:))
  }

  private func model(_ names: [String], shown: Int = 1, columns: Int = 80) -> TodayModel {
    var model = SamplePage.model(Size(columns: columns, rows: 24))
    model.content.dayWords = "Sunday 22 November"
    model.tabs.setNames(Self.names(names))
    if let name = model.tabs.page(numbered: shown) { model.show(name) }
    model.content.isLoading = true
    return model
  }

  private func header(_ model: TodayModel) -> String {
    let row = TodayView.draw(model).row(0).map(\.glyph.text).joined()
    return row.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  nonisolated private static let widths: [(Int, String)] = [
    (80, "Today 1 Home 2 At work 3 Reise Sunday 22 November"),
    (60, "Today 1 Home 2 At work 3 Reise Sunday"),
    (30, "Today 1 2 At work 3"), (18, "Today 2 At work"), (12, "Today 2 A"),
  ]

  @Test(arguments: widths)
  func `tabs that are not shown lose their names before they go`(columns: Int, words: String) {
    let text = header(model(["Home", "At work", "Reise"], shown: 2, columns: columns))
    #expect(text.hasPrefix(words), "\(text)")
  }

  @Test func `one page has no tab`() {
    #expect(header(model(["Home"])).hasPrefix("Today Sunday"))
  }

  @Test(arguments: [0, 1, 5, 16, 400])
  func `tabs can be drawn at every width`(columns: Int) {
    let names = (1...60).map { "page \($0)" }
    let size = Size(columns: columns, rows: 24)
    #expect(TodayView.draw(model(names, shown: 30, columns: columns)).size == size)
  }

  @Test func `a press on a tab is for its page, and not behind something else`() throws {
    var model = model(["Home", "Work"])
    let row = TodayView.draw(model).row(0).map(\.glyph.text).joined()
    let column = try #require(row.firstRange(of: "2 Work")).lowerBound
    let place = Position(column: row.distance(from: row.startIndex, to: column), row: 0)
    let work = try #require(Self.names(["Work"]).first)
    #expect(TodayView.picture(of: model).hits.chromeHit(place) == .page(work))
    model.mode = .help(TodayModel.KeyList())
    #expect(TodayView.picture(of: model).hits.chromeHit(place) == nil)
  }

  @Test func `each page keeps its focus and its scroll position`() {
    let work = Self.names(["Work"])[0]
    var model = SamplePage.model(Size(columns: 40, rows: 12))
    model.tabs.setNames([.home, work])
    model.moveFocus(.down)
    model.scroll(by: 7)
    let (focus, row) = (model.place.focus, model.place.scrollRow)
    let cards = model.content.cards.map { ($0, model.content.bodies[$0.id]) }
    let columns = model.page.columns
    #expect(row > 0)
    model.show(work)
    #expect(model.place.focus == nil && model.place.scrollRow == 0 && model.content.cards.isEmpty)
    model.take(Array(cards.prefix(1)))
    model.relayout()
    model.show(.home)
    model.take(cards)
    model.relayout()
    #expect(
      model.place.focus == focus && model.place.scrollRow == row && model.page.columns == columns
    )
  }

  @Test func `after the last page comes the first, and a number without a page is none`() {
    var tabs = PageTabs()
    tabs.setNames(Self.names(["Home", "Work", "Trip"]))
    #expect(tabs.page(after: 1)?.rawValue == "Work")
    #expect(tabs.page(after: -1)?.rawValue == "Trip")
    #expect(tabs.page(after: .min) != nil)
    #expect(
      tabs.page(numbered: 3)?.rawValue == "Trip" && tabs.page(numbered: 4) == nil
        && tabs.page(numbered: 0) == nil
    )
  }
}
