import WidgetKitCore
import WidgetPlatform

/// Changes of a card's height, with or without an animation: causes in, effects out.
nonisolated struct CardMotion {
  /// The cause of a change of height.
  enum Cause {
    /// The page has changed the width of the card.
    case width
    /// The card has only just got its first content.
    case placing
    /// The content needs another height.
    case content
    /// The content needs another height shortly after the user has acted.
    case press
  }

  /// What is to be done.
  enum Effect: Hashable {
    /// Set the height.
    case resize(rows: Int)
    /// Tell the widget that its size will change.
    case willBegin(ViewWillTransitionToSizeRequest)
    /// Tell the widget that a transition has ended, or was replaced by another one.
    case didEnd(Int, finished: Bool)
    /// Draw frames: an animation begins.
    case animate
    /// Draw the card again.
    case draw
    /// Ask the content for its height again, because a delayed change can be made.
    case askAgain
  }

  private var limit: HeightLimit
  private var transition: CardTransition?
  /// The number of transitions so far, which is the identifier of the latest one.
  private var count = 0
  /// The transition without an animation that waits for the widget's final view, and until when.
  private var unanimated: (id: Int, deadline: ContinuousClock.Instant)?
  /// What was on the screen before the content that is being applied.
  private var before: LaidOutView?

  /// Creates the motion of a card whose widget may change its height once in `pause`.
  init(pause: Duration) {
    limit = HeightLimit(pause: pause)
  }

  /// Whether an animation is running.
  var isMoving: Bool { transition?.start != nil }

  /// Whether no change of height is pending.
  var isSettled: Bool { unanimated == nil && !limit.isHolding }

  /// When ``wake(at:)`` is to be called.
  var due: ContinuousClock.Instant? {
    [limit.due, transition?.deadline, unanimated?.deadline].compactMap(\.self).min()
  }

  /// Returns the body at a moment; `final` is it without a transition.
  func body(_ final: LaidOutView, at now: ContinuousClock.Instant) -> CardBody {
    guard let transition else { return CardBody(final) }
    // Until the animation starts, the picture does not change.
    guard transition.start != nil else { return CardBody(transition.from) }
    return CardBody(
      size: Size(columns: final.size.columns, rows: transition.rows(at: now)),
      from: transition.from,
      to: final,
      progress: transition.progress(at: now)
    )
  }

  /// Remembers what is on the screen while new content is applied: a transition that this begins starts from there.
  mutating func hold(_ shown: CardBody) {
    before = MotionFrame.frozen(shown)
  }

  /// The new content was applied.
  mutating func release() {
    before = nil
  }

  /// Changes the height, at once or animated; a change that a widget requests too soon is delayed.
  ///
  /// - Parameters:
  ///   - size: The new size of the body.
  ///   - cause: Why it changes.
  ///   - animated: Whether the change is animated.
  ///   - rest: The body with the height that was set last.
  ///   - isHeard: Whether the widget implements `viewWillTransitionToSize`.
  ///   - now: The present time.
  /// - Returns: What is to be done, in order; nothing if the change is delayed.
  mutating func go(
    to size: Size,
    because cause: Cause,
    animated: Bool,
    from rest: LaidOutView,
    isHeard: Bool,
    at now: ContinuousClock.Instant
  ) -> [Effect] {
    switch cause {
    // The page makes these changes, so the limit on a widget's requests does not delay them.
    case .width: break
    case .placing: return begin(size, animated: false, from: rest, isHeard: isHeard, at: now)
    case .press: limit.note(now)
    case .content:
      guard limit.allows(now) else { return [] }
      limit.note(now)
    }
    return begin(size, animated: animated, from: rest, isHeard: isHeard, at: now)
  }

  /// Allows the next change of height at once, because the host makes it.
  mutating func liftLimit() {
    limit.lift()
  }

  /// Whether this is the newest transition, whose view is shown.
  func isNewest(_ id: Int) -> Bool { id == count }

  /// Starts the animation of a transition, as what the widget animates alongside is shown.
  mutating func alongside(_ id: Int, at now: ContinuousClock.Instant) -> [Effect] {
    setOff(id, at: now) + endUnanimated(id)
  }

  /// Does what is due.
  mutating func wake(at now: ContinuousClock.Instant) -> [Effect] {
    var effects: [Effect] = []
    if let transition, transition.deadline.map({ $0 <= now }) ?? false {
      effects += transition.start == nil ? setOff(transition.id, at: now) : finish()
    }
    if let unanimated, unanimated.deadline <= now { effects += endUnanimated(unanimated.id) }
    if limit.takeDue(now) { effects.append(.askAgain) }
    return effects
  }

  /// Ends a transition in its final state.
  mutating func finish() -> [Effect] { stop(finished: true) }

  /// Ends a transition in its final state before its time, because the card gets another frame.
  mutating func interrupt() -> [Effect] { stop(finished: false) }

  /// Cancels a delayed change of height.
  mutating func stop() {
    limit.stop()
  }

  // MARK: - Steps

  private mutating func begin(
    _ size: Size,
    animated: Bool,
    from rest: LaidOutView,
    isHeard: Bool,
    at now: ContinuousClock.Instant
  ) -> [Effect] {
    let present = body(rest, at: now)
    let from = before ?? MotionFrame.frozen(present)
    var effects = end(finished: false)
    count += 1
    effects.append(.resize(rows: size.rows))
    if animated {
      transition = CardTransition(
        id: count,
        from: from,
        fromRows: present.size.rows,
        toRows: size.rows
      )
      transition?.deadline = now + CardTransition.patience
    } else {
      unanimated = (count, now + CardTransition.unanimatedPatience)
    }
    effects.append(
      .willBegin(
        ViewWillTransitionToSizeRequest(
          size: size,
          transition: count,
          duration: animated ? CardTransition.duration.seconds : 0,
          curve: CardTransition.curve,
          animated: animated
        )
      )
    )
    if !isHeard { effects += alongside(count, at: now) }
    return effects
  }

  private mutating func endUnanimated(_ id: Int) -> [Effect] {
    guard unanimated?.id == id else { return [] }
    unanimated = nil
    return [.didEnd(id, finished: true)]
  }

  private mutating func setOff(_ id: Int, at now: ContinuousClock.Instant) -> [Effect] {
    guard transition?.id == id, transition?.start == nil else { return [] }
    transition?.start = now
    transition?.deadline = now + CardTransition.duration
    return [.animate, .draw]
  }

  private mutating func stop(finished: Bool) -> [Effect] {
    guard transition != nil || unanimated != nil else { return [] }
    return end(finished: finished) + [.draw]
  }

  private mutating func end(finished: Bool) -> [Effect] {
    let ended = [unanimated?.id, transition?.id].compactMap(\.self)
    (unanimated, transition) = (nil, nil)
    return ended.map { .didEnd($0, finished: finished) }
  }
}
