import FoundationEssentials
public import WidgetKitCore

/// The engine: the cards of a page, and the widgets behind them.
///
/// First come the cards of the last page with their snapshots; ``start()`` then looks for bundles
/// and starts widgets, the visible ones first. Everything happens on the main actor.
public final class WidgetCenter {
  /// Called when something that is drawn has changed; at most once a turn of the event loop.
  public var onChange: (() -> Void)?
  /// Called when an update has ended.
  public var onUpdate: ((CardID, UpdateResult, String?) -> Void)?
  /// What is wrong with the installation: bad bundles, folders that cannot be used.
  public var problems: [SafeText] {
    installationProblems + [recordTrouble, writeTrouble, watchTrouble].compactMap(\.self)
  }
  /// What became of something that a person did, for some seconds.
  public internal(set) var notice: SafeText?
  var noticeTimer: (any HostTimer)?
  /// Whether the bundles have been read.
  public internal(set) var hasScanned = false
  /// Widgets that are there and were never on the page.
  public internal(set) var newWidgets: [AnnouncedWidget] = []

  let clock: any HostClock
  let limits: HostLimits
  let schedule: RefreshSchedule
  let localeIdentifier: String
  private(set) var configuration: CenterConfiguration
  let folders: StateFolders
  let store: SnapshotStore
  let router: URLRouter
  let searchPaths: SearchPaths
  private let services: SessionServices
  var controllers: [CardController] = []
  /// Cards that are off the page and whose widgets have not ended yet.
  var leaving: [CardController] = []
  /// Cards that shrink away.
  var departures: [Departure] = []
  /// Cards that are shown because somebody asked for them, and are not on the page.
  var guests: Set<CardID> = []
  var catalog = BundleCatalog()
  var watch: FolderWatch?
  let contentFlags: ContentFlags
  let histories: RefreshHistories
  let reloads: ReloadRequests
  var isFollowingSchedule = false
  var lastJump: (now: ContinuousClock.Instant, uptime: Duration)?
  let recordPath: String
  var record: PageRecord?
  var innerWidth = 0
  /// How often something that is drawn has changed, so that who draws knows what it has seen.
  public internal(set) var changeCount = 0
  var snapshotTurn: (any HostTimer)?
  private(set) var visible: Set<CardID>?
  var isChangePending = false
  var turn: (any HostTimer)?
  var settleTurn: (any HostTimer)?
  var quitCompletion: (() -> Void)?
  var quitTimer: (any HostTimer)?
  var lastOpen: ContinuousClock.Instant?
  var pauseCompletion: (() -> Void)?
  var pauseTimer: (any HostTimer)?
  /// What ends the time in which first contents are shown together; nil outside of it.
  var gathering: (any HostTimer)?
  var installationProblems: [SafeText] = []
  var recordTrouble: SafeText?
  var writeTrouble: SafeText?
  var watchTrouble: SafeText?
  var watchRetry: (any HostTimer)?
  /// How long until following other programs is tried again; longer each time.
  var watchPause: Duration = .milliseconds(500)

  /// Creates the engine; nothing is read or started yet.
  public init(_ configuration: CenterConfiguration) throws(HostError) {
    Worker.startAll()
    self.configuration = configuration
    clock = configuration.clock ?? SystemClock()
    limits = configuration.limits
    schedule = configuration.schedule
    folders = StateFolders(environment: configuration.environment)
    store = SnapshotStore(folder: folders.snapshots, limits: limits, clock: clock)
    router = URLRouter(environment: configuration.environment)
    router.byteLimit = configuration.limits.urlBytes
    router.hopLimit = configuration.limits.urlHops
    localeIdentifier = Self.localeIdentifier(configuration.environment)
    searchPaths = SearchPaths(
      named: configuration.widgetFolders,
      environment: configuration.environment,
      executable: configuration.executablePath
    )
    StateFolders.make(folders.logs)
    services = Self.services(
      configuration,
      clock: clock,
      folders: folders,
      trace: try configuration.tracePath.map { path throws(HostError) in
        try TraceWriter(path: path)
      }
    )
    recordPath = PageRecord.path(in: folders.pages, for: searchPaths.folders)
    contentFlags = ContentFlags(folders)
    histories = RefreshHistories(folders)
    reloads = ReloadRequests(folders)
    record = PageRecord.read(recordPath)
    controllers = record?.cards.map(controllerFromRecord) ?? []
    for controller in controllers
    where !contentFlags.hasContent(controller.card.id.bundleIdentifier) {
      controller.card.state = .hidden
    }
    store.hasContent = { [contentFlags] in contentFlags.hasContent($0) }
    store.onSuperseded = { [weak self] in self?.takeOverSnapshot($0) }
    store.onWriteTrouble = { [weak self] in self?.noteWriteTrouble($0) }
    store.onOddFile = { [weak self] in self?.note($0) }
  }

  // MARK: - The page

  /// The cards in page order; those without content to show are left out.
  public var cards: [Card] { controllers.map(\.card).filter { $0.state != .hidden } }

  /// All cards in page order, also those without content to show.
  public var allCards: [Card] { controllers.map(\.card) }

  /// Whether nothing is on its way that would change the card: it is up and updated, or failed.
  public func isSettled(_ id: CardID) -> Bool {
    controller(id)?.isSettled ?? true
  }

  /// What a name on a command line stands for, among all widgets that were found.
  public func match(_ name: String) -> BundleCatalog.NameMatch { catalog.match(name) }

  /// Whether a card's process has shown a view of its own, so that it is no picture of another one.
  public func hasOwnView(_ id: CardID) -> Bool { controller(id)?.hasOwnView ?? false }

  /// Whether a widget runs that takes no part in updates.
  public func hasNothingToUpdate(_ id: CardID) -> Bool {
    guard let state = controller(id)?.session?.state, state.phase == .running else { return false }
    return !state.implements.contains(WidgetPerformUpdateRequest.method)
  }

  /// Called whenever a card may have settled.
  public var onSettle: (() -> Void)?

  /// Says which cards have a row on the screen.
  public func setVisible(_ ids: Set<CardID>) {
    visible = ids
    guard hasScanned else { return }
    for controller in controllers { controller.setVisible(ids.contains(controller.card.id)) }
  }

  /// Says what the screen can show.
  public func setAppearance(_ appearance: Appearance, glyphs: GlyphSet) {
    configuration.appearance = appearance
    configuration.glyphs = glyphs
    for controller in controllers { controller.relayOut() }
    cardDidChange()
  }

  // MARK: - Life

  /// Starts the widgets whose cards are visible, after looking for them.
  public func start() {
    // First of all, so that nothing is missed that another host does meanwhile.
    followChanges()
    load()
    followSchedule()
    gatherFirstContent()
    if let visible { setVisible(visible) }
  }

  /// Starts these widgets and no others.
  public func start(only ids: Set<CardID>) {
    visible = ids
    start()
  }

  /// Ends all widgets, in parallel, within 2 s; `completion` is called when none is left.
  public func shutdown(completion: @escaping () -> Void) {
    guard quitCompletion == nil else { return }
    quitCompletion = completion
    keepRecord()
    for controller in controllers { controller.quit() }
    quitTimer = clock.schedule(after: .milliseconds(1_800)) { [weak self] in
      guard let self else { return }
      for controller in controllers + leaving where !controller.isFinished { controller.kill() }
    }
    cardDidFinish()
  }

  /// Notes how old everything is at this moment, where nobody follows that as time passes.
  public func noteAges() {
    for controller in controllers { controller.checkAge() }
  }

  // MARK: - What a person does

  /// Presses an element of a card.
  public func press(_ target: PressTarget, on id: CardID) {
    controller(id)?.press(target)
  }

  /// Asks one widget, or all of them, for new data.
  public func refresh(_ id: CardID?) {
    for controller in controllers where id == nil || controller.card.id == id {
      followBundle(of: controller)
      controller.refresh(.user)
    }
  }

  /// Starts a stopped widget again.
  public func retry(_ id: CardID) {
    controller(id)?.retry()
  }

  /// Show more or show less.
  public func toggleDisplayMode(_ id: CardID) {
    controller(id)?.toggleDisplayMode()
  }

  /// Opens a URL as a widget would.
  public func open(_ url: String, completion: @escaping (Bool) -> Void = { _ in }) {
    router.open(url) { completion($0 == nil) }
  }

  /// Opens the app that a card's widget came with, by a URL of the app's first scheme and nothing
  /// more, such as `clowntown://`.
  ///
  /// - Returns: Whether there is an app that declares a scheme; why it was not opened goes to the
  ///   widget's log.
  @discardableResult
  public func openApp(of id: CardID) -> Bool {
    guard let card = controller(id), let app = card.session?.bundle.containingApp,
      let scheme = app.urlSchemes.first(where: { !SchemeRegistry.reserved.contains($0) })
    else { return false }
    card.open("\(scheme)://") { _ in }
    return true
  }

  /// The most bytes of a URL, as the user set it.
  public var urlByteLimit: Int { limits.urlBytes }

  /// How often a URL may be passed on by handlers, where that is used up; nil elsewhere.
  public var exhaustedHops: Int? { router.isAtHopLimit ? router.hopLimit : nil }

  /// Gives the screen to a program; without it no URL is opened.
  public var terminalHandover: ((TerminalProgram) -> Void)? {
    get { router.handover }
    set { router.handover = newValue }
  }

  // MARK: - Making cards

  func controller(_ id: CardID) -> CardController? {
    for controller in controllers where controller.card.id == id { return controller }
    return nil
  }

  /// What all cards of the page use.
  var cardServices: CardServices {
    CardServices(
      clock: clock,
      limits: limits,
      schedule: schedule,
      localeIdentifier: localeIdentifier,
      schedulesUpdates: configuration.schedulesUpdates,
      store: store,
      histories: SharedHistories(
        histories: histories,
        lockFolder: folders.locks,
        afterWriting: { [store] in store.afterWriting($0) }
      )
    )
  }

  private func controllerFromRecord(_ entry: PageRecord.Entry) -> CardController {
    let id = CardID(entry.bundleIdentifier)
    let controller = CardController(id: id, name: entry.name, services: cardServices, page: self)
    controller.restore(entry)
    return controller
  }

  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    let session = WidgetSession(id: id, bundle: bundle, services: services)
    session.makeInitialize = { [unowned self] in initializeRequest(id, $0) }
    return session
  }
}
