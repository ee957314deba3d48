import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetTestSupport

@testable import WidgetTUI

@Suite struct PageLayoutTests {
  private func items(_ rows: [Int], spans: [Int: Int] = [:]) -> [PagePlan.Item] {
    rows.enumerated().map {
      PagePlan.Item(id: CardID("\($0)"), rows: $1, span: spans[$0] ?? 1)
    }
  }

  private func starting(_ rows: [Int]) -> [PagePlan.Item] {
    items(rows).map {
      var item = $0
      item.hasContent = false
      item.isSettled = false
      return item
    }
  }

  private func plan(
    _ width: Int,
    _ items: [PagePlan.Item],
    after previous: PagePlan? = nil
  ) -> PagePlan {
    PagePlan(width: width, items: items, columns: ColumnRule(), previous: previous)
  }

  private func layout(_ plan: PagePlan, _ items: [PagePlan.Item]) -> PageLayout {
    let rows = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.rows) })
    return PageLayout(plan) { id, _ in rows[id] ?? 0 }
  }

  /// The cards of each column: `["02", "1"]`.
  private func columns(_ plan: PagePlan) -> [String] {
    PageLayout(plan) { _, _ in 1 }.columns.map { $0.map(\.description).joined() }
  }

  @Test func `a card goes to the column that is shortest so far`() {
    let items = items([3, 9, 4, 4])
    let plan = plan(80, items)
    #expect(columns(plan) == ["023", "1"])
    let layout = layout(plan, items)
    #expect(layout.frames[CardID("3")] == Rect(column: 0, row: 7, columns: 40, rows: 4))
    #expect(layout.rows == 11)
  }

  @Test func `cells that are left over belong to the columns on the left`() {
    let items = items([1, 1, 1])
    let plan = plan(161, items)
    #expect(layout(plan, items).frames.values.map(\.minColumn).sorted() == [0, 54, 108])
    let widths = plan.widths(showsBorders: true)
    #expect(["0", "1", "2"].map { widths[CardID($0)] } == [52, 52, 51])
    #expect(plan.widths(showsBorders: false)[CardID("0")] == 54)
  }

  // MARK: - Cards keep their columns

  @Test func `no column stays empty above a card of several when others go`() {
    let before = items([8, 3, 9, 3, 20], spans: [4: 2])
    let first = plan(120, before)
    #expect(columns(first) == ["034", "124"])
    // Those that are left lie in one column.
    let left = [before[1], before[2], before[4]]
    let second = plan(120, left, after: first)
    #expect(layout(second, left).frames[CardID("1")]?.minColumn == 0)
    #expect(layout(second, left).rows == 29)
    #expect(layout(second, left).frames[CardID("2")]?.minColumn == 60)
  }

  @Test func `cards stay in their columns when one goes, unless the page became far too long`() {
    let before = items([4, 10, 4, 10, 4, 10, 4, 10])
    let first = plan(80, before)
    // One card less changes nothing for the others.
    let one = Array(before.dropLast())
    let kept = plan(80, one, after: first)
    for item in one {
      #expect(
        layout(kept, one).frames[item.id]?.minColumn
          == layout(first, before).frames[item.id]?.minColumn
      )
    }
    let column = layout(first, before).frames.filter { $0.value.minColumn == 0 }.keys
    let long = before.filter { !column.contains($0.id) } + [before[0]]
    let ordered = before.filter { item in long.contains { $0.id == item.id } }
    let mended = plan(80, ordered, after: first)
    let fresh = plan(80, ordered)
    #expect(layout(mended, ordered).rows <= layout(fresh, ordered).rows + 12)
  }

  @Test func `once a card has content no card changes its column when one grows`() {
    let first = plan(80, items([3, 3, 3]))
    #expect(columns(plan(80, items([9, 3, 3]), after: first)) == columns(first))
    #expect(columns(plan(80, items([9, 3, 3]))) == ["0", "12"])
  }

  @Test func `content that arrives moves no card to another column`() {
    var some = starting([3, 3, 3])
    some[1] = items([3, 3, 3])[1]
    let first = plan(80, some)
    #expect(columns(plan(80, items([9, 3, 3]), after: first)) == columns(first))
  }

  @Test func `cards that are all starting do not fix the columns`() {
    let first = plan(80, starting([3, 3, 3]))
    #expect(columns(plan(80, items([9, 3, 3]), after: first)) == ["0", "12"])
  }

  @Test func `while a card changes its height no card changes its column`() {
    let first = plan(80, starting([3, 3, 3]))
    var moving = starting([9, 3, 3])
    moving[0].isMoving = true
    #expect(columns(plan(80, moving, after: first)) == columns(first))
  }

  @Test func `a new card goes to the shortest column, and the others stay`() {
    let first = plan(80, items([3, 3, 3]))
    #expect(columns(plan(80, items([9, 3, 3, 3]), after: first)) == ["02", "13"])
    let ids = ["0", "new", "1", "2"].map { PagePlan.Item(id: CardID($0), rows: 3) }
    #expect(columns(plan(80, ids, after: first)) == ["02", "new1"])
  }

  @Test func `another number of columns, order or span distributes the cards again`() {
    let first = plan(80, items([3, 3, 3]))
    #expect(columns(plan(160, items([9, 3, 3]), after: first)) == ["0", "1", "2"])
    #expect(columns(plan(80, items([9, 3, 3]).reversed(), after: first)) == ["20", "1"])
    let wide = items([9, 3, 3], spans: [1: 2])
    #expect(columns(plan(80, wide, after: first)) == ["01", "21"])
  }

  @Test func `removing a card keeps the columns, unless one becomes empty`() {
    let first = plan(80, items([3, 9, 4, 4]))
    let three = items([3, 9, 4, 4]).filter { $0.id != CardID("0") }
    #expect(columns(plan(80, three, after: first)) == ["23", "1"])
    let others = items([3, 9, 4, 4]).filter { $0.id != CardID("1") }
    #expect(columns(plan(80, others, after: first)) == ["03", "2"])
  }

  // MARK: - Cards that span columns

  @Test func `a span of more columns than there are is the whole width`() {
    let items = items([3, 3, 3], spans: [1: 100])
    let plan = plan(80, items)
    #expect(
      layout(plan, items).frames[CardID("1")] == Rect(column: 0, row: 3, columns: 80, rows: 3)
    )
    #expect(plan.widths(showsBorders: true)[CardID("1")] == 78)
  }

  @Test func `a card that fits beside the one before goes above the wide card between them`() {
    let items = items([5, 4, 2, 3], spans: [1: 2])
    let plan = plan(80, items)
    #expect(columns(plan) == ["01", "231"])
    #expect(layout(plan, items).rows == 9)
  }

  @Test func `a wide card lies where it leaves the fewest cells empty`() {
    let items = items([5, 3, 3, 2], spans: [3: 2])
    #expect(columns(plan(168, items)) == ["0", "13", "23"])
  }

  @Test func `columns that no card needs are left out`() {
    let wide = items([3, 3], spans: [0: 3, 1: 3])
    let plan = plan(224, wide)
    #expect(plan.grid.count == 3)
    #expect(layout(plan, wide).frames[CardID("0")]?.size.columns == 224)
    #expect(columns(self.plan(200, items([3], spans: [0: 2]))) == ["0", "0"])
  }

  // MARK: - Any page

  /// A random page: how many cards, how high and how wide they are.
  private func randomItems(_ random: inout SeededGenerator) -> [PagePlan.Item] {
    (0..<Int.random(in: 1...24, using: &random)).map { index in
      PagePlan.Item(
        id: CardID("\(index)"),
        rows: Int.random(in: 1...20, using: &random),
        span: Bool.random(using: &random) ? 1 : Int.random(in: 1...6, using: &random)
      )
    }
  }

  @Test(arguments: 0..<300)
  func `no card overlaps another, leaves the page, or leaves a gap that it could fill`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let items = randomItems(&random)
    let width = Int.random(in: 0...420, using: &random)
    let plan = plan(width, items)
    let layout = layout(plan, items)
    try expectSound(layout, plan, items, width: width)
    let places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
    let slots = Dictionary(uniqueKeysWithValues: plan.slots.map { ($0.id, $0) })
    for column in layout.columns {
      #expect(!column.isEmpty || items.isEmpty)
      for (index, upper) in column.enumerated() {
        for lower in column.dropFirst(index + 1) {
          let isInOrder = (places[upper] ?? 0) < (places[lower] ?? 0)
          // Only a card that fits beside others goes above a wider one that precedes it.
          let span = try #require(slots[upper]).span
          let isBesideOthers = column[...(column.firstIndex(of: lower) ?? 0)]
            .dropFirst(index + 1)
            .contains {
              (places[$0] ?? 0) < (places[upper] ?? 0) && (slots[$0]?.span ?? 0) > span
            }
          #expect(isInOrder || isBesideOthers, "\(upper) above \(lower)")
        }
      }
    }
    // No card that was placed after the one below a gap would fit there.
    for gap in gaps(in: layout) {
      for slot in plan.slots.drop(while: { $0.id != gap.above }) where slot.span == 1 {
        let rows = try #require(layout.frames[slot.id]).size.rows
        #expect(rows > gap.rows, "\(slot.id) fits above \(gap.above)")
      }
    }
  }

  @Test(arguments: 0..<300)
  func `no growth, and no content that arrives, moves a card to another column`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var items = randomItems(&random)
    let width = Int.random(in: 0...420, using: &random)
    for index in items.indices.dropFirst() where Bool.random(using: &random) {
      items[index].hasContent = false
      items[index].isSettled = Bool.random(using: &random)
    }
    let first = plan(width, items)
    var present = first
    for _ in 0..<5 {
      for index in items.indices {
        items[index].rows = Int.random(in: 1...30, using: &random)
        if Bool.random(using: &random) { items[index].hasContent = true }
      }
      present = plan(width, items, after: present)
      #expect(present.slots == first.slots)
      try expectSound(layout(present, items), present, items, width: width)
    }
  }

  /// Expects that cards do not overlap, lie on the page, and lie directly below one above them.
  private func expectSound(
    _ layout: PageLayout,
    _ plan: PagePlan,
    _ items: [PagePlan.Item],
    width: Int
  ) throws {
    let page = Rect(column: 0, row: 0, columns: width, rows: layout.rows)
    #expect(layout.frames.count == items.count)
    for item in items {
      let frame = try #require(layout.frames[item.id])
      #expect(frame.intersection(page) == frame || frame.size.isEmpty)
      #expect(frame.size.rows == item.rows)
      let others = items.compactMap { $0.id == item.id ? nil : layout.frames[$0.id] }
      #expect(others.allSatisfy { $0.intersection(frame).size.isEmpty })
      let isHeld = others.contains {
        $0.maxRow == frame.minRow && $0.minColumn < frame.maxColumn
          && frame.minColumn < $0.maxColumn
      }
      #expect(frame.minRow == 0 || isHeld || frame.size.isEmpty)
    }
  }

  /// The empty cells of each column above a card.
  private func gaps(in layout: PageLayout) -> [(above: CardID, row: Int, rows: Int)] {
    layout.columns.flatMap { cards in
      var end = 0
      return cards.compactMap { id in
        let frame = layout.frames[id] ?? .zero
        defer { end = frame.maxRow }
        return frame.minRow > end ? (id, end, frame.minRow - end) : nil
      }
    }
  }
}
