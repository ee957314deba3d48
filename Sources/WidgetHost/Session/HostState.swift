import WidgetKitCore

/// Whether the page has the focus of its terminal, and whether it is shown at all.
public nonisolated enum HostState: Hashable, Sendable {
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
/// it runs again. Parameters named `methods` are those that the widget can be sent.
nonisolated struct ToldHostState {
  private var told = HostState.active

  /// Adds what a running process is told of the host before and after the effects of an event.
  mutating func around(
    _ effects: [SessionEffect],
    _ demand: SessionDemand,
    _ view: ViewAppearance,
    _ life: ProcessLife
  ) -> [SessionEffect] {
    // SIGCONT comes first.
    let start = effects.firstIndex(of: .signal(.resume)).map { $0 + 1 } ?? 0
    return effects[..<start] + before(demand.host, life.methods) + effects[start...]
      + after(demand.host, view.state, isViewWanted: demand.view != nil, life.methods)
  }

  /// What precedes all other messages: that the page is about to leave, or about to return.
  private mutating func before(_ present: HostState, _ methods: Set<String>) -> [SessionEffect] {
    switch (told, present) {
    case (.active, .inactive), (.active, .background):
      told = .inactive
      return Self.send(
        .hostWillResignActive,
        if: methods.contains(HostWillResignActiveNotification.method)
      )
    case (.background, .inactive), (.background, .active):
      told = .inactive
      return Self.send(
        .hostWillEnterForeground,
        if: methods.contains(HostWillEnterForegroundNotification.method)
      )
    case (.active, .active), (.inactive, _), (.background, .background):
      return []
    }
  }

  /// What follows all other messages: that the page has left, when the view has disappeared; or that it
  /// has returned, when the view has appeared if one is wanted.
  private mutating func after(
    _ present: HostState,
    _ view: ViewAppearance.State,
    isViewWanted: Bool,
    _ methods: Set<String>
  ) -> [SessionEffect] {
    switch (told, present) {
    case (.inactive, .background) where view == .off:
      told = .background
      return Self.send(
        .hostDidEnterBackground,
        if: methods.contains(HostDidEnterBackgroundNotification.method)
      )
    case (.inactive, .active) where view == .on || view == .off && !isViewWanted:
      told = .active
      return Self.send(
        .hostDidBecomeActive,
        if: methods.contains(HostDidBecomeActiveNotification.method)
      )
    case (.active, _), (.inactive, _), (.background, _):
      return []
    }
  }

  private static func send(_ message: HostMessage, if isImplemented: Bool) -> [SessionEffect] {
    isImplemented ? [.send(message)] : []
  }
}
