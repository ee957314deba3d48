import WidgetKitCore

/// What a card keeps for one process, and drops with it.
extension CardController {
  /// How long a process that answers nothing with a view has to push its first one.
  private static let firstViewPatience: Duration = .seconds(1)

  /// A process begins: what the last one stated holds only until this one shows something.
  func beginRun() {
    layout.inheritHeight()
    hasOwnView = false
    hasStatedForms = false
    firstViewDeadline = nil
    firstViewTimer = nil
  }

  /// The first answers have come: what the process did not state is as for one that never ran.
  func dropWhatIsInherited() {
    if !hasStatedForms, card.offersExpanded { setLargest(.compact) }
    let asks = session?.state.implements.contains(WidgetMarginInsetsRequest.method) ?? false
    if !asks, card.marginInsets != .proposed { setMarginInsets(.proposed) }
  }

  /// A process that takes no part in updates was asked for one: nothing will come of that, and
  /// nobody asks again.
  func endOfferedUpdate() {
    guard let state = session?.state, state.phase == .running, !state.awaitsUpdate,
      !state.implements.contains(WidgetPerformUpdateRequest.method)
    else { return }
    learn()
    refreshLock = nil
  }

  /// Whether the process may still push its first view: then a page that is printed waits.
  func awaitsFirstView() -> Bool {
    guard !page.schedulesUpdates, !hasOwnView, let state = session?.state,
      state.phase == .running,
      card.view == nil || !state.implements.contains(WidgetPerformUpdateRequest.method)
    else { return false }
    let now = page.clock.now
    let deadline = firstViewDeadline ?? now + Self.firstViewPatience
    firstViewDeadline = deadline
    guard now < deadline else { return false }
    if firstViewTimer == nil {
      firstViewTimer = page.clock.schedule(after: now.duration(to: deadline)) { [weak self] in
        self?.page.cardMayHaveSettled()
      }
    }
    return true
  }
}
