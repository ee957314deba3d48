/// The width inside the borders of each card of a page.
public nonisolated struct CardWidths: Hashable, Sendable {
  /// The width of a card that has none of its own.
  public let usual: Int
  /// The widths that differ from it.
  private var own: [CardID: Int] = [:]

  /// Gives every card the same width.
  public init(_ usual: Int) {
    self.usual = usual
  }

  /// The width of a card.
  public subscript(id: CardID) -> Int {
    get { own[id] ?? usual }
    set { own[id] = newValue == usual ? nil : newValue }
  }
}
