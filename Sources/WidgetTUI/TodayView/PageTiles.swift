import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// Which cards of a page are tiles: those of one or two lines, which stand side by side where they follow each other.
///
/// A card is a tile if its first content is that low, also at the width of a tile, and nothing of it is cut there. It
/// stays a tile while its content changes a little, so that nothing moves while the user reads, and until the page has
/// another width or other cards.
nonisolated struct PageTiles: Equatable, Sendable {
  /// What is known of a card.
  private enum State: Hashable {
    /// It is low enough at the width that it had, where it showed so many letters.
    case offered(letters: Int)
    /// It is low enough as a tile.
    case tile
    /// It is not a tile.
    case refused
  }

  /// What a decision holds for.
  struct Ground: Equatable, Sendable {
    var page: PageName
    var columns: Int
    /// The cards in page order.
    var cards: [CardID]
  }

  private var states: [CardID: State] = [:]
  private var ground: Ground?

  /// The rows of the body up to which a card becomes a tile.
  static let rows = 2
  /// The rows of the body from which a tile is an ordinary card again.
  static let tooManyRows = 5

  /// Whether a card is a tile.
  func contains(_ id: CardID) -> Bool {
    states[id].map { $0 != .refused } ?? false
  }

  /// Decides for cards whose content has come, and after they have been laid out as tiles.
  ///
  /// - Parameters:
  ///   - cards: The cards in page order.
  ///   - bodies: What they show.
  ///   - ground: The page, its width, and its cards.
  mutating func decide(_ cards: [Card], _ bodies: [CardID: CardBody], on ground: Ground) {
    if ground != self.ground {
      self.ground = ground
      states = [:]
    }
    for card in cards {
      guard card.view != nil, let body = bodies[card.id] else { continue }
      let rows = card.canBeTile ? card.bodySize.rows + card.marginInsets.rows : .max
      switch states[card.id] {
      case nil:
        states[card.id] = rows <= Self.rows ? .offered(letters: body.letterCount) : .refused
      case .offered(let letters):
        let isWhole = rows <= Self.rows && body.letterCount >= letters
        states[card.id] = isWhole ? .tile : .refused
      case .tile: if rows >= Self.tooManyRows { states[card.id] = .refused }
      case .refused: break
      }
    }
  }
}

nonisolated extension CardBody {
  /// How many letters and digits are drawn, of which there are fewer where a text is cut.
  fileprivate var letterCount: Int {
    (to ?? from).runs.reduce(0) { count, run in
      count
        + run.cells.count { cell in
          cell.glyph.text.unicodeScalars.first?.properties.isAlphabetic == true
            || cell.glyph.text.first?.isNumber == true
        }
    }
  }
}

nonisolated extension Card {
  /// Whether it takes up little room in any form.
  fileprivate var canBeTile: Bool {
    span == 1 && !offersExpanded && !asksForPermission && !isEdited && message == nil
  }
}

/// Cards of a page that are planned together: one, or tiles that follow each other and stand side by side.
nonisolated struct PageStrip: Hashable, Sendable {
  /// The cards, of which there is at least one.
  var items: [PagePlan.Item]

  /// The least width of a tile, with its borders.
  static let tileColumns = 24

  /// Divides the cards of a page, which stay in their order.
  static func divide(_ items: [PagePlan.Item], grid: ColumnGrid) -> [PageStrip] {
    var strips: [PageStrip] = []
    let hasRoom = grid.width / tileColumns > 1
    for item in items {
      if hasRoom, item.isTile, strips.last?.items.last?.isTile == true {
        strips[strips.count - 1].items.append(item)
      } else {
        strips.append(PageStrip(items: [item]))
      }
    }
    return strips.flatMap { strip in
      strip.savesRoom(on: grid) ? [strip] : strip.items.map { PageStrip(items: [$0]) }
    }
  }

  /// Whether more cards are beside each other than in the columns that they take.
  private func savesRoom(on grid: ColumnGrid) -> Bool {
    let span = span(on: grid)
    return perRow(columns: grid.width(column: 0, span: span)) > span
  }

  /// As many columns as the cards need for one row, or all.
  private func span(on grid: ColumnGrid) -> Int {
    (1...grid.count).first {
      grid.width(column: 0, span: $0) / Self.tileColumns >= items.count
    } ?? grid.count
  }

  /// What a plan must know about the strip as a whole.
  func item(on grid: ColumnGrid) -> PagePlan.Item {
    var item = items[0]
    guard items.count > 1 else { return item }
    item.span = span(on: grid)
    let perRow = perRow(columns: grid.width(column: 0, span: item.span))
    item.rows = (items.map(\.rows).max() ?? 0) * ((items.count + perRow - 1) / perRow)
    return item
  }

  /// The slots of the cards in that of the strip.
  func slots(in slot: PagePlan.Slot, on grid: ColumnGrid) -> [PagePlan.Slot] {
    guard items.count > 1 else { return [slot] }
    let perRow = perRow(columns: grid.width(column: slot.column, span: slot.span))
    return items.enumerated().map { index, item in
      var own = slot
      own.id = item.id
      own.tile = PagePlan.Tile(
        index: index % perRow,
        count: min(perRow, items.count - index / perRow * perRow)
      )
      return own
    }
  }

  /// How many cards are beside each other, in rows that are as even as can be.
  private func perRow(columns: Int) -> Int {
    let most = max(1, columns / Self.tileColumns)
    let rows = (items.count + most - 1) / most
    return (items.count + rows - 1) / rows
  }
}
