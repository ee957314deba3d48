import WidgetKitCore

/// A card that has left the page and shrinks away, so that those below it come up.
///
/// Nothing of it is alive any more: it is the last picture of the card.
struct Departure {
  /// The card as it was.
  let card: Card
  /// What it showed; nil where there was no view.
  let body: CardBody?
  /// The card that came before it on the page.
  let previous: CardID?
  let start: ContinuousClock.Instant
  /// What ends it.
  var timer: (any HostTimer)?

  /// The card at a moment.
  func card(at now: ContinuousClock.Instant) -> Card {
    var card = card
    let part = start.duration(to: now).seconds / CardTransition.duration.seconds
    card.leaving = CardTransition.curve.value(at: part)
    return card
  }
}

extension WidgetCenter {
  /// Lets a card that is about to leave the page shrink away, where it is on the screen.
  func depart(_ controller: CardController) {
    let now = clock.now
    guard configuration.animates, quitCompletion == nil, controller.isVisible,
      controller.card.state != .hidden
    else { return }
    var card = controller.card
    card.pressed = []
    card.pressCue = nil
    let before = controllers.prefix { $0 !== controller }
    var departure = Departure(
      card: card,
      body: card.view == nil ? nil : CardBody(MotionFrame.frozen(controller.body(at: now))),
      previous: before.last { $0.card.state != .hidden }?.card.id,
      start: now
    )
    let id = card.id
    departure.timer = clock.schedule(after: CardTransition.duration) { [weak self] in
      self?.departures.removeAll { $0.card.id == id }
      self?.cardDidChange()
    }
    departures.append(departure)
  }

  /// Puts the cards that are leaving where they were.
  func addDepartures(
    to drawn: inout [(card: Card, body: CardBody?)],
    at now: ContinuousClock.Instant
  ) {
    for departure in departures
    where !drawn.contains(where: { $0.card.id == departure.card.id }) {
      let index = departure.previous.flatMap { id in drawn.firstIndex { $0.card.id == id } }
      drawn.insert((departure.card(at: now), departure.body), at: index.map { $0 + 1 } ?? 0)
    }
  }
}
