import FoundationEssentials
import PageRecords
public import WidgetCards
package import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts
import WidgetSessions

/// The engine: the cards of a page, and the widgets behind them.
///
/// At first the page consists of the cards of the last page with their snapshots; ``start()`` then
/// searches for bundles and starts the widgets, visible ones first. Everything runs on the main actor.
///
/// It makes the parts of the page, joins them, and begins and ends their work. Callers use the parts directly.
public final class WidgetCenter {
  /// Called when an update has ended.
  public var onUpdate: ((CardID, UpdateResult, String?) -> Void)?
  /// Tells who shows the page of changes.
  public private(set) lazy var signals = PageSignals(clock: clock) { [weak self] in
    self?.drawing.firstContentMayBeThere()
  }
  let resources: PageResources
  var clock: any HostClock { resources.clock }
  var folders: StateFolders { resources.folders }
  package var store: SnapshotStore { resources.store }
  var contentFlags: ContentFlags { resources.contentFlags }
  private(set) var configuration: CenterConfiguration
  /// What starts the widgets.
  package let sessions: SessionFactory
  /// In which sandbox widgets are started, and what they may do.
  var confinement: WidgetConfinement { sessions.confinement }
  /// Whether the page is locked.
  public let lock: PageLock
  /// How the page looks to its cards.
  public private(set) lazy var look = SharedLook(
    configuration,
    lock: lock,
    clock: clock,
    cards: { [unowned self] in page.controllers },
    onChange: { [unowned self] in cardDidChange() }
  )

  /// The cards of all pages.
  public private(set) lazy var page = PageCards(
    owner: self,
    configuration,
    roster: PageRoster(configuration, folders),
    services: resources.cardServices(
      configuration,
      localeIdentifier: sessions.localeIdentifier,
      confinement: confinement
    ),
    flags: contentFlags,
    notices: notices
  )
  /// What of the pages is on the screen.
  public var screen: PageScreen { page.screen }
  private(set) lazy var follower: HostFollower = HostFollower(
    page: page,
    settings: settings,
    permissions: permissions,
    notices: notices,
    clock: clock,
    folders: folders,
    histories: resources.histories,
    noticeDesk: noticeDesk,
    delivery: delivery,
    followsSchedule: configuration.schedulesUpdates,
    role: configuration.role
  ) { [weak self] in self?.cardDidChange() }
  /// The settings of the widgets.
  package private(set) lazy var settings = PageSettings(
    configuration,
    page: page,
    confinement: confinement,
    notices: notices,
    folders: folders,
    clock: clock
  )
  /// The pictures of the page; none is drawn before ``ImageLibrary/setLook(_:)``.
  public var images: ImageLibrary { resources.images }
  /// Problems, and results of the user's actions.
  public private(set) lazy var notices = PageNotices(lock, clock: clock) { [weak self] in
    self?.cardDidChange()
  }
  /// What each picture of the page needs.
  public private(set) lazy var drawing = PageDrawing(page: page, clock: clock) { [weak self] in
    self?.cardDidChange()
  }
  /// The updates of the widgets.
  public private(set) lazy var updates = PageUpdates(
    page: page,
    policy: resources.refreshPolicy,
    follower: follower,
    sources: sources
  )
  /// Where the widgets come from.
  public private(set) lazy var sources = PageSources(
    configuration,
    page: page,
    notices: notices,
    clock: clock
  )
  /// What the user changes on the open page.
  public private(set) lazy var edits = PageEdits(page: page, notices: notices)
  /// A widget that is shown without being on a page.
  public private(set) lazy var preview = PagePreview(page: page, clock: clock)
  private lazy var zoneFollower = ZoneFollower(configuration.environment, clock: clock) {
    [weak self] in
    if let self, !isQuitting { look.zoneDidChange() }
  }
  /// The URLs that the user or a widget opens.
  public private(set) lazy var urls = PageURLs(
    configuration,
    page: page,
    lock: lock,
    folders: folders,
    clock: clock,
    sandbox: confinement.sandbox,
    controls: { [weak self] in self.map { PageControls($0) } },
    chosenFiles: { [weak self] in self?.settings.chosenFiles(of: $0) ?? [] }
  )
  /// The commands that scripts run.
  public private(set) lazy var commands = PageCommands(
    page: page,
    urls: urls,
    notices: notices,
    folders: folders,
    environment: configuration.environment,
    confinement: confinement,
    clock: clock
  )
  /// What widgets and scripts tell the user.
  public private(set) lazy var alerts = PageAlerts(
    configuration,
    page: page,
    notices: notices,
    confinement: confinement,
    clock: clock,
    delivery: delivery
  )
  /// Tells the user of notices while no page has the focus.
  public private(set) lazy var delivery: PageDelivery = PageDelivery(
    configuration,
    folders: folders,
    lock: lock,
    clock: clock
  ) { [weak self] in self?.follower.isFollowingNotices ?? false }
  /// The notices of the user.
  public private(set) lazy var noticeDesk = NoticeDesk(
    configuration,
    page: page,
    urls: urls,
    lock: lock,
    notices: notices,
    confinement: confinement,
    folders: folders,
    clock: clock
  ) { [weak self] in self?.cardDidChange() }
  /// What the widgets may do, and the questions in their cards.
  public private(set) lazy var permissions = PagePermissions(
    page: page,
    confinement: confinement,
    notices: notices,
    clock: clock
  )
  /// What the user presses, types, and does with rows.
  public private(set) lazy var input = PageInput(
    page: page,
    notices: notices,
    permissions: permissions,
    trace: sessions.trace
  )
  private lazy var pageServices = PageServices(
    configuration,
    resources,
    page: page,
    urls: urls,
    commands: commands,
    alerts: alerts,
    noticeDesk: noticeDesk,
    notices: notices,
    confinement: confinement,
    settings: settings,
    bundleFollower: sources.bundles
  )
  private lazy var pageSessions = PageSessions(
    sessions,
    page: page,
    permissions: permissions,
    settings: settings,
    look: look
  )
  private lazy var life = PageLife(
    page: page,
    clock: clock,
    server: LeavingServer(
      executable: configuration.executablePath,
      environment: configuration.environment
    )
  ) { [weak self] in
    guard let self else { return }
    resources.finish(syncs: configuration.schedulesUpdates)
  }

  /// Creates the engine without starting any widget.
  public init(_ configuration: CenterConfiguration) throws(HostError) {
    self.configuration = configuration
    lock = PageLock(configuration.isLocked)
    resources = PageResources(configuration)
    resources.store.keepsPast = !configuration.isLocked
    sessions = try SessionFactory(
      configuration,
      clock: resources.clock,
      folders: resources.folders,
      secrets: resources.secrets
    )
    sessions.added = { [weak self] in self?.page.roster.entry($0)?.host }
    sessions.confinement.chosenFiles = { [weak self] in self?.settings.chosenFiles(of: $0) ?? [] }
    resources.report(
      to: { [weak self] in self?.page },
      notices: { [weak self] in self?.notices },
      replan: { [weak self] in self?.updates.plan() }
    )
  }

  // MARK: - What holds for all cards

  /// Takes over what the user has set anew while the page is open: how it looks, when updates are
  /// due, how URLs are opened, what is said about scripts and where they are, and what is wrong with
  /// the settings.
  ///
  /// Other limits and deadlines, and everything that is not set by the user, hold from the next start.
  public func apply(_ new: CenterConfiguration) {
    let old = configuration
    configuration = new
    urls.apply(new)
    if new.schedule != old.schedule {
      resources.refreshPolicy.base = new.schedule
      updates.plan()
    }
    sessions.apply(new)
    page.apply(new)
    sources.apply(new, insteadOf: old)
    settings.apply(new.widgetSettings)
    noticeDesk.apply(new.notices)
    delivery.apply(new)
    if new.pages != old.pages, page.hasScanned { settings.check() }
    // What is found before the bundles are looked for is noted with them.
    if page.hasScanned {
      for problem in old.problems { notices.forget(problem) }
      for problem in new.problems { notices.note(problem) }
    }
    look.apply(new)
  }

  /// Returns the state of one widget, or nil if there is no such card.
  ///
  /// It reads two small files, the second from its end.
  public func inspection(of id: CardID) -> Inspection? {
    page[id].map { Inspection($0, folders, settings, confinement) }
  }

  /// Locks or unlocks the page: while it is locked, no press reaches a widget, no URL is opened for
  /// one, cards show their names alone unless the user allows more, of which private content is covered, and
  /// no view with private content is stored.
  public func setLocked(_ isLocked: Bool) {
    guard isLocked != lock.isLocked else { return }
    input.endEditing()
    // It may be about what is concealed now, or that the page is locked.
    notices.clear()
    preview.end()
    drawing.past.end()
    lock.isLocked = isLocked
    store.keepsPast = !isLocked
    if isLocked { urls.answer(.notNow) }
    permissions.setAsking(configuration.asksForPermissions(isLocked: isLocked))
    look.layOutAgain()
  }

  // MARK: - Life

  /// What this program does for the page.
  package var role: PageRole { configuration.role }

  /// Shows what another program has stored of the page; no widget is started, and nothing is watched.
  package func follow() { follower.readAgain() }

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  public func load() {
    guard !page.hasScanned else { return }
    page.load()
    settings.check()
  }

  /// Searches for widgets and starts those whose cards are visible.
  ///
  /// - Parameter ids: The cards that are visible from then on; nil for those that are.
  public func start(only ids: Set<CardID>? = nil) {
    Worker.startAll()
    // This comes first so that no change by another host is missed meanwhile.
    follower.start()
    load()
    follower.startSchedule()
    Worker.background.async { [folders] in ConnectionSocket.removeStale(in: folders) }
    if configuration.schedulesUpdates {
      sources.start()
      zoneFollower.start()
      noticeDesk.start()
      pageServices.continueTransfers()
    }
    if configuration.gathersFirstContent { drawing.gatherFirstContent() }
    if let ids { screen.setVisible(ids) } else { screen.tellVisible() }
  }

  /// Ends all widgets in parallel, within 2 s; `completion` is called when none is left.
  public func shutdown(completion: @escaping () -> Void) {
    // A widget whose question is open gets its answer before it is ended.
    urls.answer(.notNow)
    commands.answer(.notNow)
    commands.endAll()
    life.shutdown(completion: completion)
  }

  /// Makes every view disappear and suspends every widget, all in parallel, within 2 s: on Ctrl-Z, and
  /// while a program uses the screen.
  ///
  /// - Parameter completion: Called once, when no widget runs any more. Suspend the program there, and
  ///   call ``resume()`` when it continues.
  public func suspend(completion: @escaping () -> Void) {
    images.rest()
    life.suspend(completion: completion)
  }

  /// Resumes after ``suspend(completion:)``: the views on the screen appear again.
  public func resume() {
    life.resume()
  }
}

// MARK: - Calls from cards

extension WidgetCenter: CardPage {
  package var environment: LayoutEnvironment { look.environment }

  package var animates: Bool { look.animates }

  package var isGatheringFirstContent: Bool { drawing.isGatheringFirstContent }

  package func cardDidChange() { signals.didChange() }

  package func cardDidBeginToMove() { page.motion.cardDidBegin() }

  package func cardFormWasChosen() { page.record.formWasChosen() }

  package func say(_ words: SafeText) { notices.say(words) }

  package func unsay(_ words: SafeText) { notices.end(words) }

  package func cardDidUpdate(_ id: CardID, _ outcome: CompletedUpdate) {
    onUpdate?(id, outcome.result, outcome.error)
  }

  package func cardDidFinish() { life.cardDidFinish() }

  package func cardMayHaveSettled() {
    guard signals.onSettle != nil || drawing.isGatheringFirstContent else { return }
    signals.mayHaveSettled()
  }

  package var services: any CardPageServices { pageServices }

  package func host(of id: CardID) -> RemoteDestination? { page.host(of: id) }
}

// MARK: - Cards of widgets

extension WidgetCenter: PageCardsOwner {
  var isQuitting: Bool { life.isQuitting }

  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    pageSessions.session(for: bundle, id)
  }

  func didScan(_ catalog: BundleCatalog) {
    // An app that runs can take the events that it has not taken before.
    urls.router.onAppStart = { [weak self] in
      self?.pageServices.continueTransfers(of: $0.bundleIdentifier, afterPress: true)
    }
    notices.begin(
      with: configuration.problems + catalog.problems.map { SafeText($0.description) }
        + urls.setApps(catalog.apps)
    )
  }

  func bundlesDidChange() {
    settings.check()
  }
}
