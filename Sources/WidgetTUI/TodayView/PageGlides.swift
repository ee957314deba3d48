import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// What moves on cards that keep their size: figures that glide to a new value, rows that come in, and cards that pulse
/// because a countdown on them has ended.
///
/// Only what was on the screen before moves, and only the content that the card has now: not an earlier one in a look
/// back, nor that of a card whose height changes, which has a motion of its own.
nonisolated struct PageGlides: Sendable {
  /// The time between two pictures: the parts of a bar are so wide that more of them would be the same.
  static let frameTime: Duration = .milliseconds(33)
  /// How long a list must have had the same rows before a new one comes in: one that changes all the time is no news.
  private static let rest: Duration = .seconds(5)
  /// How long a card looks different, and then as ever, when a countdown has ended: twice.
  private static let pulse: Duration = .milliseconds(200)
  private static let pulses: Range<Int> = 0..<3
  /// A countdown that ended longer ago, as while the program was stopped, is no news.
  private static let patience: TimeInterval = 2

  /// Whether anything moves at all.
  var isOn = false {
    didSet { if isOn != oldValue { forget() } }
  }
  /// Whether pictures of a glide are due.
  private(set) var isGliding = false
  private var cards: [CardID: Shown] = [:]
  private var time = ContinuousClock.Instant.now

  /// What is on the screen of one card.
  private struct Shown: Sendable {
    var view: LaidOutView
    var glide: ContentGlide?
    /// When its rows were others; nil if that was never seen.
    var rowChange: ContinuousClock.Instant?
    /// When the last countdown ended; nil if the card does not pulse.
    var end: ContinuousClock.Instant?

    /// Takes over a view in place of the one before.
    mutating func take(_ new: LaidOutView, at now: ContinuousClock.Instant) {
      defer { view = new }
      guard new.size == view.size else {
        glide = nil
        return
      }
      let hasOtherRows = new.elements != view.elements && new.rowIDs != view.rowIDs
      guard hasOtherRows || new.figures != view.figures else { return }
      let hasRested = rowChange.map { $0.duration(to: now) >= PageGlides.rest } ?? true
      glide = ContentGlide(
        from: glide?.view(view, at: now) ?? view,
        to: new,
        bringsRows: hasOtherRows && hasRested,
        at: now
      )
      if hasOtherRows { rowChange = now }
    }
  }

  private mutating func forget() {
    (cards, isGliding) = ([:], false)
  }

  /// Compares the cards that are on the screen with what was there before.
  ///
  /// - Parameters:
  ///   - shown: The cards of the page; none if it is locked or hidden.
  ///   - bodies: Their bodies.
  ///   - visible: Which of them are on the screen; the others are forgotten.
  ///   - moment: The present time.
  mutating func take(
    _ shown: [Card],
    _ bodies: [CardID: CardBody],
    of visible: Set<CardID>,
    at moment: Moment
  ) {
    guard isOn else { return }
    time = moment.now
    var kept: [CardID: Shown] = [:]
    // By their places, as a copy of each card costs more than the comparison.
    for index in shown.indices where shown[index].past == nil && shown[index].leaving == nil {
      let id = shown[index].id
      guard visible.contains(id), let body = bodies[id] else { continue }
      guard var card = cards[id] else {
        kept[id] = Shown(view: body.to ?? body.from)
        continue
      }
      if let end = card.view.countdownEnd, moment.date >= end {
        card.end = moment.date.timeIntervalSince(end) < Self.patience ? moment.now : nil
      }
      if let to = body.to {
        (card.view, card.glide) = (to, nil)
      } else {
        card.take(body.from, at: moment.now)
      }
      kept[id] = card
    }
    cards = kept
    advance(to: moment.now)
  }

  /// Goes on to the moment of the next picture.
  mutating func advance(to now: ContinuousClock.Instant) {
    guard isOn else { return }
    time = now
    isGliding = false
    for place in cards.values.indices {
      if cards.values[place].glide?.isOver(at: now) ?? false { cards.values[place].glide = nil }
      isGliding = isGliding || cards.values[place].glide != nil
      if let end = cards.values[place].end, Self.stage(end, now) >= Self.pulses.upperBound {
        cards.values[place].end = nil
      }
    }
  }

  /// The body of a card as it is drawn.
  func body(_ body: CardBody?, of card: CardID) -> CardBody? {
    guard isGliding, let body, body.to == nil, let glide = cards[card]?.glide else { return body }
    return CardBody(glide.view(body.from, at: time))
  }

  /// Whether a card looks different at the moment because a countdown has ended.
  func isPulsing(_ card: CardID) -> Bool {
    guard isOn, let end = cards[card]?.end else { return false }
    let stage = Self.stage(end, time)
    return Self.pulses.contains(stage) && stage % 2 == 0
  }

  /// How long until the next picture is due; nil if nothing moves.
  var pause: Duration? {
    guard isOn else { return nil }
    let pulses = cards.values.lazy.compactMap(\.end).map { end in
      Self.pulse * (Self.stage(end, time) + 1) - end.duration(to: time)
    }
    // A millisecond late, so that the next part has certainly begun.
    let pulse = pulses.min().map { $0 + .milliseconds(1) }
    return [isGliding ? Self.frameTime : nil, pulse].compactMap(\.self).min()
  }

  /// How many parts of the pulse have passed.
  private static func stage(_ end: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> Int {
    Int(saturated: end.duration(to: now) / pulse)
  }
}
