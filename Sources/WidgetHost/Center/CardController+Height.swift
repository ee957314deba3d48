import FoundationEssentials
import WidgetKitCore

/// How a card comes by its height, and how it gets there.
extension CardController {
  /// Grants the height that the content wants, within bounds, and goes there.
  func resize(animated: Bool) {
    let isNewWidth = card.bodySize.columns != layout.width
    card.bodySize.columns = layout.width
    guard layout.view != nil || layout.preferredHeight != nil else { return }
    let wanted = hasFixedHeight ? Self.compactRows : layout.wantedRows(in: page.environment)
    let rows = min(max(0, wanted), maximumSize.rows)
    guard rows != card.bodySize.rows || isNewWidth else { return }
    guard hasAppeared else {
      card.bodySize.rows = rows
      return
    }
    let now = page.clock.now
    // Another width is the page's doing, so the limit on a widget's wishes does not hold it up.
    if isNewWidth {
      begin(rows: rows, animated: animated && rows != card.bodySize.rows, at: now)
      return
    }
    if isPlacing {
      begin(rows: rows, animated: false, at: now)
      return
    }
    let pause = page.limits.heightPause
    if let lastResize, lastResize.duration(to: now) < pause,
      lastPress.map({ $0.duration(to: now) >= .seconds(1) }) ?? true
    {
      hold(until: lastResize + pause, from: now)
      return
    }
    lastResize = now
    begin(rows: rows, animated: animated, at: now)
  }

  /// Whether the host alone says how tall the card is.
  var hasFixedHeight: Bool {
    card.displayMode == .compact && (card.offersExpanded || isCollapsed)
  }

  /// How long after its first content what follows is still placed, such as a preferred height.
  static let placingTime: Duration = .milliseconds(100)
  /// How long changes of what the widget offers are gathered.
  static let frameTime: Duration = .milliseconds(16)

  /// One change of height in a while unless the user acted: the last wish is granted then.
  func hold(until moment: ContinuousClock.Instant, from now: ContinuousClock.Instant) {
    guard heldResize == nil else { return }
    heldResize = page.clock.schedule(after: now.duration(to: moment)) { [weak self] in
      guard let self else { return }
      heldResize = nil
      contentDidChange(resizes: true)
      page.cardMayHaveSettled()
    }
  }

  func begin(rows: Int, animated: Bool, at now: ContinuousClock.Instant) {
    let present = body(at: now)
    let from = pictureBefore ?? MotionFrame.frozen(present)
    endTransition(finished: false)
    transitionCount += 1
    card.bodySize.rows = rows
    let id = transitionCount
    let isHeard = session?.state.hearsTransitions ?? false
    if animated {
      transition = CardTransition(
        id: id,
        from: from,
        fromRows: present.size.rows,
        toRows: rows
      )
    }
    session?.handle(
      .transition(
        ViewWillTransitionToSizeRequest(
          size: card.bodySize,
          transition: id,
          duration: animated ? CardTransition.duration.seconds : 0,
          curve: CardTransition.curve,
          animated: animated
        )
      )
    )
    if !animated {
      unanimated = id
      if !isHeard {
        unanimatedEnded(id)
      } else {
        unanimatedTimer = page.clock.schedule(after: CardTransition.unanimatedPatience) {
          [weak self] in
          self?.unanimatedEnded(id)
          self?.page.cardMayHaveSettled()
        }
      }
    } else if isHeard {
      transition?.timer = page.clock.schedule(after: CardTransition.patience) { [weak self] in
        self?.setOff(id)
      }
    } else {
      setOff(id)
    }
  }

  func unanimatedEnded(_ id: Int) {
    guard unanimated == id else { return }
    unanimated = nil
    session?.handle(.transitionEnded(transition: id, finished: true))
  }

  func alongside(_ id: Int, _ view: ViewNode?) {
    if let view, id == transitionCount, layout.apply(ContentUpdate(view: view)) {
      card.view = view
      if layout.preferredHeight == nil { contentDidChange(resizes: true) }
      page.cardDidChange()
    }
    setOff(id)
    unanimatedEnded(id)
  }

  func setOff(_ id: Int) {
    guard transition?.id == id, transition?.start == nil else { return }
    transition?.timer?.cancel()
    transition?.start = page.clock.now
    transition?.timer = page.clock.schedule(after: CardTransition.duration) { [weak self] in
      guard let self, transition?.id == id else { return }
      finishTransition()
    }
    page.cardDidChange()
  }

  func finishTransition() {
    guard transition != nil || unanimated != nil else { return }
    endTransition(finished: true)
    page.cardDidChange()
  }

  func endTransition(finished: Bool) {
    if let id = unanimated {
      unanimated = nil
      session?.handle(.transitionEnded(transition: id, finished: finished))
    }
    guard let ended = transition else { return }
    transition = nil
    ended.timer?.cancel()
    session?.handle(.transitionEnded(transition: ended.id, finished: finished))
  }
}
