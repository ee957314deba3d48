import WidgetExtensions
import WidgetKitCore

/// Whether the page has the focus of its terminal, and whether it is shown at all.
public enum HostState: Hashable, Sendable {
  /// It is shown, and has the focus as far as is known.
  case active
  /// It is shown, and another window has the focus.
  case inactive
  /// It is hidden, or the program is about to be suspended.
  case background
}

/// What one process was told of the state of the host: each step once, and in the order of the protocol.
///
/// A process assumes at its start that the page is active. A suspended one is not woken; it is told when
/// it runs again.
struct LastSentHostState {
  var present: HostState
  private var told = HostState.active

  init(present: HostState) {
    self.present = present
  }

  /// What precedes all other messages: that the page is about to leave, or about to return.
  mutating func before() -> HostMessage? {
    switch (told, present) {
    case (.active, .inactive), (.active, .background):
      told = .inactive
      return .hostWillResignActive
    case (.background, .inactive), (.background, .active):
      told = .inactive
      return .hostWillEnterForeground
    case (.active, .active), (.inactive, _), (.background, .background): return nil
    }
  }

  /// What follows all other messages: that the page has left, when the view has disappeared; or that it
  /// has returned, when the view has appeared if one is wanted.
  mutating func after(_ view: ViewAppearance.State, isViewWanted: Bool) -> HostMessage? {
    switch (told, present) {
    case (.inactive, .background) where view == .off:
      told = .background
      return .hostDidEnterBackground
    case (.inactive, .active) where view == .on || view == .off && !isViewWanted:
      told = .active
      return .hostDidBecomeActive
    case (.active, _), (.inactive, _), (.background, _): return nil
    }
  }
}
