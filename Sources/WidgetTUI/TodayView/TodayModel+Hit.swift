import WidgetHost
import WidgetKitCore

/// What lies under the mouse.
nonisolated struct PageHit: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// The card, and nothing that can be pressed.
    case card
    /// A pressable element, by its place in reading order.
    case target(Int)
    /// What the heading says of the card's state.
    case state
  }

  var card: CardID
  var part: Part
}

nonisolated extension TodayModel {
  /// What lies at a place of the screen; nil beside the cards.
  func hit(_ position: Position) -> PageHit? {
    guard viewport.contains(position) else { return nil }
    for card in cards {
      guard let frame = frameOnScreen(card.id), frame.contains(position) else { continue }
      let view = view(of: card)
      if view.isOnState(position, frame: frame) { return PageHit(card: card.id, part: .state) }
      let origin = view.bodyOrigin(in: frame)
      let size = bodies[card.id]?.size ?? .zero
      let place = Position(
        column: position.column - origin.column,
        row: position.row - origin.row
      )
      guard Rect(origin: .zero, size: size).contains(place) else {
        return PageHit(card: card.id, part: .card)
      }
      // Of targets inside each other the smallest is meant.
      let targets = targets(of: card.id)
      let inside = targets.indices.filter { targets[$0].frame.contains(place) }
      let smallest = inside.min { area(targets[$0].frame) < area(targets[$1].frame) }
      return PageHit(card: card.id, part: smallest.map { .target($0) } ?? .card)
    }
    return nil
  }

  private func area(_ frame: Rect) -> Int { frame.size.columns * frame.size.rows }
}
