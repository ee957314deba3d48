import WidgetKitCore

/// The page that owns a ``PageCards``.
protocol PageCardsOwner: CardPage {
  /// Whether the page is closing, so that no more cards are added.
  var isQuitting: Bool { get }
  /// Creates the session for a widget that gets a card.
  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession
  /// Called with the result of a search for bundles; its problems replace those of the previous search.
  func didScan(_ catalog: BundleCatalog)
  /// Called when it could not be stored whether a widget has content.
  func contentFlagWasNotStored(_ error: HostError, of bundleIdentifier: String)
  /// Called when the order of the page was written, or with the error if it could not be.
  func recordWasWritten(_ error: HostError?)
}

/// The cards of a page in order; it adds and removes cards.
///
/// This is a class because cards and timers call it.
final class PageCards {
  /// All cards, including those without content.
  private(set) var controllers: [CardController] = []
  /// The cards with a row on the screen, or nil if that has not been set.
  private(set) var visible: Set<CardID>?
  /// Whether the bundles have been read.
  private(set) var hasScanned = false

  private unowned let owner: any PageCardsOwner
  private let configuration: CenterConfiguration
  private let services: CardServices
  private let flags: ContentFlags
  private var roster: PageRoster
  private let departures: Departures
  /// Cards that were removed from the page and whose widgets have not ended yet.
  private var leaving: [CardController] = []
  private var widths = CardWidths(0)
  /// Whether the page is shown, and has the focus of the terminal.
  private(set) var host = HostState.active
  /// The number of columns of cards for which the user set it.
  private var spans: [String: Int]
  /// The timer that loads the deferred snapshots.
  private var snapshotTurn: (any HostTimer)?

  /// Snapshots that are loaded in one turn of the event loop: about a millisecond.
  private static let snapshotsInTurn = 25

  init(
    owner: any PageCardsOwner,
    _ configuration: CenterConfiguration,
    roster: PageRoster,
    services: CardServices,
    flags: ContentFlags
  ) {
    self.owner = owner
    self.configuration = configuration
    self.roster = roster
    self.services = services
    self.flags = flags
    spans = configuration.spans
    departures = Departures(clock: services.clock) { [weak owner] in owner?.cardDidChange() }
    controllers = roster.entries.map { makeCard(CardID($0.bundleIdentifier), $0.name) }
  }

  /// The bundles that were found.
  var catalog: BundleCatalog { roster.catalog }
  /// Installed widgets that were never on the page.
  var newWidgets: [AnnouncedWidget] { roster.new }
  /// Whether every widget has ended, including those of removed cards.
  var areAllFinished: Bool { leaving.isEmpty && controllers.allSatisfy(\.widget.isFinished) }

  /// Returns the card of a widget.
  subscript(_ id: CardID) -> CardController? {
    for controller in controllers where controller.card.id == id { return controller }
    return nil
  }

  // MARK: - Drawing

  /// Whether any animation is running.
  var isMoving: Bool {
    for controller in controllers where controller.size.isMoving { return true }
    return !departures.isEmpty
  }

  /// Inserts the cards that are shrinking at their former places.
  func addDepartures(
    to drawn: inout [(card: Card, body: CardBody?)],
    at now: ContinuousClock.Instant
  ) {
    if !departures.isEmpty { departures.add(to: &drawn, at: now) }
  }

  /// Sets which cards have a row on the screen.
  func setVisible(_ ids: Set<CardID>) {
    visible = ids
    guard hasScanned else { return }
    for controller in controllers { controller.setVisible(ids.contains(controller.card.id)) }
  }

  /// Sets whether the page is shown, and has the focus of the terminal.
  func setHost(_ state: HostState) {
    guard state != host else { return }
    host = state
    for controller in controllers { controller.setHost(state) }
  }

  /// Sets which cards will have a row on the screen when the widgets are started.
  func setFirstVisible(_ ids: Set<CardID>) {
    visible = ids
  }

  /// Sets the inner width of each card; returns whether one changed.
  ///
  /// Snapshots of cards below `screen` are loaded in later turns of the event loop.
  func setPage(_ widths: CardWidths, filling screen: FirstScreen?) -> Bool {
    let old = self.widths
    guard widths != old else { return false }
    self.widths = widths
    var hasChanged = false
    var (filled, tallest) = (0, 0)
    for controller in controllers {
      let id = controller.card.id
      // The shortest column is full when all columns would be full without the tallest card in each of
      // them.
      let isOnScreen = screen.map { filled < $0.columns * $0.rows + ($0.columns - 1) * tallest }
      if widths[id] != old[id] || widths.rows(of: id) != old.rows(of: id) {
        controller.size.setLeastRows(widths.rows(of: id))
        controller.setInnerWidth(widths[id], showsSnapshot: isOnScreen ?? true)
        hasChanged = true
      }
      guard !controller.isHidden else { continue }
      let rows = controller.card.bodySize.rows + 2
      filled += rows
      tallest = max(tallest, rows)
    }
    guard hasChanged else { return false }
    owner.cardDidChange()
    showOwedSnapshots()
    return true
  }

  /// Sets the number of columns of the cards for which the user set it, by widget or by instance.
  func setSpans(_ spans: [String: Int]) {
    guard spans != self.spans else { return }
    self.spans = spans
    for controller in controllers { controller.setSpan(span(of: controller)) }
  }

  /// The number of columns of a card: as the user set it, else as its manifest says, else what it had
  /// when the page was last shown.
  private func span(of controller: CardController) -> Int {
    let id = controller.card.id
    return spans[id.description] ?? spans[id.bundleIdentifier] ?? controller.widget.bundleSpan
      ?? roster.entry(id.bundleIdentifier)?.span ?? 1
  }

  /// Loads the deferred snapshots, a limited number in each turn of the event loop.
  private func showOwedSnapshots() {
    let owing = controllers.filter(\.content.owesSnapshot)
    guard !owing.isEmpty else { return }
    snapshotTurn = services.clock.schedule(after: .zero) { [weak self] in
      for controller in owing.prefix(Self.snapshotsInTurn) { controller.showOwedSnapshot() }
      // These cards are below the screen, so one new layout at the end is enough.
      if owing.count <= Self.snapshotsInTurn { self?.owner.cardDidChange() }
      self?.showOwedSnapshots()
    }
  }

  // MARK: - Adding cards

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  func load() {
    guard !hasScanned else { return }
    scan()
    let gone = roster.removeOrphans()
    controllers.removeAll { gone.contains($0.card.id.bundleIdentifier) }
    seat()
    hasScanned = true
    services.store.cleanUp()
    keepRecord()
    owner.cardDidChange()
  }

  private func scan() {
    roster.scan()
    owner.didScan(roster.catalog)
  }

  /// Creates the card of every widget of the page, in order, and removes cards whose widgets are gone.
  private func seat() {
    let bundles = roster.seat(
      names: configuration.namedWidgets,
      showsAll: configuration.showsAllWidgets
    )
    var present = Dictionary(
      controllers.map { ($0.card.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let staying = Set(bundles.map { CardID($0.bundleIdentifier) })
    for controller in controllers where !staying.contains(controller.card.id) {
      depart(controller)
    }
    controllers = bundles.map { bundle in
      let id = CardID(bundle.bundleIdentifier)
      let controller = present.removeValue(forKey: id) ?? makeCard(id, bundle.displayName)
      if controller.widget.session == nil { bring(controller, bundle) }
      return controller
    }
    for controller in present.values { leave(controller) }
  }

  private func makeCard(_ id: CardID, _ name: SafeText) -> CardController {
    let controller = CardController(id: id, name: name, services: services, page: owner)
    // This is done before the width is known, so that a card without content does not load its
    // snapshot.
    if !flags.hasContent(id.bundleIdentifier) { controller.health.hide() }
    if let entry = roster.entry(id.bundleIdentifier) { controller.size.restore(entry) }
    controller.setSpan(span(of: controller))
    controller.setHost(host)
    if widths[id] > 0 { controller.setInnerWidth(widths[id]) }
    return controller
  }

  /// Connects the widget to its card, unless it has nothing to show; then it is not started.
  private func bring(_ controller: CardController, _ bundle: WidgetBundle) {
    if flags.hasContent(bundle.bundleIdentifier) {
      controller.health.unhide()
      let session = owner.session(for: bundle, controller.card.id)
      controller.attach(session, name: bundle.displayName)
      controller.setSpan(span(of: controller))
    } else {
      controller.health.hide()
    }
  }

  /// Replaces the bundle of a card.
  func replace(_ old: WidgetBundle, by bundle: WidgetBundle, of controller: CardController) {
    roster.replace(bundle, at: old.path)
    controller.replace(by: bundle)
    controller.setSpan(span(of: controller))
    owner.cardDidChange()
  }

  // MARK: - Removing cards

  /// Shrinks a card that is about to be removed, if it is on the screen.
  private func depart(_ controller: CardController) {
    guard configuration.animates, !owner.isQuitting, controller.widget.isVisible,
      !controller.isHidden
    else { return }
    let before = controllers.prefix { $0 !== controller }
    departures.begin(
      controller.card,
      controller.size.body(at: services.clock.now),
      behind: before.last { !$0.isHidden }?.card.id
    )
  }

  /// Removes a card at once, and ends its widget normally.
  private func leave(_ controller: CardController) {
    controller.quit()
    if !controller.widget.isFinished { leaving.append(controller) }
  }

  /// Releases removed cards whose widgets have ended.
  func forgetFinished() {
    leaving.removeAll(where: \.widget.isFinished)
  }

  /// Kills the widgets that are still running.
  func killUnfinished() {
    for controller in controllers + leaving where !controller.widget.isFinished {
      controller.widget.handle(.deadline(.terminate))
    }
  }

  // MARK: - Changes by other programs

  /// Whether a file in the folder of page records is the record of this page.
  func isRecord(_ name: String) -> Bool { roster.isRecord(name) }

  /// Applies the order of the page if another program has changed it.
  func followRecord() {
    guard !owner.isQuitting else { return }
    guard roster.readRecord() else { return }
    if roster.needsScan { scan() }
    seat()
    cardsDidChange()
  }

  /// The error if a widget may not set whether another widget has content, or nil if it may: only
  /// widgets of one app may.
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    let catalog = catalog
    let app = catalog.widget(withIdentifier: id.bundleIdentifier)?.containingApp?.bundleIdentifier
    let sender = HostServiceSender(
      bundleIdentifier: id.bundleIdentifier,
      hasContent: flags.hasContent(id.bundleIdentifier)
    ) { other in
      app != nil && catalog.widget(withIdentifier: other)?.containingApp?.bundleIdentifier == app
    }
    return sender.refusal(of: request)
  }

  /// Shows or hides a card permanently.
  func setHasContent(_ request: SetHasContentRequest) {
    do throws(HostError) {
      try flags.set(request.flag, for: request.bundleIdentifier)
    } catch {
      owner.contentFlagWasNotStored(error, of: request.bundleIdentifier)
    }
    followContentFlags()
  }

  /// Applies which widgets have content.
  func followContentFlags() {
    guard !owner.isQuitting else { return }
    let empty = flags.withoutContent(among: controllers.map(\.card.id.bundleIdentifier))
    for (index, controller) in controllers.enumerated() {
      let id = controller.card.id
      let hasContent = !empty.contains(id.bundleIdentifier)
      guard hasContent == controller.isHidden else { continue }
      if !hasContent {
        // Another card takes its place, so its last snapshot is discarded.
        controller.content.discardPicture()
        depart(controller)
        leave(controller)
        services.store.remove(id)
        controllers[index] = makeCard(id, controller.card.name)
      } else if let bundle = roster.bundle(id.bundleIdentifier) {
        bring(controller, bundle)
      }
    }
    cardsDidChange()
  }

  private func cardsDidChange() {
    if let visible { setVisible(visible) }
    owner.cardMayHaveSettled()
    owner.cardDidChange()
  }

  /// Saves what the next start draws before it reads any bundle.
  func keepRecord() {
    guard hasScanned else { return }
    do throws(HostError) {
      try roster.write(controllers.map { PageRecord.Entry($0.card) })
      owner.recordWasWritten(nil)
    } catch {
      // The program that is changing the page saves it, and so does the next program that ends.
      guard error.code != .busy else { return }
      owner.recordWasWritten(error)
    }
  }
}
