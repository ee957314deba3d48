import FoundationEssentials
public import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetScripts
public import WidgetSessions

/// The engine: the cards of a page, and the widgets behind them.
///
/// At first the page consists of the cards of the last page with their snapshots; ``start()`` then
/// searches for bundles and starts the widgets, visible ones first. Everything runs on the main actor.
///
/// The file is long because everything that the interface and the commands ask of the engine is here; each
/// member hands over to a part.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``PageCards`` | the cards, which are added and removed |
/// | ``PageDrawing`` | what a picture needs, and first contents that appear together |
/// | ``PageUpdates`` | updates that the user requests, and those that are due |
/// | ``PageInput`` | rows that the user changes, and typing |
/// | ``PageURLs`` | opening URLs |
/// | ``PageCommands`` | commands that scripts run |
/// | ``PageServices`` | what widgets request: URLs, ``ContentRequests``, ``PageTransfers`` |
/// | ``PageResources`` | what all cards share: the clock, stored views, when updates are due |
/// | ``PageLife`` | the end of all widgets, and their suspension |
/// | ``ImageLibrary`` | the pictures in the views |
/// | ``HostFollower`` | changes by other programs, and jumps of the clock |
/// | ``PageSettings`` | the settings of the widgets |
/// | ``PagePermissions`` | what the widgets may do, and the questions in their cards |
/// | ``SessionFactory`` | sessions, and the first message to a widget |
/// | ``PageNotices`` | problems, and results of the user's actions |
/// | ``ChangedBundles`` | bundles that change while their cards are on the page |
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

  private let resources: PageResources
  var clock: any HostClock { resources.clock }
  var folders: StateFolders { resources.folders }
  var store: SnapshotStore { resources.store }
  var contentFlags: ContentFlags { resources.contentFlags }
  var histories: RefreshHistories { resources.histories }
  private var refreshPolicy: CurrentRefreshPolicy { resources.refreshPolicy }
  private(set) var configuration: CenterConfiguration
  private var sessions: SessionFactory
  /// The locale that widgets are told when they start, such as `en_GB`.
  package var locale: String {
    get { sessions.localeIdentifier }
    set { sessions.localeIdentifier = newValue }
  }
  /// In which sandbox widgets are started, and what they may do.
  var confinement: WidgetConfinement { sessions.confinement }
  /// The colours that the widgets were told of last.
  private var lastSentAppearance: Appearance

  private(set) lazy var page = PageCards(
    owner: self,
    configuration,
    roster: PageRoster(configuration, folders),
    services: resources.cardServices(
      configuration,
      localeIdentifier: sessions.localeIdentifier,
      confinement: confinement
    ),
    flags: contentFlags
  )
  private(set) lazy var follower = HostFollower(
    owner: self,
    clock: clock,
    folders: folders,
    histories: histories,
    followsSchedule: configuration.schedulesUpdates
  )
  /// The settings of the widgets.
  package private(set) lazy var settings = PageSettings(
    owner: self,
    configuration,
    folders: folders,
    clock: clock
  )
  /// The pictures of the page; none is drawn before ``ImageLibrary/setLook(_:)``.
  public var images: ImageLibrary { resources.images }
  private(set) lazy var notices = makeNotices()
  /// What each picture of the page needs.
  public private(set) lazy var drawing = PageDrawing(page: page, clock: clock) { [weak self] in
    self?.cardDidChange()
  }
  /// The updates of the widgets.
  public private(set) lazy var updates = PageUpdates(
    page: page,
    policy: refreshPolicy,
    follower: follower,
    changedBundles: ChangedBundles(
      page: page,
      notices: notices,
      byteLimit: configuration.limits.bundles.propertyListBytes
    ),
    remoteFolders: remoteFolders
  )
  private lazy var remoteFolders: RemoteFolders = .init(
    configuration.searchPaths.sources,
    environment: configuration.environment,
    clock: clock,
    onChange: { [weak self] in self?.updates.followBundles(in: $0) },
    onTrouble: { [weak self] in self?.notices.set(.machines, $0) }
  )
  /// What the user changes on the open page.
  public private(set) lazy var edits = PageEdits(page: page, notices: notices)
  /// A widget that is shown without being on a page.
  public private(set) lazy var preview = PagePreview(page: page, clock: clock)
  private lazy var bundleFollower = BundleFollower(
    configuration.searchPaths,
    limits: configuration.limits.bundles,
    clock: clock
  ) { [weak self] in self?.page.take($0) }
  private lazy var zoneFollower = ZoneFollower(configuration.environment, clock: clock) {
    [weak self] in self?.zoneDidChange()
  }
  /// The URLs that the user or a widget opens.
  public private(set) lazy var urls = PageURLs(
    configuration,
    page: page,
    folders: folders,
    clock: clock,
    sandbox: confinement.sandbox,
    controls: { [weak self] in self?.controls },
    chosenFiles: { [weak self] in self?.settings.chosenFiles(of: $0) ?? [] }
  )
  private var controls: PageControls {
    PageControls(
      page: page,
      updates: updates,
      alerts: alerts,
      notices: notices,
      folders: folders,
      isOpen: configuration.schedulesUpdates
    )
  }
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
    page: page,
    notices: notices,
    confinement: confinement,
    clock: clock,
    environment: configuration.environment,
    standIns: configuration.standIns
  )
  /// What the widgets may do, and the questions in their cards.
  public private(set) lazy var permissions = PagePermissions(
    page: page,
    confinement: confinement,
    notices: notices,
    clock: clock
  )
  /// What the user types, and does with rows.
  public private(set) lazy var input = PageInput(page: page) { [weak self] in
    guard let self, configuration.isLocked else { return false }
    say(lockedWords)
    return true
  }
  private lazy var pageServices = PageServices(
    page: page,
    urls: urls,
    commands: commands,
    alerts: alerts,
    confinement: confinement,
    contentRequests: ContentRequests(
      page: page,
      flags: contentFlags,
      notices: notices,
      clock: clock
    ),
    transfers: PageTransfers(
      configuration,
      folders: folders,
      clock: clock,
      confinement: confinement,
      secrets: resources.secrets
    ) { [weak self] in self?.page[$0]?.session },
    bundleFollower: bundleFollower
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
    RemoteHosts.shared.close()
    resources.finish(syncs: configuration.schedulesUpdates)
  }
  // The call is made in the next turn, so that related changes are drawn together.
  private lazy var changeSignal = TurnSignal(clock: clock) { [weak self] in self?.onChange?() }
  // The call is made in the next turn, when all effects of an event have been performed.
  private lazy var settleSignal = TurnSignal(clock: clock) { [weak self] in
    self?.drawing.firstContentMayBeThere()
    self?.onSettle?()
  }
  private func makeNotices() -> PageNotices {
    let notices = PageNotices(clock: clock) { [weak self] in self?.cardDidChange() }
    notices.isLocked = configuration.isLocked
    return notices
  }

  /// Creates the engine without starting any widget.
  public init(_ configuration: CenterConfiguration) throws(HostError) {
    self.configuration = configuration
    lastSentAppearance = configuration.appearance
    resources = PageResources(configuration)
    sessions = try SessionFactory(
      configuration,
      clock: resources.clock,
      folders: resources.folders,
      secrets: resources.secrets
    )
    sessions.confinement.chosenFiles = { [weak self] in self?.settings.chosenFiles(of: $0) ?? [] }
    refreshPolicy.power?.onChange = { [weak self] in self?.updates.plan() }
    store.onSuperseded = { [weak self] key in
      self?.page[key.identity]?.send(.madeElsewhere(nil))
    }
    // Until they can be written again, views are kept only in memory; this is reported once for all
    // cards.
    store.onWriteTrouble = { [weak self] failure in
      let words = failure.map { SafeText("Snapshots cannot be written: \($0)") }
      self?.notices.set(.snapshots, words)
    }
    images.onChange = { [weak self] drawing in
      for controller in self?.page.controllers ?? [] { controller.libraryDidChange(drawing) }
      self?.page.preview?.libraryDidChange(drawing)
    }
    store.onOddFile = { [weak self] in self?.notices.note(SafeText($0)) }
  }

  // MARK: - The page

  /// The cards of the page that is shown, in order, except those without content.
  public var cards: [Card] { shownControllers.filter { !$0.isHidden }.map(\.shownCard) }

  /// How many cards of the page that is shown have no content.
  public var hiddenCount: Int { shownControllers.count(where: \.isHidden) }

  private var shownControllers: [CardRuntime] { page.controllers.filter(page.isShown) }

  /// The cards of all pages in order, including those without content.
  public var allCards: [Card] { page.controllers.map(\.shownCard) }

  /// Current problems, for example invalid bundles and folders that cannot be used.
  ///
  /// A locked page shows none, as they name files and settings of the user.
  public var problems: [SafeText] { configuration.isLocked ? [] : notices.problems }

  /// The result of a user's action, shown for some seconds.
  public var notice: SafeText? { notices.notice }

  /// Whether the bundles have been read.
  public var hasScanned: Bool { page.hasScanned }

  /// Installed widgets that were never on the page.
  public var newWidgets: [AnnouncedWidget] { page.newWidgets }

  /// The names of the pages, in order.
  public var pageNames: [PageName] { page.names }

  /// The name of the page that is shown.
  public var shownPage: PageName { page.shown }

  /// Shows another page: the views of the cards on the others disappear, and their widgets are suspended
  /// and updated like those of cards that are not on the screen.
  ///
  /// - Parameter name: The name of the page.
  /// - Returns: Whether there is such a page.
  @discardableResult
  public func show(page name: PageName) -> Bool { page.show(name) }

  /// The widgets that were found.
  public var catalog: BundleCatalog { page.catalog }

  /// Whether no change of the card is pending: its widget runs and is updated, or has failed.
  public func isSettled(_ id: CardID) -> Bool {
    page[id].map { $0.isSettled && !$0.hasPendingImages } ?? true
  }

  /// Whether a picture of the card will be drawn, or refused, in a moment.
  public func hasPendingImages(_ id: CardID) -> Bool { page[id]?.hasPendingImages ?? false }

  /// Whether a card's process has shown a view of its own, as opposed to a snapshot of an earlier one.
  public func hasOwnView(_ id: CardID) -> Bool { page[id]?.state.widget.hasOwnView ?? false }

  /// Sets which cards have a row on the screen.
  public func setVisible(_ ids: Set<CardID>) {
    page.setVisible(ids)
  }

  /// Sets the width inside the borders of every card, and lays out the cards whose width changes;
  /// returns whether there is one.
  ///
  /// Snapshots of cards below `screen` are loaded in later turns, so that the first picture of a page of
  /// a thousand cards does not wait for them.
  @discardableResult
  public func setPage(_ widths: CardWidths, filling screen: FirstScreen? = nil) -> Bool {
    page.sizing.set(widths, filling: screen)
  }

  /// Whether the cards have the widths that were set last, and no others are shown since.
  public var hasSetWidths: Bool { page.sizing.hasSetWidths }

  /// Notes the size of the screen in the trace.
  public func noteScreenSize(_ size: Size) {
    sessions.trace?.write(.size(size))
  }

  /// Notes in the trace that a picture of the page is made, which a replay shows.
  public func notePicture() {
    sessions.trace?.write(.picture)
  }

  /// Sets one width for all cards.
  @discardableResult
  package func setPage(innerWidth: Int) -> Bool {
    setPage(CardWidths(innerWidth))
  }

  /// Sets the capabilities of the screen.
  public func setAppearance(_ appearance: Appearance, glyphs: GlyphSet) {
    if appearance != lastSentAppearance {
      lastSentAppearance = appearance
      for controller in page.controllers { controller.tell(.appearance(appearance)) }
    }
    configuration.appearance = appearance
    configuration.glyphs = glyphs
    for controller in page.controllers { controller.send(.environmentChanged) }
    cardDidChange()
  }

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
      refreshPolicy.base = new.schedule
      updates.plan()
    }
    sessions.apply(new)
    page.apply(new)
    if let options = new.scripts?.options, options != old.scripts?.options {
      updates.apply(options)
    }
    settings.apply(new.widgetSettings)
    if new.pages != old.pages, page.hasScanned { settings.check() }
    if new.scripts != old.scripts {
      let paths = new.searchPaths
      page.setPaths(paths)
      remoteFolders.follow(paths.sources)
      if page.hasScanned, new.schedulesUpdates { bundleFollower.search(paths) }
    }
    // What is found before the bundles are looked for is noted with them.
    if page.hasScanned {
      for problem in old.problems { notices.forget(problem) }
      for problem in new.problems { notices.note(problem) }
    }
    setAppearance(new.appearance, glyphs: new.glyphs)
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
    guard isLocked != configuration.isLocked else { return }
    input.endEditing()
    // It may be about what is concealed now, or that the page is locked.
    notices.clear()
    preview.end()
    configuration.isLocked = isLocked
    notices.isLocked = isLocked
    urls.isLocked = isLocked
    permissions.setAsking(configuration.asksForPermissions)
    for controller in page.controllers { controller.send(.environmentChanged) }
    cardDidChange()
  }

  /// Sets whether the page is shown, and has the focus of the terminal, which the widgets are told.
  ///
  /// When it is hidden, every view disappears at once; when it is shown again, those on the screen appear.
  public func setHost(_ state: HostState) {
    page.setHost(state)
  }

  /// Whether the page is shown, and has the focus of the terminal.
  public var host: HostState { page.host }

  /// Shows the result of a user's action below the page, for some seconds.
  public func say(_ words: SafeText) {
    notices.sayAlways(words)
  }

  /// What is said of what a locked page does not do.
  public var lockedWords: SafeText = "The page is locked."

  /// How often something was said below the page.
  public var noticeCount: Int { notices.count }

  package func unsay(_ words: SafeText) {
    notices.end(words)
  }

  /// Ends what was said below the page.
  public func clearNotice() {
    notices.clear()
  }

  // MARK: - Life

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  public func load() {
    guard !page.hasScanned else { return }
    page.load()
    settings.check()
  }

  /// Lists the folders of scripts on other machines once, before ``load()``, for a program that does not
  /// stay; ``onSettle`` is called when ``isListingFolders`` ends.
  public func listFolders() {
    remoteFolders.listOnce { [weak self] in self?.cardMayHaveSettled() }
  }

  /// Whether folders on other machines are being listed.
  public var isListingFolders: Bool { remoteFolders.isListing }

  /// Starts to observe changes by other programs.
  public func followChanges() {
    follower.start()
  }

  /// Searches for widgets and starts those whose cards are visible.
  public func start() {
    Worker.startAll()
    // This comes first so that no change by another host is missed meanwhile.
    follower.start()
    load()
    follower.startSchedule()
    Worker.background.async { [folders] in ConnectionSocket.removeStale(in: folders) }
    if configuration.schedulesUpdates {
      remoteFolders.start()
      bundleFollower.start(page.catalog)
      zoneFollower.start()
      pageServices.continueTransfers()
    }
    if configuration.gathersFirstContent { drawing.gatherFirstContent() }
    if let visible = page.visible { page.setVisible(visible) }
  }

  /// Starts only these widgets.
  public func start(only ids: Set<CardID>) {
    page.setFirstVisible(ids)
    start()
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

  // MARK: - The user's actions

  /// Presses an element of a card.
  public func press(_ target: PressTarget, on id: CardID) {
    guard !configuration.isLocked else { return say(lockedWords) }
    guard !permissions.take(target, on: id) else { return }
    sessions.trace?.write(.input(target.action ?? target.link ?? target.label.string), widget: id)
    page[id]?.send(.press(target))
  }

  /// Restarts a stopped widget.
  public func retry(_ id: CardID) {
    page[id]?.tell(.retry)
  }

  /// Switches between the compact and the expanded form.
  public func toggleDisplayMode(_ id: CardID) {
    if page[id]?.isConcealed == true { return say(lockedWords) }
    page[id]?.send(.toggleForm)
  }
}

// MARK: - Calls from cards

extension WidgetCenter: CardPage {
  package var environment: LayoutEnvironment {
    var environment = LayoutEnvironment(
      now: clock.date,
      glyphs: configuration.glyphs,
      redactsPrivate: configuration.isLocked
    )
    environment.takesTurns = configuration.animates
    return environment
  }

  package var animates: Bool { configuration.animates }

  package var isGatheringFirstContent: Bool { drawing.isGatheringFirstContent }

  package func cardDidChange() {
    changeCount += 1
    changeSignal.raise()
  }

  package func cardDidBeginToMove() {
    page.cardDidBeginToMove()
  }

  package func cardFormWasChosen() {
    page.formWasChosen()
  }

  package func cardDidUpdate(_ id: CardID, _ outcome: CompletedUpdate) {
    onUpdate?(id, outcome.result, outcome.error)
  }

  package func cardDidFinish() {
    life.cardDidFinish()
  }

  package func cardMayHaveSettled() {
    guard onSettle != nil || drawing.isGatheringFirstContent else { return }
    settleSignal.raise()
  }

  package var services: any CardPageServices { pageServices }

  package func host(of id: CardID) -> RemoteDestination? { page.host(of: id) }
}

// MARK: - Cards of widgets

extension WidgetCenter: PageCardsOwner {
  var isQuitting: Bool { life.isQuitting }

  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    let session = sessions.session(for: bundle, id)
    permissions.sessionDidBegin(id)
    session.beforeInitialize = { [unowned self, unowned session] next in
      if let obstacle = permissions.obstacle(session.bundle, id) { return next(obstacle) }
      settings.prepare(session.bundle, id, completion: next)
    }
    session.makeInitialize = { [unowned self, unowned session] reason in
      sessions.initializeRequest(
        page[id]?.card ?? Card(id: id, name: ""),
        of: session.bundle,
        maximumSize: page[id]?.state.display.maximum ?? .zero,
        reason,
        configuration: settings.configuration(of: id),
        appearance: configuration.appearance
      )
    }
    return session
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

  func didScanAgain(_ catalog: BundleCatalog, after problems: [BundleError]) {
    let (old, new) = (Set(problems), Set(catalog.problems))
    for problem in problems where !new.contains(problem) {
      notices.forget(SafeText(problem.description))
    }
    for problem in catalog.problems where !old.contains(problem) {
      notices.note(SafeText(problem.description))
    }
    settings.check()
  }

  func recordWasWritten(_ error: HostError?) {
    notices.set(.record, error.map { SafeText("The page cannot be written: \($0)") })
  }
}
