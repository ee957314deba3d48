import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// The motion of a page: whether a card moves, and the cards that were removed and shrink away while those below move up.
///
/// The latter are only the last pictures of cards, without a session. This is a class because its timers call
/// it.
final class PageMotion {
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
  private var leaving: [LeavingCard] = []
  /// Whether a card has begun an animation since none was running.
  private var mayMove = false

  init(clock: any HostClock, onChange: @escaping () -> Void) {
    self.clock = clock
    self.onChange = onChange
  }

  /// Called when a card begins an animation.
  func cardDidBegin() {
    mayMove = true
  }

  /// Whether one of these cards moves, or one that was removed.
  func isMoving(_ controllers: [CardRuntime]) -> Bool {
    // This is asked after every change, and cards rarely move.
    if mayMove {
      for controller in controllers where controller.state.display.size.isMoving { return true }
      mayMove = false
    }
    return !leaving.isEmpty
  }

  /// Starts to shrink a card that is removed from these, if it is on the screen.
  func remove(_ controller: CardRuntime, of controllers: [CardRuntime]) {
    guard controller.state.widget.isVisible, !controller.isHidden else { return }
    let before = controllers.prefix { $0 !== controller }
    remove(
      controller.card,
      controller.body(at: clock.now),
      behind: before.last { !$0.isHidden }?.card.id
    )
  }

  /// Starts to shrink a card in its place after `previous`.
  private func remove(_ card: Card, _ body: CardBody, behind previous: CardID?) {
    var card = card
    card.pressed = []
    card.pending = []
    card.pressCue = nil
    let id = card.id
    let timer = clock.schedule(after: CardTransition.duration) { [weak self] in
      self?.leaving.removeAll { $0.card.id == id }
      self?.onChange()
    }
    leaving.append(
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
  func addLeaving(
    to drawn: inout [(card: Card, body: CardBody?)],
    on page: PageName,
    at now: ContinuousClock.Instant
  ) {
    for leavingCard in leaving
    where leavingCard.card.page == page
      && !drawn.contains(where: { $0.card.id == leavingCard.card.id })
    {
      let index = leavingCard.previous.flatMap { id in drawn.firstIndex { $0.card.id == id } }
      drawn.insert((leavingCard.card(at: now), leavingCard.body), at: index.map { $0 + 1 } ?? 0)
    }
  }
}
