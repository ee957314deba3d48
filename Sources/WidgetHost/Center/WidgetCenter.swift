import FoundationEssentials
public import WidgetKitCore

/// The engine: the cards of a page, and the widgets behind them.
///
/// At first the page consists of the cards of the last page with their snapshots; ``start()`` then
/// searches for bundles and starts the widgets, visible ones first. Everything runs on the main actor.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``PageCards`` | the cards, which are added and removed |
/// | ``HostFollower`` | changes by other programs, and jumps of the clock |
/// | ``SessionFactory`` | sessions, and the first message to a widget |
/// | ``PageNotices`` | problems, and results of the user's actions |
/// | ``ChangedBundles`` | bundles that change while their cards are on the page |
/// | ``FirstContentGate`` | first contents that appear together |
/// | ``PageWait`` | the time that all widgets have to be suspended, or to end |
public final class WidgetCenter {
  /// Called when something that is drawn has changed; at most once per turn of the event loop.
  public var onChange: (() -> Void)?
  /// Called when an update has ended.
  public var onUpdate: ((CardID, UpdateResult, String?) -> Void)?
  /// Called whenever a card may have become settled.
  public var onSettle: (() -> Void)?
  /// How often something that is drawn has changed; lets the caller know whether it has drawn the
  /// latest state.
  public private(set) var changeCount = 0

  let clock: any HostClock
  let folders: StateFolders
  let store: SnapshotStore
  let contentFlags: ContentFlags
  let histories: RefreshHistories
  let router: URLRouter
  private(set) var configuration: CenterConfiguration
  private let sessions: SessionFactory
  private let schedule: PresentSchedule
  private var openURLPolicy = OpenURLPolicy()

  private(set) lazy var page = PageCards(
    owner: self,
    configuration,
    roster: roster(),
    services: cardServices,
    flags: contentFlags
  )
  private(set) lazy var follower = HostFollower(
    owner: self,
    clock: clock,
    folders: folders,
    histories: histories,
    followsSchedule: configuration.schedulesUpdates
  )
  private(set) lazy var notices = PageNotices(clock: clock) { [weak self] in self?.cardDidChange() }
  private(set) lazy var firstContents = FirstContentGate(clock: clock) { [weak self] in
    self?.cardDidChange()
  }
  // The call is made in the next turn, so that related changes are drawn together.
  private lazy var changeSignal = TurnSignal(clock: clock) { [weak self] in self?.onChange?() }
  // The call is made in the next turn, when all effects of an event have been performed.
  private lazy var settleSignal = TurnSignal(clock: clock) { [weak self] in
    self?.firstContentMayBeThere()
    self?.onSettle?()
  }
  private lazy var changedBundles = ChangedBundles(
    page: page,
    notices: notices,
    byteLimit: configuration.limits.bundles.propertyListBytes
  )
  private(set) lazy var quitting = PageWait(clock: clock)
  private(set) lazy var pausing = PageWait(clock: clock)

  /// The time that all widgets together have to end by themselves.
  private static let quitLimit: Duration = .milliseconds(1_800)
  /// The longest time that all widgets together have before the host is suspended.
  private static let pauseLimit: Duration = .seconds(2)

  /// Creates the engine without starting any widget.
  public init(_ configuration: CenterConfiguration) throws(HostError) {
    Worker.startAll()
    self.configuration = configuration
    let (limits, environment) = (configuration.limits, configuration.environment)
    clock = configuration.clock ?? SystemClock()
    folders = StateFolders(environment: environment)
    store = SnapshotStore(folder: folders.snapshots, limits: limits, clock: clock)
    router = URLRouter(environment: environment)
    schedule = PresentSchedule(configuration.schedule)
    StateFolders.make(folders.logs)
    sessions = try SessionFactory(configuration, clock: clock, folders: folders)
    contentFlags = ContentFlags(folders)
    histories = RefreshHistories(folders)
    configureRouter()
    store.hasContent = { [contentFlags] in contentFlags.hasContent($0) }
    store.onSuperseded = { [weak self] key in
      self?.page[CardID(key.bundleIdentifier, instance: key.instance)]?.takeOverSnapshot()
    }
    // Until they can be written again, views are kept only in memory; this is reported once for all
    // cards.
    store.onWriteTrouble = { [weak self] failure in
      let words = failure.map { SafeText("Snapshots cannot be written: \($0)") }
      self?.notices.set(.snapshots, words)
    }
    store.onOddFile = { [weak self] in self?.notices.note(SafeText($0)) }
  }

  /// The folders in which bundles are searched for.
  var searchPaths: SearchPaths {
    SearchPaths(
      named: configuration.widgetFolders,
      environment: configuration.environment,
      executable: configuration.executablePath
    )
  }

  private func roster() -> PageRoster {
    PageRoster(
      searchPaths,
      usualPaths: SearchPaths(
        environment: configuration.environment,
        executable: configuration.executablePath
      ),
      limits: configuration.limits.bundles,
      folders: folders
    )
  }

  /// The services that all cards of the page share.
  private var cardServices: CardServices {
    CardServices(
      clock: clock,
      limits: configuration.limits,
      schedule: schedule,
      waitingPresses: configuration.policy.openPresses,
      localeIdentifier: sessions.localeIdentifier,
      schedulesUpdates: configuration.schedulesUpdates,
      store: store,
      histories: SharedHistories(
        histories: histories,
        lockFolder: folders.locks,
        afterWriting: { [store] in store.afterWriting($0) }
      )
    )
  }

  // MARK: - The page

  /// The cards in page order, except those without content.
  public var cards: [Card] { page.controllers.map(\.card).filter { $0.state != .hidden } }

  /// All cards in page order, including those without content.
  public var allCards: [Card] { page.controllers.map(\.card) }

  /// Current problems, for example invalid bundles and folders that cannot be used.
  public var problems: [SafeText] { notices.problems }

  /// The result of a user's action, shown for some seconds.
  public var notice: SafeText? { notices.notice }

  /// Whether the bundles have been read.
  public var hasScanned: Bool { page.hasScanned }

  /// Installed widgets that were never on the page.
  public var newWidgets: [AnnouncedWidget] { page.newWidgets }

  /// Returns what a name on a command line stands for among all widgets that were found.
  public func match(_ name: String) -> BundleCatalog.NameMatch { page.catalog.match(name) }

  /// Whether no change of the card is pending: its widget runs and is updated, or has failed.
  public func isSettled(_ id: CardID) -> Bool { page[id]?.isSettled ?? true }

  /// Whether a card's process has shown a view of its own, as opposed to a snapshot of an earlier one.
  public func hasOwnView(_ id: CardID) -> Bool { page[id]?.widget.hasOwnView ?? false }

  /// Whether a widget is running that does not support updates.
  public func hasNothingToUpdate(_ id: CardID) -> Bool { page[id]?.widget.takesUpdates == false }

  /// Sets which cards have a row on the screen.
  public func setVisible(_ ids: Set<CardID>) {
    page.setVisible(ids)
  }

  /// Sets the capabilities of the screen.
  public func setAppearance(_ appearance: Appearance, glyphs: GlyphSet) {
    configuration.appearance = appearance
    configuration.glyphs = glyphs
    for controller in page.controllers { controller.content.relayOut() }
    cardDidChange()
  }

  /// Takes over what the user has set anew while the page is open: how it looks, when updates are
  /// due, how URLs are opened, and what is wrong with the settings.
  ///
  /// Other limits and deadlines, and everything that is not set by the user, hold from the next start.
  public func apply(_ new: CenterConfiguration) {
    let old = configuration
    configuration = new
    configureRouter()
    if new.schedule != old.schedule {
      schedule.value = new.schedule
      for controller in page.controllers { controller.updates.plan() }
    }
    // What is found before the bundles are looked for is noted with them.
    if page.hasScanned {
      for problem in old.problems { notices.forget(problem) }
      for problem in new.problems { notices.note(problem) }
    }
    setAppearance(new.appearance, glyphs: new.glyphs)
  }

  private func configureRouter() {
    router.byteLimit = configuration.limits.urlBytes
    router.hopLimit = configuration.limits.urlHops
    router.openers = configuration.openers
  }

  // MARK: - Life

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  public func load() {
    page.load()
  }

  /// Starts to observe changes by other programs.
  public func followChanges() {
    follower.start()
  }

  /// Searches for widgets and starts those whose cards are visible.
  public func start() {
    // This comes first so that no change by another host is missed meanwhile.
    follower.start()
    page.load()
    follower.startSchedule()
    if configuration.gathersFirstContent { firstContents.close() }
    if let visible = page.visible { page.setVisible(visible) }
  }

  /// Starts only these widgets.
  public func start(only ids: Set<CardID>) {
    page.setFirstVisible(ids)
    start()
  }

  /// Ends all widgets in parallel, within 2 s; `completion` is called when none is left.
  public func shutdown(completion: @escaping () -> Void) {
    guard !quitting.isUnderWay else { return }
    page.keepRecord()
    quitting.begin(
      within: Self.quitLimit,
      onLimit: { [weak self] in self?.page.killUnfinished() },
      completion: completion
    )
    for controller in page.controllers { controller.quit() }
    cardDidFinish()
  }

  /// Makes every view disappear and suspends every widget, all in parallel, within 2 s: on Ctrl-Z, and
  /// while a program uses the screen.
  ///
  /// - Parameter completion: Called once, when no widget runs any more. Suspend the program there, and
  ///   call ``resume()`` when it continues.
  public func suspend(completion: @escaping () -> Void) {
    guard !pausing.isUnderWay, !quitting.isUnderWay else { return }
    pausing.begin(
      within: Self.pauseLimit,
      onLimit: { [weak self] in
        for controller in self?.page.controllers ?? [] {
          controller.widget.handle(.freeze)
        }
        self?.pausing.end()
      },
      completion: completion
    )
    for controller in page.controllers { controller.pause() }
    pauseMayHaveEnded()
  }

  /// Resumes after ``suspend(completion:)``: the views on the screen appear again.
  public func resume() {
    // If the host resumes before all widgets were suspended, there is nothing left to wait for.
    pausing.forget()
    for controller in page.controllers { controller.unpause() }
  }

  private func pauseMayHaveEnded() {
    guard page.controllers.allSatisfy(\.widget.isAtRest) else { return }
    pausing.end()
  }

  /// Checks the age of all contents now, for programs that do not follow it over time.
  public func noteAges() {
    for controller in page.controllers { controller.updates.checkAge() }
  }

  // MARK: - The user's actions

  /// Presses an element of a card.
  public func press(_ target: PressTarget, on id: CardID) {
    page[id]?.press(target)
  }

  /// Requests new data from one widget, or from all of them.
  public func refresh(_ id: CardID?) {
    for controller in page.controllers where id == nil || controller.card.id == id {
      changedBundles.follow(controller)
      controller.updates.refresh(.user)
    }
  }

  /// Whether an update of a widget is due, because of the schedule or of a request.
  public func isDue(_ id: CardID) -> Bool {
    guard let controller = page[id], !controller.isHidden else { return false }
    return follower.isAsked(id) || controller.updates.schedule.isDue
  }

  /// Makes an update that is due, unless another host makes it.
  ///
  /// - Returns: Whether this host makes it.
  @discardableResult
  public func refreshIfDue(_ id: CardID, reason: UpdateReason = .schedule) -> Bool {
    guard let controller = page[id] else { return false }
    if follower.takeRequest(id) {
      controller.updates.refresh(.event)
    } else {
      controller.updates.refreshIfDue(reason)
    }
    return controller.widget.hasUpdate
  }

  /// Restarts a stopped widget.
  public func retry(_ id: CardID) {
    page[id]?.widget.handle(.retry)
  }

  /// Switches between the compact and the expanded form.
  public func toggleDisplayMode(_ id: CardID) {
    page[id]?.toggleDisplayMode()
  }

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

  /// The limit on the length of a URL in bytes, as the user has set it.
  public var urlByteLimit: Int { configuration.limits.urlBytes }

  /// The limit on how often handlers may pass a URL on, if it is reached; otherwise nil.
  public var exhaustedHops: Int? { router.isAtHopLimit ? router.hopLimit : nil }

  /// Hands the screen over to a program; without it no URL is opened.
  public var terminalHandover: ((TerminalProgram) -> Void)? {
    get { router.handover }
    set { router.handover = newValue }
  }
}

// MARK: - Calls from cards

extension WidgetCenter: CardPage {
  var environment: LayoutEnvironment {
    LayoutEnvironment(now: clock.date, glyphs: configuration.glyphs)
  }

  var animates: Bool { configuration.animates }

  var isGatheringFirstContent: Bool { firstContents.isClosed }

  func cardDidChange() {
    changeCount += 1
    changeSignal.raise()
  }

  func cardDidUpdate(_ id: CardID, _ outcome: UpdateOutcome) {
    onUpdate?(id, outcome.result, outcome.error)
  }

  func say(_ words: SafeText) {
    notices.say(words)
  }

  func cardDidFinish() {
    pauseMayHaveEnded()
    page.forgetFinished()
    guard quitting.isUnderWay, page.areAllFinished else { return }
    store.retry()
    store.drain()
    // A command that ends by itself leaves this to the kernel and to the next program.
    if configuration.schedulesUpdates { store.beginSync() }
    quitting.end()
  }

  func cardMayHaveSettled() {
    guard onSettle != nil || firstContents.isClosed else { return }
    settleSignal.raise()
  }

  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    let catalog = page.catalog
    let app = catalog.widget(withIdentifier: id.bundleIdentifier)?.containingApp?.bundleIdentifier
    let sender = HostServiceSender(
      bundleIdentifier: id.bundleIdentifier,
      hasContent: contentFlags.hasContent(id.bundleIdentifier)
    ) { other in
      app != nil && catalog.widget(withIdentifier: other)?.containingApp?.bundleIdentifier == app
    }
    return sender.refusal(of: request)
  }

  func setHasContent(_ request: SetHasContentRequest) {
    do throws(HostError) {
      try contentFlags.set(request.flag, for: request.bundleIdentifier)
    } catch {
      notices.note(
        SafeText("The content flag of \(request.bundleIdentifier) cannot be stored: \(error)")
      )
    }
    page.followContentFlags()
  }

  func open(_ url: String, for app: AppBundle?, completion: @escaping (URLRefusal?) -> Void) {
    if let refusal = openURLPolicy.take(at: clock.now, pause: configuration.limits.openURLPause) {
      return completion(refusal)
    }
    router.open(url, from: app, completion: completion)
  }
}

// MARK: - Cards of widgets

extension WidgetCenter: PageCardsOwner {
  var isQuitting: Bool { quitting.isUnderWay }

  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    let session = sessions.session(for: bundle, id)
    session.makeInitialize = { [unowned self] in initializeRequest(id, $0) }
    return session
  }

  /// Returns the first message to a widget.
  func initializeRequest(_ id: CardID, _ reason: LaunchReason) -> InitializeRequest {
    let controller = page[id]
    return sessions.initializeRequest(
      controller?.card ?? Card(id: id, name: ""),
      maximumSize: controller?.size.maximum ?? .zero,
      reason,
      appearance: configuration.appearance
    )
  }

  func didScan(_ catalog: BundleCatalog) {
    router.registry = SchemeRegistry(apps: catalog.apps)
    notices.begin(
      with: configuration.problems + catalog.problems.map { SafeText($0.description) }
        + router.registry.conflicts.map { SafeText($0.description) }
    )
  }

  func recordWasWritten(_ error: HostError?) {
    notices.set(.record, error.map { SafeText("The page cannot be written: \($0)") })
  }
}

// MARK: - Changes by other programs

extension WidgetCenter: HostFollowerOwner {
  var followedCards: [(id: CardID, hasWidget: Bool)] {
    page.controllers.map { ($0.card.id, $0.widget.session != nil) }
  }

  func recordMayHaveChanged(_ names: Set<String>) {
    if names.isEmpty || names.contains(where: page.isRecord) { page.followRecord() }
  }

  func contentFlagsMayHaveChanged() {
    page.followContentFlags()
  }

  func isAskedToUpdate(_ id: CardID) {
    page[id]?.updates.refresh(.event)
  }

  func didUpdateElsewhere(_ id: CardID, _ history: RefreshHistory) {
    page[id]?.updates.takeOver(history)
  }

  /// After a sleep each widget catches up once, spread over time.
  func didJump(hasSlept: Bool) {
    guard !isQuitting else { return }
    for (place, controller) in page.controllers.enumerated() {
      controller.catchUp(hasSlept: hasSlept, place: place)
    }
    cardDidChange()
  }

  func followingHasTrouble(_ error: HostError?) {
    notices.set(
      .following,
      error.map { SafeText("Changes by other programs are not followed yet: \($0)") }
    )
  }
}
