import WidgetKitCore

/// The messages by which the view of one process comes on the screen and leaves it.
///
/// Parameters named `methods` are those that the widget can be sent; an optional message that is not
/// among them counts as answered.
nonisolated struct ViewAppearance {
  /// Where the view is.
  enum State: Hashable {
    case off
    /// `viewWillAppear` is not answered.
    case appearing
    case on
    /// `viewWillDisappear` is not answered.
    case disappearing
  }

  private(set) var state = State.off
  /// Whether the view cannot appear yet, because `widgetMarginInsets` is not answered.
  private(set) var waitsForMargins = false

  /// Whether the view is on the screen or appearing.
  var isVisible: Bool { state == .on || state == .appearing }

  /// Whether presses can be sent: the view is neither on its way nor waiting for margins.
  var acceptsPresses: Bool { (state == .on || state == .off) && !waitsForMargins }

  /// Asks for the margins, before the first layout.
  mutating func requestMargins(_ policy: SessionPolicy) -> [SessionEffect] {
    waitsForMargins = true
    return [
      .send(.widgetMarginInsets(WidgetMarginInsetsRequest(proposed: .proposed))),
      .arm(.widgetMarginInsets, policy.widgetMarginInsets),
    ]
  }

  /// The margins are known, or are not waited for any longer; nil if they were not waited for.
  mutating func marginsEnded() -> [SessionEffect]? {
    guard waitsForMargins else { return nil }
    waitsForMargins = false
    return [.disarm(.widgetMarginInsets)]
  }

  /// Begins the appearance of a view that is off the screen.
  mutating func willAppear(
    _ view: SessionDemand.View,
    _ methods: Set<String>,
    _ policy: SessionPolicy
  ) -> [SessionEffect] {
    state = .appearing
    guard methods.contains(ViewWillAppearRequest.method) else { return didAppear(methods) }
    let request = ViewWillAppearRequest(size: view.size, animated: view.isAnimated)
    return [.send(.viewWillAppear(request)), .arm(.viewWillAppear, policy.viewWillAppear)]
  }

  /// Ends the appearance, if the view is appearing.
  mutating func didAppear(_ methods: Set<String>) -> [SessionEffect] {
    guard state == .appearing else { return [] }
    state = .on
    let sends = methods.contains(ViewDidAppearNotification.method)
    return [.disarm(.viewWillAppear)] + (sends ? [.send(.viewDidAppear)] : []) + [.becameLive]
  }

  /// Begins the disappearance of a view that is on the screen or appearing.
  mutating func willDisappear(
    _ methods: Set<String>,
    _ policy: SessionPolicy
  ) -> [SessionEffect] {
    state = .disappearing
    guard methods.contains(ViewWillDisappearRequest.method) else { return didDisappear(methods) }
    return [
      .disarm(.viewWillAppear), .send(.viewWillDisappear),
      .arm(.viewWillDisappear, policy.viewWillDisappear),
    ]
  }

  /// Ends the disappearance, if the view is disappearing.
  mutating func didDisappear(_ methods: Set<String>) -> [SessionEffect] {
    guard state == .disappearing else { return [] }
    state = .off
    let sends = methods.contains(ViewDidDisappearNotification.method)
    return [.disarm(.viewWillDisappear)] + (sends ? [.send(.viewDidDisappear)] : [])
      + [.disappeared]
  }

  /// `viewWillAppear` was not answered in time: the appearance ends without the answer.
  mutating func appearTimedOut(
    _ methods: Set<String>,
    _ policy: SessionPolicy
  ) -> [SessionEffect] {
    guard state == .appearing else { return [] }
    let words = "slow: the view was not up after \(policy.viewWillAppear)"
    return [.log(words)] + didAppear(methods)
  }

  /// `viewWillDisappear` was not answered in time: the disappearance ends without the answer.
  mutating func disappearTimedOut(_ methods: Set<String>) -> [SessionEffect] {
    guard state == .disappearing else { return [] }
    return [.log("slow: no answer to viewWillDisappear")] + didDisappear(methods)
  }

  /// Sets the deadlines of everything that is not answered again.
  func rearmed(_ policy: SessionPolicy) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if waitsForMargins { effects.append(.arm(.widgetMarginInsets, policy.widgetMarginInsets)) }
    switch state {
    case .appearing: effects.append(.arm(.viewWillAppear, policy.viewWillAppear))
    case .disappearing: effects.append(.arm(.viewWillDisappear, policy.viewWillDisappear))
    case .off, .on: break
    }
    return effects
  }
}

extension EdgeInsets {
  /// The margins that the host proposes: one column left and right.
  nonisolated static let proposed = EdgeInsets(left: 1, right: 1)
}
