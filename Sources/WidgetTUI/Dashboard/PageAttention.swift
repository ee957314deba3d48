import WidgetSessions

/// Whether the user looks at the page: the focus of the terminal, and whether the page is hidden.
///
/// A terminal that never tells of the focus has it.
struct PageAttention {
  /// Whether the terminal has the focus, as far as is known.
  private(set) var hasFocus = true
  /// Whether the page counts as hidden while the terminal does not have the focus.
  var suspendsWhenUnfocused = false
  /// Whether an app was opened from the page and no key was pressed since then.
  private var hasOpenedApp = false

  /// What the widget receives.
  func host(isCovered: Bool) -> HostState {
    if isCovered || !hasFocus && suspendsWhenUnfocused { return .background }
    return hasFocus ? .active : .inactive
  }

  /// Keys were typed, which only a terminal with the focus gets.
  mutating func keysWereTyped() {
    hasFocus = true
    hasOpenedApp = false
  }

  /// An app was opened from the page.
  mutating func appWasOpened() {
    hasOpenedApp = true
  }

  /// The terminal has got or lost the focus; returns whether the user comes back from an app.
  mutating func setFocus(_ hasFocus: Bool) -> Bool {
    let returns = hasFocus && !self.hasFocus && hasOpenedApp
    if returns { hasOpenedApp = false }
    self.hasFocus = hasFocus
    return returns
  }

  /// The terminal is the dashboard's again, and was used by the user just now.
  mutating func terminalIsBack() {
    hasFocus = true
    hasOpenedApp = false
  }
}
