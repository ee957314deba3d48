import WidgetKitCore

/// The URLs that a page opens: for the user and for its widgets, whose number is limited.
///
/// This is a class because the page and its callers share it.
public final class PageURLs {
  let router: URLRouter
  private let page: PageCards
  private let clock: any HostClock
  private var policy = OpenURLPolicy()
  /// Whether the page is locked, so that nothing is opened for a widget.
  var isLocked: Bool
  /// The shortest time between two URLs of widgets.
  private var pause: Duration = .zero

  init(_ configuration: CenterConfiguration, page: PageCards, clock: any HostClock) {
    self.page = page
    isLocked = configuration.isLocked
    self.clock = clock
    router = URLRouter(environment: configuration.environment)
    apply(configuration)
  }

  /// Applies the settings.
  func apply(_ configuration: CenterConfiguration) {
    let limits = configuration.limits
    pause = limits.openURLPause
    router.byteLimit = limits.urlBytes
    router.hopLimit = limits.urlHops
    router.openers = configuration.openers
  }

  /// Uses the schemes of these apps; returns the conflicts between them.
  func setApps(_ apps: [AppBundle]) -> [SafeText] {
    router.registry = SchemeRegistry(apps: apps)
    return router.registry.conflicts.map { SafeText($0.description) }
  }

  /// The limit on the length of a URL in bytes, as the user has set it.
  public var byteLimit: Int { router.byteLimit }

  /// The limit on how often handlers may pass a URL on, if it is reached; otherwise nil.
  public var exhaustedHops: Int? { router.isAtHopLimit ? router.hopLimit : nil }

  /// Hands the screen over to a program; without it no URL is opened.
  public var terminalHandover: ((TerminalProgram) -> Void)? {
    get { router.handover }
    set { router.handover = newValue }
  }

  /// Called when a URL of a widget was opened, so that the user may have left the page.
  public var onOpen: (() -> Void)?

  /// Opens a URL in the same way as for a widget.
  public func open(_ url: String, completion: @escaping (Bool) -> Void = { _ in }) {
    router.open(url) { completion($0 == nil) }
  }

  /// Opens the app that contains a card's widget, with a URL that consists of the app's first scheme,
  /// such as `clowntown://`.
  ///
  /// - Returns: Whether there is an app that declares a scheme. If opening fails, the reason is written
  ///   to the widget's log.
  @discardableResult
  public func openApp(of id: CardID) -> Bool {
    guard let card = page[id], let app = card.widget.session?.bundle.containingApp,
      let scheme = app.urlSchemes.first(where: { !SchemeRegistry.reserved.contains($0) })
    else { return false }
    card.open("\(scheme)://")
    return true
  }

  /// Opens a URL for a widget of an app, unless it comes too soon after another one.
  func open(_ url: String, for app: AppBundle?, completion: @escaping (URLRefusal?) -> Void) {
    if isLocked { return completion(.locked) }
    if let refusal = policy.take(at: clock.now, pause: pause) { return completion(refusal) }
    router.open(url, from: app) { [weak self] refusal in
      if refusal == nil { self?.onOpen?() }
      completion(refusal)
    }
  }
}
