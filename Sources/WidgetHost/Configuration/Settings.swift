public import WidgetKitCore

/// What the user can set, with its defaults.
public nonisolated struct Settings: Sendable {
  /// How the page looks.
  public var screen = ScreenSettings()
  /// Limits on what widgets send and take.
  public var limits = HostLimits()
  /// Deadlines.
  public var policy = SessionPolicy()
  /// When updates are due.
  public var schedule = RefreshSchedule()
  /// The command that opens URLs, by scheme in lower case; see ``URLOpener``.
  public var openers: [String: [String]] = [:]

  /// Creates the defaults.
  public init() {}

  /// Puts the settings into a configuration.
  public func apply(to configuration: inout CenterConfiguration) {
    configuration.limits = limits
    configuration.policy = policy
    configuration.schedule = schedule
    configuration.openers = openers
    configuration.animates = screen.animates
  }
}

/// How the page looks.
public nonisolated struct ScreenSettings: Hashable, Sendable {
  /// The background that colours are chosen for.
  public enum Background: String, CaseIterable, Sendable {
    /// As the terminal says; dark where it does not.
    case automatic = "auto"
    case dark
    case light
  }

  /// The characters that lines and bars are drawn with.
  public enum Characters: String, CaseIterable, Sendable {
    /// As the font of the terminal has them.
    case automatic = "auto"
    case unicode
    case console
    case ascii
  }

  /// The background that colours are chosen for.
  public var theme = Background.automatic
  /// The characters that lines and bars are drawn with.
  public var glyphs = Characters.automatic
  /// Whether changes of height are animated.
  public var animates = true
  /// The minimum width of a column, in cells, unless the page is narrower.
  public var columnWidth = 40
  /// The largest number of columns.
  public var columnLimit = 100

  /// Creates the defaults.
  public init() {}

  /// Whether colours are for a dark background, where the terminal's own is known or assumed.
  public func isDark(onTerminal isDark: Bool) -> Bool {
    switch theme {
    case .automatic: isDark
    case .dark: true
    case .light: false
    }
  }

  /// The characters to draw with, where the terminal's font has `available`.
  ///
  /// ASCII stays ASCII on a terminal that can show nothing else.
  public func glyphs(onTerminal available: GlyphSet) -> GlyphSet {
    switch glyphs {
    case .automatic: available
    case .unicode: available == .ascii ? .ascii : .unicode
    case .console: available == .ascii ? .ascii : .console
    case .ascii: .ascii
    }
  }
}
