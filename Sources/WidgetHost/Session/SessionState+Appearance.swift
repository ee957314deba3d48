import WidgetKitCore

/// How a view comes on the screen and leaves it.
nonisolated extension SessionState {
  mutating func appear(_ size: Size, _ animated: Bool) -> [SessionEffect] {
    wantedSize = (size, animated)
    if phase == .idle { return start(.appear) }
    guard phase == .running, appearance == .off, !waitsForMargins else { return [] }
    return willAppear()
  }

  mutating func willAppear() -> [SessionEffect] {
    guard appearance == .off, let (size, animated) = wantedSize else { return [] }
    guard sends(ViewWillAppearRequest.method) else { return didAppear() }
    appearance = .appearing
    return [
      .send(.viewWillAppear(ViewWillAppearRequest(size: size, animated: animated))),
      .arm(.viewWillAppear, policy.viewWillAppear),
    ]
  }

  mutating func didAppear() -> [SessionEffect] {
    appearance = .on
    var effects: [SessionEffect] = [.disarm(.viewWillAppear)]
    if sends(ViewDidAppearNotification.method) { effects.append(.send(.viewDidAppear)) }
    effects.append(.becameLive)
    let presses = heldPresses
    heldPresses = []
    for press in presses { effects += self.press(press) }
    if wantedSize == nil { effects += disappear() }
    return effects
  }

  mutating func disappear() -> [SessionEffect] {
    if !isQuitting { wantedSize = nil }
    guard appearance == .on || (isQuitting && appearance == .appearing) else { return [] }
    guard sends(ViewWillDisappearRequest.method) else { return didDisappear() }
    appearance = .disappearing
    return [
      .disarm(.viewWillAppear), .send(.viewWillDisappear),
      .arm(.viewWillDisappear, policy.viewWillDisappear),
    ]
  }

  mutating func didDisappear() -> [SessionEffect] {
    appearance = .off
    var effects: [SessionEffect] = [.disarm(.viewWillDisappear)]
    if sends(ViewDidDisappearNotification.method) { effects.append(.send(.viewDidDisappear)) }
    effects.append(.disappeared)
    if isQuitting { return effects + endAfterActivities() }
    return effects + willAppear()
  }
}
