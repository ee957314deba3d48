public import WidgetCards
public import WidgetExtensions
import WidgetKitCore
public import WidgetPlatform
import WidgetScripts
import WidgetSessions

/// The URLs that a page opens: for the user and for its widgets, whose number is limited.
///
/// This is a class because the page and its callers share it.
public final class PageURLs {
  let router: URLRouter
  private let page: PageCards
  private let clock: any HostClock
  private let permissions: StoredPermissions
  /// The files that the user has chosen in the settings of a widget.
  private let chosenFiles: (CardID) -> [String]
  /// What answers the URLs for the program itself.
  private let controls: () -> PageControls?
  private var policy = OpenURLPolicy()
  private var asked: Asked?
  /// The schemes of which URLs are opened for widgets; nil for all that are permitted.
  private let schemes: Set<String>?
  /// While the page is locked, nothing is opened for a widget.
  let lock: PageLock
  /// The shortest time between two URLs of widgets.
  private var pause: Duration = .zero

  /// A URL that waits for the answer of the user.
  private struct Asked {
    var url: CheckedURL
    var owner: String
    var handler: URLHandler
    var completion: (URLRefusal?) -> Void
  }

  init(
    _ configuration: CenterConfiguration,
    page: PageCards,
    lock: PageLock,
    folders: StateFolders,
    clock: any HostClock,
    sandbox: Sandbox,
    controls: @escaping () -> PageControls?,
    chosenFiles: @escaping (CardID) -> [String]
  ) {
    self.page = page
    self.controls = controls
    self.chosenFiles = chosenFiles
    self.lock = lock
    self.clock = clock
    schemes = configuration.machine == nil ? nil : RemoteRequest.schemes
    permissions = StoredPermissions(folders)
    router = URLRouter(environment: configuration.environment, clock: clock)
    router.standIns = configuration.standIns
    router.apps = AppConfinement(
      sandbox,
      environment: router.environment,
      executable: configuration.executablePath,
      processLimit: configuration.limits.resources.processes
    )
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

  /// Opens a URL as the user's own act, which needs no permission; `completion` is called once, with the
  /// reason if it is not opened.
  public func open(_ url: String, completion: @escaping (URLRefusal?) -> Void = { _ in }) {
    if let checked = CheckedURL(url, byteLimit: byteLimit),
      ControlURL.schemes.contains(checked.scheme), let controls = controls()
    {
      return answer(checked, nil, controls, completion)
    }
    router.open(url, completion: completion)
  }

  private func answer(
    _ url: CheckedURL,
    _ sender: CardID?,
    _ controls: PageControls,
    _ completion: (URLRefusal?) -> Void
  ) {
    do throws(URLRefusal) {
      try controls.perform(url, from: sender)
      completion(nil)
    } catch {
      completion(error)
    }
  }

  /// Opens the app that contains a card's widget, with a URL that consists of the app's first scheme,
  /// such as `clowntown://`.
  ///
  /// - Returns: Whether there is an app that declares a scheme. If opening fails, the reason is written
  ///   to the widget's log.
  @discardableResult
  public func openApp(of id: CardID) -> Bool {
    guard let card = page[id], let scheme = card.session?.bundle.appScheme
    else { return false }
    card.open("\(scheme)://")
    return true
  }

  /// Shows the address of a URL that nothing opens here; without it the card says why it is not opened.
  public var onUnopened: ((_ url: String, _ scheme: String) -> Void)?

  // MARK: - For widgets

  /// Whether the user trusts the app of a widget.
  func isTrusted(_ sender: URLSender) -> Bool { permissions.read(sender.owner).isTrusted }

  /// Opens a URL for a widget, unless it comes too soon after another one, or the user does not permit it.
  func open(
    _ text: String,
    for sender: URLSender,
    completion: @escaping (URLRefusal?) -> Void
  ) {
    if lock.isLocked { return completion(.locked) }
    if let schemes, let url = CheckedURL(text, byteLimit: byteLimit), !schemes.contains(url.scheme)
    {
      return completion(.ofOtherMachine(scheme: url.scheme))
    }
    if let refusal = policy.take(at: clock.now, pause: pause) { return completion(refusal) }
    if let url = CheckedURL(text, byteLimit: byteLimit), let controls = controls(),
      controls.answers(url, of: sender.id)
    {
      return answer(url, sender.id, controls, completion)
    }
    do throws(URLRefusal) {
      let url = try router.check(text)
      let permission = URLPermission(url, own: sender.app?.urlSchemes ?? [])
      if case .file(let path) = permission {
        guard let path, URLPermission.isGranted(path, among: chosenFiles(sender.id)) else {
          throw .fileNotGranted
        }
      }
      let mustAsk = permission == .asked
      if mustAsk, permissions.read(sender.owner).schemes[url.scheme] == false {
        throw .notPermitted(scheme: url.scheme)
      }
      router.find(url, from: sender.app) { [weak self] handler in
        guard let self else { return completion(.noHandler(scheme: url.scheme)) }
        guard let handler else { return completion(shown(url, .noHandler(scheme: url.scheme))) }
        if mustAsk {
          ask(url, for: sender, handler, completion)
        } else {
          start(handler, url, completion)
        }
      }
    } catch {
      completion(error)
    }
  }

  private func start(
    _ handler: URLHandler,
    _ url: CheckedURL,
    _ completion: @escaping (URLRefusal?) -> Void
  ) {
    router.start(handler, url) { [weak self] refusal in
      if refusal == nil { self?.onOpen?() }
      completion(refusal.flatMap { self?.shown(url, $0) ?? $0 })
    }
  }

  /// The refusal of a URL, whose address is shown if nothing opens it here and it is one for people.
  private func shown(_ url: CheckedURL, _ refusal: URLRefusal) -> URLRefusal {
    guard let onUnopened, refusal.isForWantOfHandler,
      URLRouter.desktopSchemes.contains(url.scheme), !lock.isLocked
    else { return refusal }
    onUnopened(url.text, url.scheme)
    return .shownInstead
  }

  // MARK: - Asking the user

  /// The question that is open.
  public private(set) var question: URLQuestion? {
    didSet { if question != oldValue { onQuestion?(question) } }
  }

  /// Called with a question for the user, and with nil when it needs no answer any more; without it
  /// nothing is asked, and nothing is opened that is not permitted yet.
  public var onQuestion: ((URLQuestion?) -> Void)?

  private func ask(
    _ url: CheckedURL,
    for sender: URLSender,
    _ handler: URLHandler,
    _ completion: @escaping (URLRefusal?) -> Void
  ) {
    if permissions.read(sender.owner).schemes[url.scheme] == true {
      return start(handler, url, completion)
    }
    guard !lock.isLocked else { return completion(.locked) }
    guard onQuestion != nil else { return completion(.notPermitted(scheme: url.scheme)) }
    guard asked == nil else { return completion(.busy) }
    asked = Asked(url: url, owner: sender.owner, handler: handler, completion: completion)
    question = URLQuestion(
      name: sender.name,
      scheme: SafeText(url.scheme),
      host: url.host.map { SafeText($0) },
      handler: SafeText(handler.name)
    )
  }

  /// The user answers the question that is open.
  ///
  /// - Returns: Why the answer could not be stored; nil if it was.
  @discardableResult
  public func answer(_ answer: URLQuestion.Answer) -> HostError? {
    guard let asked else { return nil }
    self.asked = nil
    question = nil
    var trouble: HostError?
    if answer != .notNow {
      do throws(HostError) {
        try permissions.change(asked.owner) { $0.schemes[asked.url.scheme] = answer == .always }
      } catch {
        trouble = error
      }
    }
    if answer == .always {
      start(asked.handler, asked.url, asked.completion)
    } else {
      asked.completion(answer == .notNow ? .notNow : .notPermitted(scheme: asked.url.scheme))
    }
    return trouble
  }
}
