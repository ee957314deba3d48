public import FoundationEssentials

/// The connection of a widget to its host, and the properties of the screen (NSExtensionContext).
///
/// A widget finds its own as `extensionContext`.
@MainActor
public final class WidgetContext {
  /// The widget's identifier.
  public private(set) var bundleIdentifier = ""
  /// The instance, if the widget is on the page several times.
  public private(set) var instance: String?
  /// The settings of the widget: those of the user, else the defaults of its manifest.
  public internal(set) var configuration = WidgetConfiguration()
  /// Why the process was started.
  public private(set) var launchReason = LaunchReason.test
  /// The size of the card's body; the largest one until the view appears.
  public private(set) var size = Size(columns: 40, rows: 20)
  /// The largest size of the body.
  public private(set) var maximumSize = Size(columns: 40, rows: 20)
  /// The current display mode.
  public private(set) var activeDisplayMode = DisplayMode.compact
  /// The user's locale, such as `en_GB`.
  public private(set) var locale = "C"
  /// The user's zone, a tz database name.
  public private(set) var timeZone = "UTC"
  /// The capabilities of the screen.
  public internal(set) var appearance = Appearance(colors: 0, dark: true)
  /// The folders that the widget can write to.
  public private(set) var containers = Containers(data: "", cache: "")
  /// The entitlements that the widget requests and may not have: what needs them fails because the user has
  /// not permitted it.
  public private(set) var denied: Set<String> = []
  /// The folder of the widget's bundle, its working directory.
  public let bundlePath: String
  /// Whether the card is visible, or about to appear.
  public private(set) var isVisible = false
  /// The time that a test has set; nil for that of the system.
  private var testDate: Date?
  /// The present time: that of the system, or the one that a test has set.
  public var now: Date { testDate ?? Date() }

  /// The largest display mode that the widget offers; with `expanded` the card offers “show more”.
  public var largestAvailableDisplayMode = DisplayMode.compact {
    didSet {
      guard isLaunched, largestAvailableDisplayMode != oldValue else { return }
      host.notify(SetLargestAvailableDisplayModeNotification(mode: largestAvailableDisplayMode))
    }
  }

  let host: HostConnection
  /// The request that a share or action extension was started for; nil for a widget.
  var request: RequestContent?
  var display: @MainActor () -> Void = {}
  var activities: [Int: ExpiringActivity] = [:]
  /// What the widget does when a name is posted, and when a suite of defaults has changed.
  var observers: [String: @MainActor () -> Void] = [:]
  var defaultsObservers: [String: @MainActor ([String]) -> Void] = [:]
  /// What the widget does when there are other notices.
  var noticesObserver: @MainActor () -> Void = {}
  /// The sessions of background transfers, by their identifiers.
  var backgroundSessions: [String: BackgroundSession] = [:]
  var tickers = Tickers()
  let sleep: @MainActor (Duration) async throws -> Void
  private(set) var preferredHeight = Stated<PreferredContentSize>.unstated
  private var isLaunched = false
  private var displayIsPending = false

  init(
    host: HostConnection,
    bundlePath: String = FileManager.default.currentDirectoryPath,
    sleep: @escaping @MainActor (Duration) async throws -> Void = {
      try await Task.sleep(for: $0, tolerance: $0 / 20)
    }
  ) {
    self.host = host
    self.bundlePath = bundlePath
    self.sleep = sleep
  }

  /// The context of the running widget; inside a widget, also `extensionContext`.
  ///
  /// Without a host, as in the test of a body, messages are discarded.
  public static var current: WidgetContext { CurrentContext.now }

  /// Evaluates the body at the end of the current turn, and sends it if it has changed.
  public func setNeedsDisplay() {
    guard !displayIsPending else { return }
    displayIsPending = true
    Task {
      displayIsPending = false
      display()
    }
  }

  /// Sets the preferred height; the card changes with a transition.
  ///
  /// - Parameter height: Rows of the body, 0 to 10,000; nil for the view's own height.
  public func setPreferredContentSize(height: Int?) {
    let height = height.map { min(max($0, Size.limit.lowerBound), Size.limit.upperBound) }
    preferredHeight = .value(PreferredContentSize(height: height))
    if isLaunched { host.notify(SetPreferredContentSizeNotification(height: height)) }
  }

  /// Opens a URL with the app that registered its scheme, or with the desktop.
  ///
  /// - Parameter url: The URL.
  /// - Returns: True once a program for it was started.
  public func open(_ url: String) async -> Bool {
    do {
      return try await host.request(OpenURLRequest(url: url)).success
    } catch {
      log("could not open \(url): \(error)", level: "error")
      return false
    }
  }

  /// Sets whether the widget has anything to show (NCWidgetController).
  ///
  /// After false the card is removed, and the widget is not started again until its containing app
  /// sets it to true.
  ///
  /// - Parameters:
  ///   - flag: Whether there is something to show.
  ///   - bundleIdentifier: Another widget of the same app; nil for this one.
  /// - Throws: ``WireError`` if the host refuses.
  public func setHasContent(
    _ flag: Bool,
    forWidgetWithBundleIdentifier bundleIdentifier: String? = nil
  ) async throws {
    let identifier = bundleIdentifier ?? self.bundleIdentifier
    _ = try await host.request(SetHasContentRequest(flag: flag, bundleIdentifier: identifier))
  }

  /// Sends a signal to a process of the machine; the widget needs `org.today.process-signal`, and a press on its
  /// card within the last 10 s.
  ///
  /// - Parameters:
  ///   - signal: The number of the signal, 1 to 64.
  ///   - process: The number of the process, from 1.
  ///   - startTime: When it was started, in clock ticks (`starttime` in `/proc/PID/stat`).
  /// - Throws: ``WireError`` with `notPermitted`, or with `notFound` if there is no such process.
  public func sendSignal(
    _ signal: Int32,
    toProcess process: Int32,
    startedAt startTime: UInt64
  ) async throws {
    let request = SendSignalRequest(process: process, startTime: startTime, signal: signal)
    _ = try await host.request(request)
  }

  /// Changes settings of the widget, as the user would in the form: for what is typed into a field of the card.
  ///
  /// It needs a press on the card within the last 10 s. The values are in ``configuration`` when
  /// ``Widget/configurationDidChange()`` is called.
  ///
  /// - Parameter values: The new values, by the names in the manifest; not of settings of the types file and secret.
  /// - Throws: ``WireError`` with `notPermitted` without a press, and for a setting that config.json sets; with
  ///   `invalidParams` for a value that the setting cannot have.
  public func setConfiguration(_ values: [String: WidgetConfiguration.Value]) async throws {
    _ = try await host.request(SetConfigurationRequest(values: values))
  }

  /// The secrets of the widget, and those that it shares with its app.
  public var secrets: SecretStore { SecretStore(host) }

  /// Writes a line to the widget's log.
  ///
  /// - Parameters:
  ///   - message: The line.
  ///   - level: The level: `debug`, `info` or `error`.
  public func log(_ message: String, level: String = "info") {
    host.notify(LogNotification(level: SafeText(level), message: SafeText(message)))
  }
}

// MARK: - Messages from the host

extension WidgetContext {
  func launch(_ request: InitializeRequest) {
    bundleIdentifier = request.bundleIdentifier
    instance = request.instance
    configuration = request.configuration ?? WidgetConfiguration()
    launchReason = request.reason
    size = request.maximumSize
    maximumSize = request.maximumSize
    activeDisplayMode = request.activeDisplayMode
    locale = request.locale
    timeZone = request.timeZone
    appearance = request.appearance
    containers = request.containers
    denied = Set(request.denied ?? [])
    testDate = request.date
    self.request = RequestContent(request, host)
  }

  func changeClock(_ change: ClockDidChangeNotification) {
    testDate = change.now
  }

  /// From now on, properties are sent as messages when they are set.
  func launchIsAnswered() {
    isLaunched = true
  }

  func resize(to size: Size) {
    self.size = size
  }

  func appear(at size: Size) {
    self.size = size
    isVisible = true
  }

  func disappear() {
    isVisible = false
    tickers.cancel()
  }

  func changeDisplayMode(_ change: ActiveDisplayModeDidChangeNotification) {
    activeDisplayMode = change.activeDisplayMode
    maximumSize = change.maximumSize
  }
}
