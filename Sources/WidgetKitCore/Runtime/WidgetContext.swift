import FoundationEssentials

/// A widget's way to its host, and what the host said of the screen (NSExtensionContext).
///
/// A widget finds its own as `extensionContext`.
@MainActor
public final class WidgetContext {
  /// The widget's identifier.
  public private(set) var bundleIdentifier = ""
  /// Which one it is, where one widget is on the page more than once.
  public private(set) var instance: String?
  /// The user's settings for this widget.
  public private(set) var configuration: [String: String] = [:]
  /// Why the process was started.
  public private(set) var launchReason = LaunchReason.test
  /// The size of the card's body; its largest one until it appears.
  public private(set) var size = Size(columns: 40, rows: 20)
  /// The largest body that the card may have.
  public private(set) var maximumSize = Size(columns: 40, rows: 20)
  /// The form that the card is shown in.
  public private(set) var activeDisplayMode = DisplayMode.compact
  /// The user's locale, such as `en_GB`.
  public private(set) var locale = "C"
  /// The user's zone, a tz database name.
  public private(set) var timeZone = "UTC"
  /// What the screen can show.
  public private(set) var appearance = Appearance(colors: 0, dark: true)
  /// Folders that the widget may write in.
  public private(set) var containers = Containers(data: "", cache: "")
  /// The folder of the widget's bundle, its working directory.
  public let bundlePath: String
  /// Whether the card is on the screen, or about to come.
  public private(set) var isVisible = false

  /// The tallest form that the widget offers; with `expanded` the card offers show more.
  public var largestAvailableDisplayMode = DisplayMode.compact {
    didSet {
      guard isLaunched, largestAvailableDisplayMode != oldValue else { return }
      host.notify(SetLargestAvailableDisplayModeNotification(mode: largestAvailableDisplayMode))
    }
  }

  let host: HostConnection
  var display: @MainActor () -> Void = {}
  var activities: [Int: ExpiringActivity] = [:]
  /// Ends with the view's disappearance, and every ticker with it.
  var tickers: [Task<Void, Never>] = []
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

  /// A setting of the widget: the user's own for this card, or else an environment variable.
  ///
  /// - Parameters:
  ///   - name: Its name in the widget's configuration.
  ///   - variable: An environment variable that the host lets through: `TODAY_…`.
  /// - Returns: Its value; nil where it is nowhere set, or empty.
  public func setting(_ name: String, environment variable: String) -> String? {
    let value = configuration[name] ?? ProcessInfo.processInfo.environment[variable]
    return value == "" ? nil : value
  }

  /// Asks for the body again at the end of the present turn, and sends it where it has changed.
  public func setNeedsDisplay() {
    guard !displayIsPending else { return }
    displayIsPending = true
    Task {
      displayIsPending = false
      display()
    }
  }

  /// States the height that the widget would like; the card follows, with a transition.
  ///
  /// - Parameter height: Rows of the body, 0 to 10,000; nil goes by the view's own height.
  public func setPreferredContentSize(height: Int?) {
    let height = height.map { min(max($0, Size.limit.lowerBound), Size.limit.upperBound) }
    preferredHeight = .value(PreferredContentSize(height: height))
    if isLaunched { host.notify(SetPreferredContentSizeNotification(height: height)) }
  }

  /// Opens a URL: the containing app's own, or one that the user's rules allow.
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

  /// Says whether the widget has anything to show (NCWidgetController).
  ///
  /// After false the card is gone and the widget is not started again until its containing app
  /// says true.
  ///
  /// - Parameters:
  ///   - flag: Whether there is something to show.
  ///   - bundleIdentifier: Another widget of the same app; nil for this one.
  /// - Throws: ``WireError`` where the host refuses.
  public func setHasContent(
    _ flag: Bool,
    forWidgetWithBundleIdentifier bundleIdentifier: String? = nil
  ) async throws {
    let identifier = bundleIdentifier ?? self.bundleIdentifier
    _ = try await host.request(SetHasContentRequest(flag: flag, bundleIdentifier: identifier))
  }

  /// Writes a line to the widget's log.
  ///
  /// - Parameters:
  ///   - message: The line.
  ///   - level: How much it matters: `debug`, `info`, `error`.
  public func log(_ message: String, level: String = "info") {
    host.notify(LogNotification(level: SafeText(level), message: SafeText(message)))
  }
}

// MARK: - What the host says

extension WidgetContext {
  func launch(_ request: InitializeRequest) {
    bundleIdentifier = request.bundleIdentifier
    instance = request.instance
    configuration = request.configuration ?? [:]
    launchReason = request.reason
    size = request.maximumSize
    maximumSize = request.maximumSize
    activeDisplayMode = request.activeDisplayMode
    locale = request.locale
    timeZone = request.timeZone
    appearance = request.appearance
    containers = request.containers
  }

  /// From now on what the widget states goes out as a message of its own.
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
    for ticker in tickers { ticker.cancel() }
    tickers = []
  }

  func changeDisplayMode(_ change: ActiveDisplayModeDidChangeNotification) {
    activeDisplayMode = change.activeDisplayMode
    maximumSize = change.maximumSize
  }
}

// MARK: - The present context

extension WidgetContext {
  /// The context of the widget that this task works for, in a test one of many.
  @TaskLocal private static var bound: WidgetContext?

  /// The context of the process, once its program runs.
  private static var process: WidgetContext?

  /// Without a host: what is sent goes nowhere.
  private static let detached = WidgetContext(host: HostConnection { _ in })

  /// The context of the widget that is running; inside of one also `extensionContext`.
  ///
  /// Where no host is, as in a test of a body, what is sent goes nowhere.
  public static var current: WidgetContext { bound ?? process ?? detached }

  func becomeProcessContext() {
    Self.process = self
  }

  /// Makes this the current context for everything that `work` starts.
  func bind<Result>(_ work: @MainActor () throws -> Result) rethrows -> Result {
    try Self.$bound.withValue(self) { try work() }
  }

  /// Makes this the current context until `work` has ended.
  func bind<Result>(_ work: @MainActor () async throws -> Result) async rethrows -> Result {
    try await Self.$bound.withValue(self) { try await work() }
  }
}
