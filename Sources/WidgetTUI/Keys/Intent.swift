/// What a key asks the dashboard to do.
nonisolated enum Intent: Hashable, Sendable, CaseIterable {
  case nextCard
  case previousCard
  case columnLeft
  case columnRight
  case nextElement
  case previousElement
  case press
  case toggleDisplayMode
  case refreshCard
  case refreshAll
  case retry
  case inspect
  case pageDown
  case pageUp
  case top
  case bottom
  case redraw
  case suspend
  case help
  case quit

  /// Whether it applies in every mode, also while an overlay is open.
  var appliesEverywhere: Bool {
    switch self {
    case .redraw, .suspend, .quit: true
    case .nextCard, .previousCard, .columnLeft, .columnRight, .nextElement, .previousElement,
      .press, .toggleDisplayMode, .refreshCard, .refreshAll, .retry, .inspect, .pageDown, .pageUp,
      .top, .bottom, .help:
      false
    }
  }
}
