package import WidgetKitCore

/// What the page wants of a widget, whether a process runs or not.
package struct SessionDemand {
  /// A view on the screen.
  package struct View: Hashable {
    /// The size of the body when the card appeared, in cells.
    package var size: Size
    package var isAnimated: Bool

    /// Creates it with its values.
    package init(size: Size, isAnimated: Bool) {
      self.size = size
      self.isAnimated = isAnimated
    }
  }

  /// The view that is wanted; nil while the card is off the screen.
  private(set) var view: View?
  /// Updates that are wanted.
  var updates = UpdateQueue()
  /// Presses that could not be sent yet.
  var presses = UnsentPresses()
  /// Whether the host is about to be suspended, or is.
  private(set) var isPaused = false
  /// Whether the host is quitting.
  private(set) var isQuitting = false
  /// What the page is, apart from a suspension of the host.
  private var page = HostState.active

  /// What a process is told of the host.
  var host: HostState { isPaused ? .background : page }

  /// Why a process is needed; nil if none is.
  var launchReason: LaunchReason? {
    if view != nil { return .appear }
    return updates.next == nil ? nil : .update
  }

  /// The card came on the screen.
  mutating func appear(_ view: View) {
    self.view = view
  }

  /// The card left the screen.
  mutating func disappear() {
    // A view that disappears because the host quits is not waited for by anybody else.
    if !isQuitting { view = nil }
  }

  /// The host is about to be suspended, or has continued.
  mutating func setPaused(_ isPaused: Bool) {
    self.isPaused = isPaused
  }

  /// The page was hidden, is shown again, or has got or lost the focus.
  mutating func setHost(_ state: HostState) {
    page = state
  }

  /// The host quits.
  mutating func quit() {
    isQuitting = true
  }
}
