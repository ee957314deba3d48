import WidgetKitCore

/// The card whose height a ``CardMotion`` changes.
protocol CardMotionOwner: AnyObject {
  /// The body at rest, in the height that was granted last.
  var bodyAtRest: LaidOutView { get }
  /// Whether the widget answers `viewWillTransitionToSize`.
  var hearsTransitions: Bool { get }
  /// Grants a height; returns the body's size with it.
  func grant(rows: Int) -> Size
  /// Tells the widget that its size will change.
  func transitionWillBegin(_ request: ViewWillTransitionToSizeRequest)
  /// Tells the widget that a transition has ended, or was replaced by another one.
  func transitionDidEnd(_ id: Int, finished: Bool)
  /// Something that is drawn is different.
  func motionDidChange()
  /// A change of height that had to wait may come now.
  func heldResizeIsDue()
  /// Something that somebody may wait for is done.
  func motionMayHaveSettled()
}

/// How a card gets from one height to another.
///
/// A class because its timers call it back.
final class CardMotion {
  /// Why a card gets another height.
  enum Cause {
    /// The page has given it another width.
    case width
    /// It is only just getting its first content.
    case placing
    /// Its content wants it.
    case content
    /// Its content wants it, right after something that a person did.
    case press
  }

  private unowned let owner: any CardMotionOwner
  private let clock: any HostClock
  /// The least time between two changes of height that a widget wants.
  private let pause: Duration
  private var transition: CardTransition?
  /// How many transitions have begun: the number of the newest.
  private var count = 0
  private var lastResize: ContinuousClock.Instant?
  private var held: (any HostTimer)?
  /// The transition that is over at once and waits for what the widget shows at its end.
  private var unanimated: Int?
  /// What ends it where the widget does not answer.
  private var unanimatedTimer: (any HostTimer)?
  /// What was on the screen before the content that is being taken in.
  private var before: LaidOutView?

  init(owner: any CardMotionOwner, clock: any HostClock, pause: Duration) {
    self.owner = owner
    self.clock = clock
    self.pause = pause
  }

  /// Whether something moves.
  var isMoving: Bool { transition?.start != nil }

  /// Whether no change of height waits for anything.
  var isSettled: Bool { unanimated == nil && held == nil }

  /// The body at a moment.
  func body(at now: ContinuousClock.Instant) -> CardBody {
    let final = owner.bodyAtRest
    guard let transition else { return CardBody(final) }
    // Until it sets off, the picture stays as it was.
    guard transition.start != nil else { return CardBody(transition.from) }
    return CardBody(
      size: Size(columns: final.size.columns, rows: transition.rows(at: now)),
      from: transition.from,
      to: final,
      progress: transition.progress(at: now)
    )
  }

  /// Takes in new content with `work`; a transition that it begins starts from what is shown now.
  func takingIn(_ work: () -> Void) {
    before = MotionFrame.frozen(body(at: clock.now))
    work()
    before = nil
  }

  /// Goes to another height, at once or animated; what a widget wants too often has to wait.
  func go(to rows: Int, because cause: Cause, animated: Bool) {
    let now = clock.now
    switch cause {
    // These are the page's doing, so the limit on a widget's wishes does not hold them up.
    case .width: return begin(rows, animated: animated, at: now)
    case .placing: return begin(rows, animated: false, at: now)
    case .press: break
    case .content:
      if let lastResize, lastResize.duration(to: now) < pause {
        return hold(until: lastResize + pause, from: now)
      }
    }
    lastResize = now
    begin(rows, animated: animated, at: now)
  }

  /// Lets the next change of height come at once: it is the host's own doing.
  func liftLimit() {
    lastResize = nil
  }

  /// Takes what the widget animates alongside a transition, and sets that off; `show` shows the view that
  /// came with it, and is not called for an older transition.
  func alongside(_ id: Int, _ show: () -> Void) {
    if id == count { show() }
    setOff(id)
    endUnanimated(id)
  }

  /// Ends a transition at its end.
  func finish() {
    guard transition != nil || unanimated != nil else { return }
    end(finished: true)
    owner.motionDidChange()
  }

  /// Drops a change of height that waits.
  func stop() {
    held?.cancel()
  }

  // MARK: - Steps

  /// One change of height in a while unless a person acted: the last wish is granted then.
  private func hold(until moment: ContinuousClock.Instant, from now: ContinuousClock.Instant) {
    guard held == nil else { return }
    held = clock.schedule(after: now.duration(to: moment)) { [weak self] in
      guard let self else { return }
      held = nil
      owner.heldResizeIsDue()
      owner.motionMayHaveSettled()
    }
  }

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
