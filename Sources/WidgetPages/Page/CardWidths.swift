public import WidgetCards
public import WidgetPlatform

/// A card that is shown alone.
public nonisolated struct CardZoom: Hashable, Sendable {
  /// The card.
  public var card: CardID
  /// The rows between its heading and its lower border, which the content fills at least.
  public var rows: Int

  /// Creates a zoom.
  public init(card: CardID, rows: Int) {
    self.card = card
    self.rows = rows
  }
}

/// The width inside the borders of each card of a page, and the room that it has there.
public nonisolated struct CardWidths: Hashable, Sendable {
  /// The width of a card that has none of its own.
  public let usual: Int
  /// The widths that differ from it.
  private var own: [CardID: Int] = [:]

  /// The card that is shown alone.
  public var zoom: CardZoom?

  /// What the page does with cards of which the user has chosen no form; a card that is missing is compact.
  public var growth: [CardID: CardGrowth] = [:]

  /// Gives every card the same width.
  public init(_ usual: Int) {
    self.usual = usual
  }

  /// The width of a card.
  public subscript(id: CardID) -> Int {
    get { own[id] ?? usual }
    set { own[id] = newValue == usual ? nil : newValue }
  }

  /// The rows that a card fills at least; nil if its content determines its height.
  func rows(of id: CardID) -> Int? { zoom.flatMap { $0.card == id ? $0.rows : nil } }
}
