import FoundationEssentials
import WidgetKitCore

/// What a card makes of what its session says.
extension CardController {
  func perform(_ effect: CardEffect) {
    switch effect {
    case .apply(let content, let source): apply(content, source)
    case .becameLive: becameLive()
    case .disappeared: keepSnapshot()
    case .health(let state, let message): health(state, message)
    case .marginInsets(let insets): setMarginInsets(insets)
    case .largestDisplayMode(let mode):
      hasStatedForms = true
      setLargest(mode)
    case .alongside(let transition, let view): alongside(transition, view)
    case .updateEnded(let outcome): updateEnded(outcome)
    case .open(let url, let id): open(url, id)
    case .hasContent(let request, let id):
      let refusal = page.refusal(of: request, from: self)
      session?.answer(hasContent: id, refusal: refusal)
      if refusal == nil { page.setHasContent(request) }
    case .pressDropped: dropPress()
    case .pressEnded(let action, let failure): pressEnded(action, failure: failure)
    case .suspended: page.cardDidFinish()
    case .finished:
      keepSnapshot()
      isFinished = true
      refreshLock = nil
      page.cardDidFinish()
    }
    page.cardMayHaveSettled()
  }

  func apply(_ content: ContentUpdate, _ source: ContentSource) {
    if earlyPresses.isEmpty { card.pressCue = nil }
    if hasAppeared, card.view != nil {
      pictureBefore = MotionFrame.frozen(body(at: page.clock.now))
    }
    defer { pictureBefore = nil }
    isCollapsed = false
    if content.view != nil {
      if layout.view == nil { firstContent = page.clock.now }
      shownPresses.viewDidCome()
      layout.switched = shownPresses.switched
      owesSnapshot = false
      hasOwnView = true
    }
    let changed = layout.apply(content)
    if content.view != nil { dateContent(source, changed: changed) }
    if changed || content.view != nil && !source.isAppearance { notePicture(from: source) }
    if let view = content.view { card.view = view }
    checkAge()
    if changed {
      contentDidChange(resizes: true)
    } else if source == .update {
      page.cardDidChange()
    }
    switch source {
    // It is kept with what the update said beside it.
    case .update: break
    case .push, .action: keepSnapshotLater()
    case .appearance, .disappearance: break
    }
    deliverWaitingPresses()
  }

  /// Says from when the content is: what a widget shows again as it left it stays as old as it was.
  private func dateContent(_ source: ContentSource, changed: Bool) {
    switch source {
    case .update, .push, .action: card.contentDate = page.clock.date
    case .appearance where changed || card.contentDate == nil: card.contentDate = page.clock.date
    case .appearance, .disappearance: break
    }
  }

  func contentDidChange(resizes: Bool) {
    if resizes { resize(animated: hasAppeared && isVisible && page.animates && !isPlacing) }
    page.cardDidChange()
  }

  /// Whether the card is only just getting its first content, or does not show it yet: that is placed
  /// and not animated.
  var isPlacing: Bool {
    guard layout.view != nil else { return true }
    guard let firstContent, lastPress == nil else { return false }
    return page.isGatheringFirstContent
      || firstContent.duration(to: page.clock.now) < Self.placingTime
  }

  func becameLive() {
    hasAppeared = true
    if card.view != nil || card.state != .failed {
      card.state = .live
      card.message = nil
    }
    if earlyPresses.isEmpty { card.pressCue = nil }
    dropWhatIsInherited()
    page.cardDidChange()
    refresh(.appear)
    checkAge()
    deliverWaitingPresses()
  }

  func health(_ state: CardState, _ message: String?) {
    if state == .live, !hasAppeared, isVisible { return }
    if state == .snapshot {
      becameSnapshot()
      return
    }
    if state == .failed || state == .stopped, session?.state.hasProcess == false {
      hasAppeared = false
      finishTransition()
      if !earlyPresses.isEmpty { dropPress() }
      shownPresses = ShownPresses()
      showPresses()
    }
    let words = message.map { SafeText($0) }
    // An update with no data must draw nothing.
    guard state != card.state || words != card.message else { return }
    card.state = state
    card.message = words
    page.cardDidChange()
  }

  /// The process has ended well; what stands on the card is a picture from now on.
  private func becameSnapshot() {
    hasAppeared = false
    finishTransition()
    guard card.state == .live || card.state == .stopped else { return }
    card.state = card.view == nil ? .starting : .snapshot
    card.message = nil
    page.cardDidChange()
  }

  func setMarginInsets(_ insets: EdgeInsets) {
    var clamped = insets
    clamped.left = min(insets.left, innerWidth / 2)
    clamped.right = min(insets.right, innerWidth / 2)
    clamped.top = min(insets.top, 4)
    clamped.bottom = min(insets.bottom, 4)
    card.marginInsets = clamped
    layout.setWidth(innerWidth - clamped.columns)
    contentDidChange(resizes: true)
  }

  func setLargest(_ mode: DisplayMode) {
    let offers = mode == .expanded
    largestTimer?.cancel()
    largestTimer = nil
    guard offers != card.offersExpanded else { return }
    guard hasAppeared else { return takeLargest(mode) }
    // A frame later, so that a widget that changes its mind at once makes nothing flicker.
    largestTimer = page.clock.schedule(after: Self.frameTime) { [weak self] in
      self?.largestTimer = nil
      self?.takeLargest(mode)
    }
  }

  /// Offers the expanded form or not any more; a card that is expanded then collapses.
  private func takeLargest(_ mode: DisplayMode) {
    let (before, wasExpanded) = (maximumSize, card.displayMode == .expanded)
    card.offersExpanded = mode == .expanded
    if mode != .expanded, wasExpanded {
      card.displayMode = .compact
      isCollapsed = hasAppeared
      // The host's own doing: the limit on a widget's wishes does not hold it up.
      lastResize = nil
    }
    if maximumSize != before || wasExpanded != (card.displayMode == .expanded) {
      session?.handle(.displayMode(card.displayMode, maximumSize: maximumSize))
    }
    contentDidChange(resizes: true)
  }

  func open(_ url: String, _ id: MessageID) {
    // Only on the user's own press.
    let isAsked = lastPress.map { $0.duration(to: page.clock.now) < .seconds(10) } ?? false
    guard isAsked else {
      session?.log.write(SafeText("openURL refused: \(URLRefusal.nobodyPressed)"))
      session?.answer(open: id, success: false)
      return
    }
    page.open(url, from: self) { [weak self] refusal in
      self?.openEnded(refusal)
      self?.session?.answer(open: id, success: refusal == nil)
    }
  }

  /// Says in the log and below the page why a URL was not opened.
  func openEnded(_ refusal: URLRefusal?) {
    guard let refusal else { return }
    session?.log.write(SafeText("openURL refused: \(refusal)"))
    page.say(SafeText("\(card.name): not opened: \(refusal)"))
  }
}
