import WidgetKitCore

/// The card whose height a ``CardMotion`` changes.
protocol CardMotionOwner: AnyObject {
  /// The body without a transition, with the height that was set last.
  var bodyAtRest: LaidOutView { get }
  /// Whether the widget implements `viewWillTransitionToSize`.
  var hearsTransitions: Bool { get }
  /// Sets the height; returns the new size of the body.
  func grant(rows: Int) -> Size
  /// Tells the widget that its size will change.
  func transitionWillBegin(_ request: ViewWillTransitionToSizeRequest)
  /// Tells the widget that a transition has ended, or was replaced by another one.
  func transitionDidEnd(_ id: Int, finished: Bool)
  /// Called when an animation begins.
  func motionDidBegin()
  /// Called when something that is drawn has changed.
  func motionDidChange()
  /// Called when a delayed change of height can be made.
  func heldResizeIsDue()
  /// Called when something has ended that a caller may be waiting for.
  func motionMayHaveSettled()
}

/// Changes a card's height, with or without an animation.
final class CardMotion {
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

  private unowned let owner: any CardMotionOwner
  private let clock: any HostClock
  private let limit: HeightLimit
  private var transition: CardTransition? {
    didSet { if isMoving { owner.motionDidBegin() } }
  }
  /// The number of transitions so far, which is the identifier of the latest one.
  private var count = 0
  /// The transition without an animation that waits for the widget's final view.
  private var unanimated: Int?
  /// The timer that ends that transition if the widget does not answer.
  private var unanimatedTimer: (any HostTimer)?
  /// What was on the screen before the content that is being applied.
  private var before: LaidOutView?

  init(owner: any CardMotionOwner, clock: any HostClock, pause: Duration) {
    self.owner = owner
    self.clock = clock
    limit = HeightLimit(clock: clock, pause: pause)
  }

  /// Whether an animation is running.
  var isMoving: Bool { transition?.start != nil }

  /// Whether no change of height is pending.
  var isSettled: Bool { unanimated == nil && !limit.isHolding }

  /// Returns the body at a moment.
  func body(at now: ContinuousClock.Instant) -> CardBody {
    let final = owner.bodyAtRest
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

  /// Applies new content with `work`; a transition that this begins starts from what is shown now.
  func takingIn(_ work: () -> Void) {
    before = MotionFrame.frozen(body(at: clock.now))
    work()
    before = nil
  }

  /// Changes the height, at once or animated; a change that a widget requests too soon is delayed.
  func go(to rows: Int, because cause: Cause, animated: Bool) {
    let now = clock.now
    switch cause {
    // The page makes these changes, so the limit on a widget's requests does not delay them.
    case .width: return begin(rows, animated: animated, at: now)
    case .placing: return begin(rows, animated: false, at: now)
    case .press: break
    case .content:
      let isAllowed = limit.allows(now) { [weak self] in
        self?.owner.heldResizeIsDue()
        self?.owner.motionMayHaveSettled()
      }
      guard isAllowed else { return }
    }
    limit.note(now)
    begin(rows, animated: animated, at: now)
  }

  /// Allows the next change of height at once, because the host makes it.
  func liftLimit() {
    limit.lift()
  }

  /// Sets what the widget animates alongside a transition, and starts the animation.
  ///
  /// `show` shows the view that came with it; it is not called for an older transition.
  func alongside(_ id: Int, _ show: () -> Void) {
    if id == count { show() }
    setOff(id)
    endUnanimated(id)
  }

  /// Ends a transition in its final state.
  func finish() {
    guard transition != nil || unanimated != nil else { return }
    end(finished: true)
    owner.motionDidChange()
  }

  /// Ends a transition in its final state before its time, because the card gets another frame.
  func interrupt() {
    guard transition != nil || unanimated != nil else { return }
    end(finished: false)
    owner.motionDidChange()
  }

  /// Cancels a delayed change of height.
  func stop() {
    limit.stop()
  }

  // MARK: - Steps

  private func begin(_ rows: Int, animated: Bool, at now: ContinuousClock.Instant) {
    let present = body(at: now)
    let from = before ?? MotionFrame.frozen(present)
    end(finished: false)
    count += 1
    let id = count
    let size = owner.grant(rows: rows)
    let isHeard = owner.hearsTransitions
    if animated {
      transition = CardTransition(id: id, from: from, fromRows: present.size.rows, toRows: rows)
    }
    owner.transitionWillBegin(
      ViewWillTransitionToSizeRequest(
        size: size,
        transition: id,
        duration: animated ? CardTransition.duration.seconds : 0,
        curve: CardTransition.curve,
        animated: animated
      )
    )
    if animated {
      awaitAlongside(id, isHeard: isHeard)
    } else {
      awaitUnanimated(id, isHeard: isHeard)
    }
  }

  private func awaitAlongside(_ id: Int, isHeard: Bool) {
    guard isHeard else { return setOff(id) }
    transition?.timer = clock.schedule(after: CardTransition.patience) { [weak self] in
      self?.setOff(id)
    }
  }

  private func awaitUnanimated(_ id: Int, isHeard: Bool) {
    unanimated = id
    guard isHeard else { return endUnanimated(id) }
    unanimatedTimer = clock.schedule(after: CardTransition.unanimatedPatience) { [weak self] in
      self?.endUnanimated(id)
      self?.owner.motionMayHaveSettled()
    }
  }

  private func endUnanimated(_ id: Int) {
    guard unanimated == id else { return }
    unanimated = nil
    owner.transitionDidEnd(id, finished: true)
  }

  private func setOff(_ id: Int) {
    guard transition?.id == id, transition?.start == nil else { return }
    transition?.timer?.cancel()
    transition?.start = clock.now
    transition?.timer = clock.schedule(after: CardTransition.duration) { [weak self] in
      guard let self, transition?.id == id else { return }
      finish()
    }
    owner.motionDidChange()
  }

  private func end(finished: Bool) {
    if let id = unanimated {
      unanimated = nil
      owner.transitionDidEnd(id, finished: finished)
    }
    guard let ended = transition else { return }
    transition = nil
    ended.timer?.cancel()
    owner.transitionDidEnd(ended.id, finished: finished)
  }
}
