package import Brokers
public import Notices
public import PageRecords
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
public import WidgetSessions

/// What the user can set, with its defaults.
public nonisolated struct Settings: Sendable {
  /// How the page looks.
  public var screen = ScreenSettings()
  /// Limits on what widgets send and take.
  public var limits = HostLimits()
  /// Deadlines.
  public var policy = SessionPolicy()
  /// When updates are due.
  public var schedule = RefreshPolicy()
  /// Whether widgets run in a sandbox.
  public var sandbox = SandboxMode.automatic
  /// Whether widgets get control groups.
  public var usesControlGroups = true
  /// Where the secrets of widgets are kept.
  public var secrets = SecretPlace.automatic
  /// What is kept of notices, and how the user is told of them.
  public var notices = NoticeSettings()
  /// The command that opens URLs, by scheme in lower case; see ``URLOpener``.
  public var openers: [String: URLOpener] = [:]

  /// What is set for cards, by widget or by instance (`ID:NAME`).
  public var cards: [String: CardSettings] = [:]

  /// The number of columns of cards, by widget or by instance.
  public var spans: [String: Int] { cards.compactMapValues(\.span) }

  /// The folders of scripts besides those that are always searched.
  public var sources: [ScriptSource] = []

  /// What is set about scripts.
  public var scripts: ScriptSettings {
    ScriptSettings(sources: sources, options: cards.compactMapValues(\.script))
  }

  /// The machines of each name that the user has given them.
  package var hosts: [String: [RemoteDestination]] = [:]

  /// The MQTT broker.
  package var mqtt = BrokerSettings()

  /// The pages that the user declares.
  public var pages: [DeclaredPage] = []

  /// The settings of widgets, which are checked when their manifests are known.
  public var widgets = FileSettings()

  /// Creates the defaults.
  public init() {}

  /// What applies at a start if the file cannot be read: the defaults, and the strictest value of what could open
  /// more than the user has allowed.
  static var whenUnreadable: Settings {
    var settings = Settings()
    for setting in SettingTable.all { setting.whenWrong?.change(&settings) }
    return settings
  }

  /// Puts the settings into a configuration.
  public func apply(to configuration: inout CenterConfiguration) {
    configuration.limits = limits
    configuration.policy = policy
    configuration.schedule = schedule
    configuration.sandbox = sandbox
    configuration.secrets = secrets
    configuration.openers = openers
    configuration.spans = spans
    configuration.hosts = cards.compactMapValues(\.host)
    configuration.hostNames = HostNames(hosts)
    configuration.brokers = mqtt
    configuration.pages = pages
    configuration.scripts = scripts
    configuration.allowedWhenLocked = cards.compactMapValues(\.allowWhenLocked)
    configuration.widgetSettings = widgets
    configuration.notices = notices
    configuration.animates = screen.animates
    if configuration.machine != nil { configuration.forgetCards() }
  }
}

/// How the page looks.
public nonisolated struct ScreenSettings: Hashable, Sendable {
  /// The characters that lines and bars are drawn with.
  public enum Characters: String, CaseIterable, Sendable {
    /// As the font of the terminal has them.
    case automatic = "auto"
    case unicode
    case console
    case ascii
  }

  /// The name of the theme; ``automaticTheme`` follows the background of the terminal.
  public var theme = ScreenSettings.automaticTheme
  /// The theme of this name; nil if it follows the background of the terminal.
  public var definition: ThemeDefinition?
  /// The characters that lines and bars are drawn with.
  public var glyphs = Characters.automatic
  /// Whether changes of height are animated.
  public var animates = true
  /// Whether all views disappear while the terminal does not have the focus.
  public var suspendsWhenUnfocused = false
  /// What keys are bound to, by their names; see ``KeyName``.
  public var keys: [String: KeyBinding] = [:]
  /// The minimum width of a column, in cells, unless the page is narrower.
  public var columnMinimum = 40
  /// The width of a column that is best to read; the number of columns is the one that comes nearest.
  public var columnPreferred = 56
  /// The largest number of columns.
  public var columnLimit = 100
  /// Whether cards of one or two lines that follow each other stand side by side.
  public var tiles = true

  /// Creates the defaults.
  public init() {}

  /// The name that stands for a dark or a light theme, as the background of the terminal is.
  public static let automaticTheme = "auto"

  /// The theme to draw with, where the terminal's own background is known or assumed to be dark or
  /// light.
  public func theme(onTerminal isDark: Bool) -> ThemeDefinition {
    definition ?? .standard(isDark: isDark)
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
