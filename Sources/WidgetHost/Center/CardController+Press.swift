import WidgetKitCore

/// What becomes of a press: it is delivered to the element that it was meant for, or to none.
extension CardController {
  /// The most presses that wait for a live view.
  private static let waitingLimit = 8

  /// Takes a press on an element as it was drawn.
  ///
  /// While there is no live view it waits for that. It goes to the same element of the view that is
  /// there then; where there is none, it is dropped and the heading says so.
  func press(_ target: PressTarget) {
    guard card.state != .hidden else { return }
    guard !awaitsLiveView else {
      guard earlyPresses.count < Self.waitingLimit else { return dropPress() }
      earlyPresses.append(target)
      card.pressCue = "waiting"
      page.cardDidChange()
      return
    }
    let targets = layout.laidOut(rows: card.bodySize.rows, in: page.environment).targets
    // A toggle that was pressed twice on one picture is in another state by now, by its own press.
    let again = targets.first { $0.isSameElement(as: target) && shownPresses.isSwitched($0) }
    guard let found = targets.match(target) ?? again else { return dropPress() }
    deliver(found)
  }

  /// Delivers a press on an element that the card has.
  func deliver(_ target: PressTarget) {
    lastPress = page.clock.now
    card.pressCue = nil
    shownPresses.begin(target, at: page.clock.now)
    showPresses()
    if let action = target.action {
      session?.handle(.press(PerformActionRequest(action: action, value: target.newValue)))
    } else if let link = target.link {
      page.open(link, from: self) { [weak self] in self?.openEnded($0) }
    }
    page.cardDidChange()
  }

  /// Delivers what waited for the live view, once that is there.
  func deliverWaitingPresses() {
    guard !earlyPresses.isEmpty, !awaitsLiveView else { return }
    let presses = earlyPresses
    earlyPresses = []
    for target in presses { press(target) }
  }

  /// Shows what came of a press.
  func pressEnded(_ action: String, failure: String?) {
    shownPresses.end(action: action, hasFailed: failure != nil)
    showPresses()
    guard let failure else { return }
    card.pressCue = "press failed"
    page.say(SafeText("\(card.name): \(failure)"))
    page.cardDidChange()
  }

  /// Draws presses as they are now, and again when the next one has been shown for long enough.
  func showPresses() {
    pressTimer?.cancel()
    let rest = shownPresses.forget(at: page.clock.now)
    card.pressed = shownPresses.pressed
    layout.switched = shownPresses.switched
    page.cardDidChange()
    pressTimer = rest.map { rest in
      page.clock.schedule(after: rest) { [weak self] in self?.showPresses() }
    }
  }

  /// Says that a press came to nothing, with all that waited.
  func dropPress() {
    earlyPresses = []
    card.pressCue = "press dropped"
    page.cardDidChange()
  }

  /// Whether what the card shows is not the widget's own view, which is on its way.
  private var awaitsLiveView: Bool {
    guard let state = session?.state else { return true }
    switch state.phase {
    case .idle, .pausing, .initializing, .ending(failure: nil): return !state.isQuitting
    case .ending, .stopped: return false
    case .running:
      if state.waitsForMargins || state.appearance == .appearing { return true }
      guard isVisible else { return state.appearance == .disappearing }
      // A view that the widget has not sent itself is still the last one that was kept.
      return !hasAppeared || !hasOwnView && state.update != nil
    }
  }
}
