import WidgetSessions

/// What of the events of a card is in the trace, so that a replay can do the same with its card: each change once.
struct CardTrace {
  private var isOnScreen = false
  private var host = HostState.active

  /// Notes an event that a session hears of in its own way, or not at all.
  mutating func note(_ event: CardEvent, of session: WidgetSession?) {
    guard let session else { return }
    switch event {
    case .visible(let isVisible) where isVisible != isOnScreen:
      isOnScreen = isVisible
      session.note(isVisible ? .onScreen : .offScreen)
    case .host(let state) where state != host:
      host = state
      session.note(.host(state))
    case .pause: session.note(.pause)
    case .unpause: session.note(.unpause)
    case .discarded: session.note(.hide)
    default: break
    }
  }
}
