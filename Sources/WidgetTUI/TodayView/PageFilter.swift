import WidgetCards
import WidgetKitCore

/// Which cards a page shows: those with a text in their name or in their content.
nonisolated struct PageFilter: Hashable, Sendable {
  /// The text as it was typed.
  let text: String
  private let words: [String]

  /// Finds cards with all words of `text`, whatever their case; nil without any word.
  init?(_ text: String) {
    self.text = text
    words = text.lowercased().split(separator: " ").map(String.init)
    if words.isEmpty { return nil }
  }

  /// Whether the name of a card has all words.
  func matchesName(of card: Card) -> Bool {
    let name = card.name.string.lowercased()
    return words.allSatisfy { name.contains($0) }
  }

  /// Whether a card is shown.
  ///
  /// Texts that “Show More” or a fold leaves out count too. On a locked page only what is drawn does, so that what is
  /// covered cannot be found.
  func matches(_ card: Card, _ body: CardBody?, isLocked: Bool) -> Bool {
    let drawn = "\(card.name)\n\(body?.drawnText ?? "")".lowercased()
    if words.allSatisfy({ drawn.contains($0) }) { return true }
    guard !isLocked, !card.isConcealed, body != nil, let view = card.view else { return false }
    let text = drawn + "\n" + view.texts.joined(separator: "\n").lowercased()
    return words.allSatisfy { text.contains($0) }
  }
}
