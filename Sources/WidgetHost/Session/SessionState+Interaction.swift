import WidgetKitCore

/// What a person does to a card: presses, and what changes its size.
nonisolated extension SessionState {
  mutating func press(_ press: PerformActionRequest) -> [SessionEffect] {
    if phase == .running, appearance == .on || appearance == .off, !waitsForMargins {
      guard sends(PerformActionRequest.method) else {
        return [.log("a press on “\(press.action)”, but performAction is not implemented")]
      }
      guard openActions < policy.openPresses else { return [.pressDropped] }
      openActions += 1
      return [.send(.performAction(press))]
    }
    switch phase {
    case .running, .initializing, .idle, .pausing:
      guard heldPresses.count < policy.openPresses else { return [.pressDropped] }
      heldPresses.append(press)
      return []
    case .ending(failure: nil) where !isQuitting:
      // It makes room, and starts again for this.
      guard heldPresses.count < policy.openPresses else { return [.pressDropped] }
      heldPresses.append(press)
      return []
    case .ending, .stopped:
      return [.pressDropped]
    }
  }

  mutating func transition(
    _ request: ViewWillTransitionToSizeRequest
  ) -> [SessionEffect] {
    guard hearsTransitions else { return [] }
    openTransitions.insert(request.transition)
    return [.send(.viewWillTransitionToSize(request))]
  }

  mutating func transitionEnded(_ id: Int, _ finished: Bool) -> [SessionEffect] {
    guard openTransitions.remove(id) != nil,
      sends(TransitionDidCompleteNotification.method)
    else { return [] }
    return [.send(.transitionDidComplete(.init(transition: id, finished: finished)))]
  }

  mutating func opened() -> [SessionEffect] {
    openURLs = max(0, openURLs - 1)
    return []
  }

  func displayMode(_ mode: DisplayMode, _ maximumSize: Size) -> [SessionEffect] {
    guard sends(ActiveDisplayModeDidChangeNotification.method) else { return [] }
    return [
      .send(.activeDisplayModeDidChange(.init(activeDisplayMode: mode, maximumSize: maximumSize)))
    ]
  }
}
