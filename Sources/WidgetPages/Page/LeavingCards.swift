import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// Cards that were removed from the page and shrink away while the cards below move up.
///
/// They are only the last pictures of cards, without a session. This is a class because its timers call
/// it.
final class LeavingCards {
  private struct LeavingCard {
    /// The card when it was removed.
    let card: Card
    /// The body when the card was removed, or nil if it had no view.
    let body: CardBody?
    /// The card that preceded it on the page.
    let previous: CardID?
    let start: ContinuousClock.Instant
    /// The timer that ends the animation.
    let timer: any HostTimer

    /// Returns the card at a moment.
    func card(at now: ContinuousClock.Instant) -> Card {
      var card = card
      let part = start.duration(to: now).seconds / CardTransition.duration.seconds
      card.leaving = CardTransition.curve.value(at: part)
      return card
    }
  }

  private let clock: any HostClock
  private let onChange: () -> Void
  private var cards: [LeavingCard] = []

  init(clock: any HostClock, onChange: @escaping () -> Void) {
    self.clock = clock
    self.onChange = onChange
  }

  var isEmpty: Bool { cards.isEmpty }

  /// Starts to shrink a card in its place after `previous`.
  func begin(_ card: Card, _ body: CardBody, behind previous: CardID?) {
    var card = card
    card.pressed = []
    card.pending = []
    card.pressCue = nil
    let id = card.id
    let timer = clock.schedule(after: CardTransition.duration) { [weak self] in
      self?.cards.removeAll { $0.card.id == id }
      self?.onChange()
    }
    cards.append(
      LeavingCard(
        card: card,
        body: card.view == nil ? nil : CardBody(MotionFrame.frozen(body)),
        previous: previous,
        start: clock.now,
        timer: timer
      )
    )
  }

  /// Inserts the cards that are shrinking on a page at their former places.
  func add(
    to drawn: inout [(card: Card, body: CardBody?)],
    on page: PageName,
    at now: ContinuousClock.Instant
  ) {
    for leavingCard in cards
    where leavingCard.card.page == page
      && !drawn.contains(where: { $0.card.id == leavingCard.card.id })
    {
      let index = leavingCard.previous.flatMap { id in drawn.firstIndex { $0.card.id == id } }
      drawn.insert((leavingCard.card(at: now), leavingCard.body), at: index.map { $0 + 1 } ?? 0)
    }
  }
}
