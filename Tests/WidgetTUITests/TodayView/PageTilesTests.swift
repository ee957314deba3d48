import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// Cards of one or two lines, which stand side by side.
@Suite struct PageTilesTests {
  /// Cards by letters, each with its rows; a small letter is a tile.
  private func items(_ cards: [(String, Int)]) -> [PagePlan.Item] {
    cards.map { name, rows in
      PagePlan.Item(id: CardID(name), rows: rows, isTile: name.first?.isLowercase == true)
    }
  }

  private func plan(
    _ width: Int,
    _ cards: [(String, Int)],
    after previous: PagePlan? = nil
  ) -> PagePlan {
    PagePlan(width: width, items: items(cards), columns: ColumnRule(), previous: previous)
  }

  private func frames(_ width: Int, _ cards: [(String, Int)]) -> PageLayout {
    let rows = Dictionary(uniqueKeysWithValues: cards.map { (CardID($0.0), $0.1) })
    return PageLayout(plan(width, cards)) { id, _ in rows[id] ?? 0 }
  }

  @Test(arguments: [(40, 24), (60, 12), (80, 9), (120, 6), (200, 3)])
  func `eight cards of one line take a few rows`(width: Int, rows: Int) {
    let page = frames(width, "abcdefgh".map { (String($0), 3) })
    #expect(page.rows == rows)
    for frame in page.frames.values {
      #expect(frame.minColumn >= 0 && frame.maxColumn <= width)
      #expect(width < 48 || frame.size.columns >= PageStrip.tileColumns)
    }
    let all = Array(page.frames.values)
    for (index, frame) in all.enumerated() {
      #expect(all[(index + 1)...].allSatisfy { frame.intersection($0).size.isEmpty })
    }
  }

  @Test func `cards that follow each other are in one row, and as high as the highest`() {
    let page = frames(120, [("A", 10), ("b", 3), ("c", 4), ("D", 9)])
    let (first, second) = (page.frames[CardID("b")], page.frames[CardID("c")])
    #expect(first?.minRow == second?.minRow && first?.size.rows == 4 && second?.size.rows == 4)
    // Where each has a column anyway, they stay in it.
    let columns = frames(80, [("A", 10), ("b", 3), ("c", 4), ("D", 9)])
    #expect(columns.frames[CardID("c")]?.minRow == 3)
    // One alone is a card as any other.
    let alone = frames(60, [("A", 10), ("b", 3), ("D", 9)])
    #expect(alone.frames[CardID("b")] == Rect(column: 0, row: 10, columns: 60, rows: 3))
  }

  @Test func `all cards of the rows on the screen are found`() {
    let page = frames(120, "abcdefgh".map { (String($0), 3) })
    #expect(page.cards(in: 0..<1) == Set("abcd".map { CardID(String($0)) }))
    #expect(page.cards(in: 4..<5) == Set("efgh".map { CardID(String($0)) }))
    #expect(page.cards(in: 6..<90).isEmpty)
  }

  @Test func `where a card leaves, the others of its row share its room`() {
    let all: [(String, Int)] = [("a", 3), ("b", 3), ("c", 3)]
    let before = plan(80, all)
    let after = plan(80, Array(all.dropLast()), after: before)
    #expect(after.width(of: CardID("a")) == 40 && after.width(of: CardID("b")) == 40)
    // Without a change of the cards, none moves.
    #expect(plan(80, [("a", 3), ("b", 9), ("c", 3)], after: before).slots == before.slots)
  }

  @Test func `a tile that has grown goes below its row, and no other card moves`() {
    let before = plan(80, [("a", 3), ("b", 3), ("c", 3), ("D", 8), ("E", 6)])
    let items = [("a", 3), ("b", 8), ("c", 3), ("D", 8), ("E", 6)].map { name, rows in
      PagePlan.Item(id: CardID(name), rows: rows, isTile: ["a", "c"].contains(name))
    }
    let kept = PagePlan(width: 80, items: items, columns: ColumnRule(), previous: before)
    let columns = { (plan: PagePlan, name: String) in
      plan.slots.first { $0.id == CardID(name) }.map { plan.columns(of: $0) }
    }
    #expect(columns(kept, "a") == 0..<40 && columns(kept, "c") == 40..<80)
    #expect(columns(kept, "b")?.count == 40)
    for name in ["D", "E"] { #expect(columns(kept, name) == columns(before, name)) }
    let page = PageLayout(kept) { id, _ in items.first { $0.id == id }?.rows ?? 0 }
    #expect(page.frames[CardID("b")]?.minRow == 3)
    // While the first contents come, the page is balanced again.
    let fresh = PagePlan(
      width: 80,
      items: items,
      columns: ColumnRule(),
      previous: before,
      isSettling: true
    )
    #expect(fresh.isFresh && !kept.isFresh)
  }

  @Test func `a new card moves no row of tiles`() {
    let before = plan(80, [("a", 3), ("b", 3), ("c", 3), ("D", 8), ("E", 6)])
    let cards = [("a", 3), ("F", 4), ("b", 3), ("c", 3), ("D", 8), ("E", 6), ("G", 4)]
    let after = plan(80, cards, after: before)
    for slot in before.slots { #expect(after.slots.contains(slot)) }
    let rows = Dictionary(uniqueKeysWithValues: cards.map { (CardID($0.0), $0.1) })
    let page = PageLayout(after) { id, _ in rows[id] ?? 0 }
    let all = Array(page.frames.values)
    #expect(all.count == 7)
    for (index, frame) in all.enumerated() {
      #expect(all[(index + 1)...].allSatisfy { frame.intersection($0).size.isEmpty })
    }
  }

  @Test func `a card that is a tile now joins a row only if no other card moves`() {
    let before = plan(80, [("A", 6), ("B", 6), ("c", 4), ("D", 3), ("E", 6)])
    let columns = { (plan: PagePlan, name: String) in
      plan.slots.first { $0.id == CardID(name) }.map { plan.columns(of: $0) }
    }
    // At the end of the page, as a card that has been added.
    let cards = [("A", 6), ("B", 9), ("c", 4), ("D", 3), ("E", 2), ("f", 3)]
    let after = plan(80, cards, after: before)
    for name in ["A", "B", "c", "D", "E"] {
      #expect(columns(after, name) == columns(before, name), "\(name)")
    }
    #expect(columns(after, "f")?.count == 40 && !after.isFresh)
    // A tile that was higher for a while is in its row again.
    let row = plan(80, [("a", 3), ("b", 3), ("c", 3), ("D", 8), ("E", 6)])
    let items = [("a", 3), ("b", 8), ("c", 3), ("D", 8), ("E", 6)].map { name, rows in
      PagePlan.Item(id: CardID(name), rows: rows, isTile: ["a", "c"].contains(name))
    }
    let grown = PagePlan(width: 80, items: items, columns: ColumnRule(), previous: row)
    let again = plan(80, [("a", 3), ("b", 3), ("c", 3), ("D", 8), ("E", 6)], after: grown)
    #expect(again.slots == row.slots)
  }

  // MARK: - Decisions

  private func decide(
    _ tiles: inout PageTiles,
    _ rows: Int,
    text: SafeText = "value 1",
    change: (inout Card) -> Void = { _ in }
  ) -> Bool {
    var card = SamplePage.card("Load", .live, age: 1)
    card.bodySize = Size(columns: 20, rows: rows)
    change(&card)
    let body = CardBody(SamplePage.list([text], width: 20))
    let ground = PageTiles.Ground(page: .home, columns: 80, cards: [card.id])
    tiles.decide([card], [card.id: body], on: ground)
    return tiles.contains(card.id)
  }

  @Test func `a card that is high, cut or offers more is not a tile`() {
    for rows in [1, 2] {
      var tiles = PageTiles()
      #expect(decide(&tiles, rows))
      #expect(decide(&tiles, rows))
    }
    var high = PageTiles()
    #expect(!decide(&high, 3))
    var wrapped = PageTiles()
    #expect(decide(&wrapped, 1))
    #expect(!decide(&wrapped, 3))
    var cut = PageTiles()
    #expect(decide(&cut, 1))
    #expect(!decide(&cut, 1, text: "val…"))
    for change: (inout Card) -> Void in [
      { $0.offersExpanded = true }, { $0.span = 2 }, { $0.asksForPermission = true },
    ] {
      var tiles = PageTiles()
      #expect(!decide(&tiles, 1, change: change))
    }
  }

  @Test func `a tile stays one while its content changes a little`() {
    var tiles = PageTiles()
    for rows in [1, 1, 2, 4, 1] { #expect(decide(&tiles, rows)) }
    #expect(!decide(&tiles, 5))
    #expect(!decide(&tiles, 1))
  }

  // MARK: - Focus

  /// A page of eight tiles.
  private func page() -> TodayModel {
    var model = TodayModel(size: Size(columns: 120, rows: 40), look: PageLook(now: SamplePage.now))
    for name in "abcdefgh" {
      var card = SamplePage.card("\(String(name))", .live, age: 1)
      card.bodySize = Size(columns: 20, rows: 1)
      model.content.cards.append(card)
      model.content.bodies[card.id] = CardBody(SamplePage.list(["value 1"], width: 20))
    }
    model.decideTiles()
    model.relayout()
    return model
  }

  @Test func `a tile stays one while it is alone on the screen`() {
    var model = page()
    let before = model.page
    model.place.focus = PageFocus(card: model.content.cards[1].id)
    model.toggleZoom()
    model.content.cards[1].bodySize = Size(columns: 116, rows: 20)
    model.decideTiles()
    model.toggleZoom()
    model.content.cards[1].bodySize = Size(columns: 20, rows: 1)
    model.decideTiles()
    model.relayout()
    #expect(model.page == before)
  }

  @Test func `arrows move among tiles as they are on the screen`() {
    var model = page()
    var path = ""
    func go(_ direction: FocusDirection) {
      model.moveFocus(direction)
      path += model.place.focus?.card.description.suffix(1) ?? "-"
    }
    for direction: FocusDirection in [.right, .right, .down, .left, .up, .right, .right, .right] {
      go(direction)
    }
    #expect(path == "bcgfbcdd")
    for direction: FocusDirection in [.down, .down, .left, .left, .left, .left, .up, .up] {
      go(direction)
    }
    #expect(path == "bcgfbcddhhgfeeaa")
    // A click finds the tile.
    let hits = TodayView.picture(of: model).hits
    #expect(hits.hit(Position(column: 95, row: 5))?.card.description.suffix(1) == "h")
    model.columns.showsTiles = false
    model.relayout()
    #expect(model.page.rows == 12)
  }
}
