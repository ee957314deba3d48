import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

/// Which cards a page expands by itself.
@Suite struct PageGrowthTests {
  private static let start = ContinuousClock.now
  private let ids = ["a", "b", "c"].map { CardID($0) }

  /// Cards in one column: their expanded rows, nil for one that is not known; each has a frame of two.
  private func items(_ rows: [Int?]) -> [PageGrowth.Item] {
    zip(ids, rows).map { id, rows in
      PageGrowth.Item(
        id: id,
        rows: 6,
        frameRows: 2,
        expansion: CardExpansion(rows: rows, canBeAsked: true),
        hasContent: true
      )
    }
  }

  private func decide(
    _ growth: inout PageGrowth,
    _ items: [PageGrowth.Item],
    room: Int,
    after seconds: Int = 0,
    columns: Int = 100
  ) -> [CardGrowth] {
    let ground = PageGrowth.Ground(
      page: .home,
      size: Size(columns: columns, rows: room),
      cards: items.map(\.id)
    )
    growth.decide(items, on: ground, room: room, at: Self.start + .seconds(seconds)) {
      $0.values.reduce(0, +)
    }
    return items.map { growth.forms[$0.id] ?? .none }
  }

  @Test(arguments: [
    (18, [CardGrowth.none, .none, .none]),
    (23, [.none, .grown, .none]),
    (24, [.grown, .none, .none]),
    (28, [.grown, .grown, .none]),
    (100, [.grown, .grown, .grown]),
    (17, [.none, .none, .none]),
    (0, [.none, .none, .none]),
  ])
  func `cards are expanded in page order, as many as fit as a whole`(
    room: Int,
    expected: [CardGrowth]
  ) {
    var growth = PageGrowth()
    #expect(decide(&growth, items([10, 8, 30]), room: room) == expected)
  }

  @Test func `a card of which the user has chosen a form keeps it, and its rows count`() {
    var growth = PageGrowth()
    var items = items([10, 8, 30])
    items[0].expansion = nil
    items[0].rows = 12
    #expect(decide(&growth, items, room: 27) == [.none, .none, .none])
    #expect(decide(&growth, items, room: 28) == [.none, .grown, .none])
  }

  @Test func `a widget that was never expanded is asked, and those below wait for its answer`() {
    var growth = PageGrowth()
    #expect(decide(&growth, items([nil, 8, nil]), room: 30) == [.asked, .none, .asked])
    #expect(decide(&growth, items([20, 8, 9]), room: 30) == [.none, .grown, .grown])
    // Without a row that is left, none is asked.
    var full = PageGrowth()
    #expect(decide(&full, items([nil, 8, nil]), room: 18) == [.none, .none, .none])
  }

  @Test func `no card is expanded or made compact by contents while the user reads`() {
    var growth = PageGrowth()
    #expect(decide(&growth, items([10, 40, 40]), room: 30) == [.grown, .none, .none])
    #expect(decide(&growth, items([25, 5, 5]), room: 30, after: 60) == [.grown, .none, .none])
    #expect(decide(&growth, items([4, 5, 5]), room: 30, after: 61) == [.grown, .none, .none])
    // With another size, all is decided again.
    let narrow = decide(&growth, items([25, 5, 5]), room: 30, after: 62, columns: 50)
    #expect(narrow == [.none, .grown, .grown])
  }

  @Test func `while contents come, what is expanded stays so as long as it fits`() {
    var growth = PageGrowth()
    var late = items([nil, 8, 12])
    late[0].expansion = nil
    #expect(decide(&growth, late, room: 32) == [.none, .grown, .grown])
    #expect(decide(&growth, items([14, 8, 12]), room: 32, after: 1) == [.none, .grown, .grown])
    #expect(decide(&growth, items([14, 20, 12]), room: 32, after: 2) == [.none, .none, .grown])
  }

  @Test func `a card whose first content is late is expanded once, into what is left`() {
    var growth = PageGrowth()
    var items = items([10, 8, 30])
    items[2].expansion = nil
    items[2].hasContent = false
    #expect(decide(&growth, items, room: 35) == [.grown, .grown, .none])
    items[2].hasContent = true
    items[2].expansion = CardExpansion(rows: 11, canBeAsked: true)
    #expect(decide(&growth, items, room: 35, after: 20) == [.grown, .grown, .grown])
    items[2].expansion?.rows = 40
    #expect(decide(&growth, items, room: 35, after: 21) == [.grown, .grown, .grown])
  }

  @Test func `a card that is left to the page again is decided then, and stays if it fits`() {
    var growth = PageGrowth()
    var items = items([10, 8, 30])
    #expect(decide(&growth, items, room: 28) == [.grown, .grown, .none])
    func choose(_ mode: DisplayMode?, after seconds: Int, room: Int) -> [CardGrowth] {
      items[0].choice = mode
      items[0].rows = mode == .expanded ? 12 : 6
      items[0].expansion = mode == nil ? CardExpansion(rows: 10, canBeAsked: true) : nil
      return decide(&growth, items, room: room, after: seconds)
    }
    #expect(choose(.compact, after: 60, room: 28)[0] == .none)
    // Left to the page by name.
    #expect(choose(nil, after: 61, room: 28) == [.grown, .grown, .none])
    // Expanded, so that the key leaves it to the page next, without a picture of it in between.
    #expect(choose(.expanded, after: 62, room: 28)[0] == .grown)
    #expect(choose(nil, after: 63, room: 28)[0] == .grown)
    // Where there is no room it is compact, and only it.
    #expect(choose(.expanded, after: 64, room: 28)[0] == .grown)
    items[1].rows = 20
    items[1].expansion?.rows = 18
    #expect(choose(nil, after: 65, room: 28) == [.none, .grown, .none])
    // Later it is as still as any other card.
    items[1].rows = 10
    #expect(choose(nil, after: 66, room: 28) == [.none, .grown, .none])
  }

  /// A page with a card that offers more and would have 12 rows, on a screen with free rows.
  private func model(rows: Int) -> TodayModel {
    var model = SamplePage.model(Size(columns: 200, rows: rows))
    for index in model.content.cards.indices where model.content.cards[index].offersExpanded {
      model.content.cards[index].expandedRows = 12
    }
    model.growCards(at: Self.start)
    return model
  }

  @Test
  func
    `on a larger screen the cards grow, and behind zoom, in edit mode and with a filter they stay`()
  {
    let clowns = CardID("com.example.ClownTown")
    var model = model(rows: 12)
    #expect(model.widths.growth[clowns] == nil)
    let changes: [(inout TodayModel) -> Void] = [
      { $0.place.zoom = PageZoom(card: clowns) },
      { $0.mode = .edit(PageEditing()) },
      { $0.place.filter = PageFilter("o") },
      { $0.content.isLocked = true },
    ]
    for change in changes {
      var other = model
      change(&other)
      other.size.rows = 60
      other.growCards(at: Self.start)
      #expect(other.widths.growth[clowns] == nil)
    }
    model.size.rows = 60
    model.growCards(at: Self.start)
    #expect(model.widths.growth[clowns] == .grown)
    model.size.rows = 12
    model.growCards(at: Self.start)
    #expect(model.widths.growth[clowns] == nil)
  }

  @Test func `columns are balanced for the cards that grow, and cards stay in them later`() throws {
    let content = SamplePage.model(Size(columns: 90, rows: 60)).content
    func opened(expandedRows: Int) -> TodayModel {
      var model = TodayModel(size: Size(columns: 90, rows: 60), look: PageLook(now: SamplePage.now))
      model.content = content
      for index in model.content.cards.indices where model.content.cards[index].offersExpanded {
        model.content.cards[index].expandedRows = expandedRows
      }
      model.arrange(at: Self.start)
      model.layOut()
      return model
    }
    let tall = try #require(content.cards.first(where: \.offersExpanded)?.id)
    var model = opened(expandedRows: 30)
    try #require(model.columnCount == 2)
    #expect(model.widths.growth[tall] == .grown)
    // Beside the tall card lie all that fit beside it.
    let columns = model.page.frames.mapValues(\.minColumn)
    let beside = columns.filter { $0.value != columns[tall] }
    let below = columns.filter { $0.value == columns[tall] && $0.key != tall }
    #expect(beside.count > below.count)
    // Its content has become shorter: no card changes its column.
    for index in model.content.cards.indices { model.content.cards[index].expandedRows = 6 }
    model.arrange(at: Self.start + .seconds(10))
    model.layOut()
    #expect(model.page.frames.mapValues(\.minColumn) == columns)
  }
}
