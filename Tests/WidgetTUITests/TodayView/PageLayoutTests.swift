import Testing
import WidgetHost
import WidgetKitCore

@testable import WidgetTUI

@Suite struct PageLayoutTests {
  private func items(_ rows: [Int], isSettled: Bool = true) -> [PageLayout.Item] {
    rows.enumerated().map {
      PageLayout.Item(id: CardID("\($0)"), rows: $1, isSettled: isSettled)
    }
  }

  private func columns(_ layout: PageLayout) -> [String] {
    layout.columns.map { $0.map(\.description).joined() }
  }

  @Test(arguments: [
    (0, 6, 1), (1, 6, 1), (39, 6, 1), (79, 6, 1), (80, 6, 2), (120, 6, 3), (400, 6, 6), (400, 0, 1),
  ])
  func `a column for each forty cells, and at most one for each card`(
    width: Int,
    cards: Int,
    count: Int
  ) {
    #expect(ColumnRule().columnCount(width: width, cardCount: cards) == count)
  }

  @Test func `a card goes to the column that is shortest so far`() {
    let layout = PageLayout(width: 80, items: items([3, 9, 4, 4]))
    #expect(columns(layout) == ["023", "1"])
    #expect(layout.frames[CardID("3")] == Rect(column: 0, row: 7, columns: 40, rows: 4))
    #expect(layout.rows == 11)
  }

  @Test func `columns are equal, and the remaining cells are between them`() {
    let layout = PageLayout(width: 122, items: items([1, 1, 1]))
    #expect(layout.cardWidth == 40)
    #expect(layout.frames.values.map(\.minColumn).sorted() == [0, 41, 82])
    #expect(PageLayout(width: 121, items: items([1, 1, 1])).frames[CardID("2")]?.minColumn == 80)
  }

  @Test func `once all cards are settled they keep their columns`() {
    let first = PageLayout(width: 80, items: items([3, 3, 3]))
    let grown = PageLayout(width: 80, items: items([9, 3, 3]), previous: first.assignment)
    #expect(columns(grown) == columns(first))
    #expect(columns(PageLayout(width: 80, items: items([9, 3, 3]))) == ["0", "12"])
  }

  @Test func `cards that are starting do not fix the columns`() {
    let first = PageLayout(width: 80, items: items([3, 3, 3], isSettled: false))
    let later = PageLayout(width: 80, items: items([9, 3, 3]), previous: first.assignment)
    #expect(columns(later) == ["0", "12"])
  }

  @Test func `while a card changes its height no card changes its column`() {
    let first = PageLayout(width: 80, items: items([3, 3, 3], isSettled: false))
    var moving = items([9, 3, 3], isSettled: false)
    moving[0].isMoving = true
    let later = PageLayout(width: 80, items: moving, previous: first.assignment)
    #expect(columns(later) == columns(first))
  }

  @Test func `another card or another number of columns distributes the cards again`() {
    let first = PageLayout(width: 80, items: items([3, 3, 3]))
    let more = PageLayout(width: 80, items: items([9, 3, 3, 3]), previous: first.assignment)
    #expect(columns(more) == ["0", "123"])
    let wider = PageLayout(width: 120, items: items([9, 3, 3]), previous: first.assignment)
    #expect(columns(wider) == ["0", "1", "2"])
  }

  @Test func `removing a card keeps the columns, unless one becomes empty`() {
    let first = PageLayout(width: 80, items: items([3, 9, 4, 4]))
    let three = items([3, 9, 4, 4]).filter { $0.id != CardID("0") }
    #expect(
      columns(PageLayout(width: 80, items: three, previous: first.assignment)) == ["23", "1"]
    )
    let others = items([3, 9, 4, 4]).filter { $0.id != CardID("1") }
    #expect(
      columns(PageLayout(width: 80, items: others, previous: first.assignment)) == ["03", "2"]
    )
  }
}
