import WidgetKitCore

/// Cards that have left the page and shrink away, so that those below them come up.
///
/// Nothing of them is alive any more: they are the last pictures of cards. A class because its timers
/// call it back.
final class Departures {
  private struct Departure {
    /// The card as it was.
    let card: Card
    /// What it showed; nil where there was no view.
    let body: CardBody?
    /// The card that came before it on the page.
    let previous: CardID?
    let start: ContinuousClock.Instant
    /// What ends it.
    let timer: any HostTimer

    /// The card at a moment.
    func card(at now: ContinuousClock.Instant) -> Card {
      var card = card
      let part = start.duration(to: now).seconds / CardTransition.duration.seconds
      card.leaving = CardTransition.curve.value(at: part)
      return card
    }
  }

  private let clock: any HostClock
  private let onChange: () -> Void
  private var departures: [Departure] = []

  init(clock: any HostClock, onChange: @escaping () -> Void) {
    self.clock = clock
    self.onChange = onChange
  }

  var isEmpty: Bool { departures.isEmpty }

  /// Lets a card shrink away from its place behind `previous`.
  func begin(_ card: Card, _ body: CardBody, behind previous: CardID?) {
    var card = card
    card.pressed = []
    card.pressCue = nil
    let id = card.id
    let timer = clock.schedule(after: CardTransition.duration) { [weak self] in
      self?.departures.removeAll { $0.card.id == id }
      self?.onChange()
    }
    departures.append(
      Departure(
        card: card,
        body: card.view == nil ? nil : CardBody(MotionFrame.frozen(body)),
        previous: previous,
        start: clock.now,
        timer: timer
      )
    )
  }

  /// Puts the cards that are leaving where they were.
  func add(to drawn: inout [(card: Card, body: CardBody?)], at now: ContinuousClock.Instant) {
    for departure in departures
    where !drawn.contains(where: { $0.card.id == departure.card.id }) {
      let index = departure.previous.flatMap { id in drawn.firstIndex { $0.card.id == id } }
      drawn.insert((departure.card(at: now), departure.body), at: index.map { $0 + 1 } ?? 0)
    }
  }
}
