import FoundationEssentials
public import WidgetKitCore

/// The engine: the cards of a page, and the widgets behind them.
///
/// First come the cards of the last page with their snapshots; ``start()`` then looks for bundles
/// and starts widgets, the visible ones first. Everything happens on the main actor.
///
/// | part | job |
/// | --- | --- |
/// | ``PageCards`` | who has a card, who comes and who leaves |
/// | ``HostFollower`` | what other programs change, and jumps of the clock |
/// | ``SessionFactory`` | sessions, and the first message to a widget |
/// | ``PageNotices`` | what is wrong, and what became of what a person did |
/// | ``FirstContentGate`` | first contents that appear together |
/// | ``PageWait`` | the time that all widgets get to stand still, or to end |
public final class WidgetCenter {
  /// Called when something that is drawn has changed; at most once a turn of the event loop.
  public var onChange: (() -> Void)?
  /// Called when an update has ended.
  public var onUpdate: ((CardID, UpdateResult, String?) -> Void)?
  /// Called whenever a card may have settled.
  public var onSettle: (() -> Void)?
  /// How often something that is drawn has changed, so that who draws knows what it has seen.
  public private(set) var changeCount = 0

  let clock: any HostClock
  let folders: StateFolders
  let store: SnapshotStore
  let contentFlags: ContentFlags
  let histories: RefreshHistories
  let router: URLRouter
  private(set) var configuration: CenterConfiguration
  private let sessions: SessionFactory
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
  // A turn later, so that what belongs together is drawn together.
  private lazy var changeSignal = TurnSignal(clock: clock) { [weak self] in self?.onChange?() }
  // A turn later, when all effects of an event are carried out.
  private lazy var settleSignal = TurnSignal(clock: clock) { [weak self] in
    self?.firstContentMayBeThere()
    self?.onSettle?()
  }
  private(set) lazy var quitting = PageWait(clock: clock)
  private(set) lazy var pausing = PageWait(clock: clock)

  /// The time that all widgets together get to end by themselves.
  private static let quitLimit: Duration = .milliseconds(1_800)
  /// The most time that all widgets together get before the host is suspended.
  private static let pauseLimit: Duration = .seconds(2)

  /// Creates the engine; nothing is started yet.
  public init(_ configuration: CenterConfiguration) throws(HostError) {
    Worker.startAll()
    self.configuration = configuration
    let (limits, environment) = (configuration.limits, configuration.environment)
    clock = configuration.clock ?? SystemClock()
    folders = StateFolders(environment: environment)
    store = SnapshotStore(folder: folders.snapshots, limits: limits, clock: clock)
    router = URLRouter(environment: environment)
    router.byteLimit = limits.urlBytes
    router.hopLimit = limits.urlHops
    StateFolders.make(folders.logs)
    sessions = try SessionFactory(configuration, clock: clock, folders: folders)
    contentFlags = ContentFlags(folders)
    histories = RefreshHistories(folders)
    store.hasContent = { [contentFlags] in contentFlags.hasContent($0) }
    store.onSuperseded = { [weak self] key in
      self?.page[CardID(key.bundleIdentifier, instance: key.instance)]?.takeOverSnapshot()
    }
    // Views are kept in memory alone until they are on the disk again: said in one place.
    store.onWriteTrouble = { [weak self] failure in
      let words = failure.map { SafeText("Snapshots cannot be written: \($0)") }
      self?.notices.set(.snapshots, words)
    }
    store.onOddFile = { [weak self] in self?.notices.note(SafeText($0)) }
  }

  /// Where bundles are looked for.
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

  /// What all cards of the page use.
  private var cardServices: CardServices {
    CardServices(
      clock: clock,
      limits: configuration.limits,
      schedule: configuration.schedule,
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

  /// The cards in page order; those without content to show are left out.
  public var cards: [Card] { page.controllers.map(\.card).filter { $0.state != .hidden } }

  /// All cards in page order, also those without content to show.
  public var allCards: [Card] { page.controllers.map(\.card) }

  /// What is wrong with the installation: bad bundles, folders that cannot be used.
  public var problems: [SafeText] { notices.problems }

  /// What became of something that a person did, for some seconds.
  public var notice: SafeText? { notices.notice }

  /// Whether the bundles have been read.
  public var hasScanned: Bool { page.hasScanned }

  /// Widgets that are there and were never on the page.
  public var newWidgets: [AnnouncedWidget] { page.newWidgets }

  /// What a name on a command line stands for, among all widgets that were found.
  public func match(_ name: String) -> BundleCatalog.NameMatch { page.catalog.match(name) }

  /// Whether nothing is on its way that would change the card: it is up and updated, or failed.
  public func isSettled(_ id: CardID) -> Bool { page[id]?.isSettled ?? true }

  /// Whether a card's process has shown a view of its own, so that it is no picture of another one.
  public func hasOwnView(_ id: CardID) -> Bool { page[id]?.hasOwnView ?? false }

  /// Whether a widget runs that takes no part in updates.
  public func hasNothingToUpdate(_ id: CardID) -> Bool { page[id]?.takesUpdates == false }

  /// Says which cards have a row on the screen.
  public func setVisible(_ ids: Set<CardID>) {
    page.setVisible(ids)
  }

  /// Says what the screen can show.
  public func setAppearance(_ appearance: Appearance, glyphs: GlyphSet) {
    configuration.appearance = appearance
    configuration.glyphs = glyphs
    for controller in page.controllers { controller.relayOut() }
    cardDidChange()
  }

  // MARK: - Life

  /// Looks for bundles and puts their cards on the page; nothing is started.
  public func load() {
    page.load()
  }

  /// Follows what other programs change from now on.
  public func followChanges() {
    follower.start()
  }

  /// Starts the widgets whose cards are visible, after looking for them.
  public func start() {
    // First of all, so that nothing is missed that another host does meanwhile.
    follower.start()
    page.load()
    follower.startSchedule()
    if configuration.gathersFirstContent { firstContents.close() }
    if let visible = page.visible { page.setVisible(visible) }
  }

  /// Starts these widgets and no others.
  public func start(only ids: Set<CardID>) {
    page.setFirstVisible(ids)
    start()
  }

  /// Ends all widgets, in parallel, within 2 s; `completion` is called when none is left.
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

  /// Lets every view disappear and suspends every widget, all in parallel, within 2 s: on Ctrl-Z, and
  /// while a program has the screen.
  ///
  /// - Parameter completion: Called once, when no widget runs any more; suspend the program there,
  ///   and call ``resume()`` when it goes on.
  public func suspend(completion: @escaping () -> Void) {
    guard !pausing.isUnderWay, !quitting.isUnderWay else { return }
    pausing.begin(
      within: Self.pauseLimit,
      onLimit: { [weak self] in
        for controller in self?.page.controllers ?? [] { controller.freeze() }
        self?.pausing.end()
      },
      completion: completion
    )
    for controller in page.controllers { controller.pause() }
    pauseMayHaveEnded()
  }

  /// Goes on after ``suspend(completion:)``: what is on the screen appears again.
  public func resume() {
    // Where it goes on before everything stood still, there is nothing left to wait for.
    pausing.forget()
    for controller in page.controllers { controller.unpause() }
  }

  private func pauseMayHaveEnded() {
    guard page.controllers.allSatisfy(\.isAtRest) else { return }
    pausing.end()
  }

  /// Notes how old everything is at this moment, where nobody follows that as time passes.
  public func noteAges() {
    for controller in page.controllers { controller.checkAge() }
  }

  // MARK: - What a person does

  /// Presses an element of a card.
  public func press(_ target: PressTarget, on id: CardID) {
    page[id]?.press(target)
  }

  /// Asks one widget, or all of them, for new data.
  public func refresh(_ id: CardID?) {
    for controller in page.controllers where id == nil || controller.card.id == id {
      followBundle(of: controller)
      controller.refresh(.user)
    }
  }

  /// Whether an update of a widget is due: by the schedule, or because somebody asked for it.
  public func isDue(_ id: CardID) -> Bool {
    guard let controller = page[id], !controller.isHidden else { return false }
    return follower.isAsked(id) || controller.updates.isDue
  }

  /// Makes an update that is due, unless another host does.
  ///
  /// - Returns: Whether it is under way here.
  @discardableResult
  public func refreshIfDue(_ id: CardID, reason: UpdateReason = .schedule) -> Bool {
    guard let controller = page[id] else { return false }
    if follower.takeRequest(id) {
      controller.refresh(.event)
    } else {
      controller.refreshIfDue(reason)
    }
    return controller.hasUpdate
  }

  /// Starts a stopped widget again.
  public func retry(_ id: CardID) {
    page[id]?.retry()
  }

  /// Show more or show less.
  public func toggleDisplayMode(_ id: CardID) {
    page[id]?.toggleDisplayMode()
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
    guard let card = page[id], let app = card.session?.bundle.containingApp,
      let scheme = app.urlSchemes.first(where: { !SchemeRegistry.reserved.contains($0) })
    else { return false }
    card.open("\(scheme)://") { _ in }
    return true
  }

  /// The most bytes of a URL, as the user set it.
  public var urlByteLimit: Int { configuration.limits.urlBytes }

  /// How often a URL may be passed on by handlers, where that is used up; nil elsewhere.
  public var exhaustedHops: Int? { router.isAtHopLimit ? router.hopLimit : nil }

  /// Gives the screen to a program; without it no URL is opened.
  public var terminalHandover: ((TerminalProgram) -> Void)? {
    get { router.handover }
    set { router.handover = newValue }
  }
}

// MARK: - What cards say

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
    // A command that ends by itself leaves that to the kernel and to the next one.
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

// MARK: - Who has a card

extension WidgetCenter: PageCardsOwner {
  var isQuitting: Bool { quitting.isUnderWay }

  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    let session = sessions.session(for: bundle, id)
    session.makeInitialize = { [unowned self] in initializeRequest(id, $0) }
    return session
  }

  /// The first message to a widget.
  func initializeRequest(_ id: CardID, _ reason: LaunchReason) -> InitializeRequest {
    let controller = page[id]
    return sessions.initializeRequest(
      controller?.card ?? Card(id: id, name: ""),
      maximumSize: controller?.maximumSize ?? .zero,
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

// MARK: - What other programs do

extension WidgetCenter: HostFollowerOwner {
  var followedCards: [(id: CardID, hasWidget: Bool)] {
    page.controllers.map { ($0.card.id, $0.session != nil) }
  }

  func recordMayHaveChanged(_ names: Set<String>) {
    if names.isEmpty || names.contains(where: page.isRecord) { page.followRecord() }
  }

  func contentFlagsMayHaveChanged() {
    page.followContentFlags()
  }

  func isAskedToUpdate(_ id: CardID) {
    page[id]?.refresh(.event)
  }

  func didUpdateElsewhere(_ id: CardID, _ history: RefreshHistory) {
    page[id]?.takeOver(history)
  }

  /// One catch-up for each widget after a sleep, spread over time.
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
