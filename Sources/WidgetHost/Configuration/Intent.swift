/// What a key, or a line of the palette, asks the dashboard to do.
///
/// Here and not with the dashboard, because `keys` in config.json names them.
public nonisolated enum Intent: String, Hashable, Sendable, CaseIterable {
  case nextCard
  case previousCard
  case columnLeft
  case columnRight
  case nextElement
  case previousElement
  case press
  case pressByLetter
  case filter
  case palette
  case zoom
  case toggleDisplayMode
  case refreshCard
  case refreshAll
  case retry
  case inspect
  case copy
  case pageDown
  case pageUp
  case top
  case bottom
  case hide
  case lock
  case redraw
  case suspend
  case help
  case quit

  /// Whether it applies in every mode, also while an overlay is open.
  public var appliesEverywhere: Bool {
    switch self {
    case .redraw, .suspend, .quit, .hide: true
    case .nextCard, .previousCard, .columnLeft, .columnRight, .nextElement, .previousElement,
      .press, .pressByLetter, .filter, .palette, .zoom, .toggleDisplayMode, .refreshCard,
      .refreshAll, .retry, .inspect, .copy, .pageDown, .pageUp, .top, .bottom, .lock, .help:
      false
    }
  }
}
