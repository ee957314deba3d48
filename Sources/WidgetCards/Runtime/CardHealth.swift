import WidgetKitCore
import WidgetSessions

/// What a card's heading says about its widget: the state, and a message if there is a problem.
struct CardHealth {
  /// What the card shows.
  private(set) var state = CardStatus.starting
  /// The message about the problem, or nil if there is none.
  private(set) var message: SafeText?
  /// What the last update failed with; nil if it was good, or there was none.
  private var updateFailure: SafeText?

  /// Hides the card because the widget has nothing to show.
  mutating func hide() {
    state = .hidden
  }

  /// Shows the card again because the widget has something to show.
  mutating func unhide() {
    if state == .hidden { state = .starting }
  }

  /// Called when the card shows its saved snapshot.
  mutating func snapshotDidShow() {
    if state == .starting { state = .snapshot }
  }

  /// Called when an update has ended, here or in another host: the problem lasts until a good one.
  mutating func updateDidEnd(failure: String?) {
    updateFailure = failure.map { SafeText($0) }
  }

  /// Called when the live view has replaced the snapshot; a failure without any view stays, and so does that of the
  /// last update.
  mutating func viewDidAppear(hasView: Bool) {
    guard hasView || state != .failed else { return }
    state = updateFailure == nil ? .live : .failed
    message = updateFailure
  }

  /// Called when the process has ended normally, so that the content is now a snapshot.
  ///
  /// - Returns: Whether the heading changes; a problem stays.
  mutating func processDidEnd(hasView: Bool) -> Bool {
    guard state == .live || state == .stopped else { return false }
    state = hasView ? .snapshot : .starting
    message = nil
    return true
  }

  /// Sets what the session reports; returns whether anything changed.
  mutating func set(_ state: CardStatus, _ message: String?) -> Bool {
    let words = message.map { SafeText($0) }
    guard state != self.state || words != self.message else { return false }
    self.state = state
    self.message = words
    return true
  }
}
