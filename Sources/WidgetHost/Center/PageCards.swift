import WidgetKitCore

/// The page whose cards a ``PageCards`` keeps.
protocol PageCardsOwner: CardPage {
  /// Whether the page ends, so that nothing is put on it any more.
  var isQuitting: Bool { get }
  /// Makes the session of a widget that gets a card.
  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession
  /// What was found wrong when bundles were looked for; it takes the place of what was found before.
  func didScan(_ catalog: BundleCatalog)
  /// The order of the page could be written; or why it could not.
  func recordWasWritten(_ error: HostError?)
}

/// The cards of a page, in its order: who has one, who comes, and who leaves.
///
/// A class because cards and timers call it back.
final class PageCards {
  /// All cards, also those without content to show.
  private(set) var controllers: [CardController] = []
  /// Cards with a row on the screen; nil while nobody has said so.
  private(set) var visible: Set<CardID>?
  /// Whether the bundles have been read.
  private(set) var hasScanned = false

  private unowned let owner: any PageCardsOwner
  private let configuration: CenterConfiguration
  private let services: CardServices
  private let flags: ContentFlags
  private var roster: PageRoster
  private let departures: Departures
  /// Cards that are off the page and whose widgets have not ended yet.
  private var leaving: [CardController] = []
  private var innerWidth = 0
  /// What reads the pictures that were left for later.
  private var snapshotTurn: (any HostTimer)?

  /// Pictures that are read in one turn of the event loop: about a millisecond.
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
    departures = Departures(clock: services.clock) { [weak owner] in owner?.cardDidChange() }
    controllers = roster.entries.map { makeCard(CardID($0.bundleIdentifier), $0.name) }
  }

  /// What was found.
  var catalog: BundleCatalog { roster.catalog }
  /// Widgets that are there and were never on the page.
  var newWidgets: [AnnouncedWidget] { roster.new }
  /// Whether every widget has ended, also of the cards that have left.
  var areAllFinished: Bool { leaving.isEmpty && controllers.allSatisfy(\.isFinished) }

  /// The card of a widget.
  subscript(_ id: CardID) -> CardController? {
    for controller in controllers where controller.card.id == id { return controller }
    return nil
  }

  // MARK: - What is drawn

  /// Whether anything moves.
  var isMoving: Bool {
    for controller in controllers where controller.isMoving { return true }
    return !departures.isEmpty
  }

  /// Puts the cards that shrink away where they were.
  func addDepartures(
    to drawn: inout [(card: Card, body: CardBody?)],
    at now: ContinuousClock.Instant
  ) {
    if !departures.isEmpty { departures.add(to: &drawn, at: now) }
  }

  /// Says which cards have a row on the screen.
  func setVisible(_ ids: Set<CardID>) {
    visible = ids
    guard hasScanned else { return }
    for controller in controllers { controller.setVisible(ids.contains(controller.card.id)) }
  }

  /// Says which cards will have a row on the screen when the widgets are started.
  func setFirstVisible(_ ids: Set<CardID>) {
    visible = ids
  }

  /// Gives every card's inside a width; returns whether it had another one.
  ///
  /// Pictures of cards below `screen` are read in turns after this one.
  func setPage(innerWidth: Int, filling screen: WidgetCenter.FirstScreen?) -> Bool {
    guard innerWidth != self.innerWidth else { return false }
    self.innerWidth = innerWidth
    var (filled, tallest) = (0, 0)
    for controller in controllers {
      // The shortest column is full where all of them would be if the tallest card lay in each other.
      let isOnScreen = screen.map { filled < $0.columns * $0.rows + ($0.columns - 1) * tallest }
      controller.setInnerWidth(innerWidth, showsSnapshot: isOnScreen ?? true)
      guard !controller.isHidden else { continue }
      let rows = controller.card.bodySize.rows + 2
      filled += rows
      tallest = max(tallest, rows)
    }
    owner.cardDidChange()
    showOwedSnapshots()
    return true
  }

  /// Reads the pictures that were left for later, some in each turn of the event loop.
  private func showOwedSnapshots() {
    let owing = controllers.filter(\.owesSnapshot)
    guard !owing.isEmpty else { return }
    snapshotTurn = services.clock.schedule(after: .zero) { [weak self] in
      for controller in owing.prefix(Self.snapshotsInTurn) { controller.showOwedSnapshot() }
      // They lie below the screen: one new layout is enough.
      if owing.count <= Self.snapshotsInTurn { self?.owner.cardDidChange() }
      self?.showOwedSnapshots()
    }
  }

  // MARK: - Coming

  /// Looks for bundles and puts their cards on the page; nothing is started.
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

  /// Gives every widget of the page its card, in order; cards of no widget leave.
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
      if controller.session == nil { bring(controller, bundle) }
      return controller
    }
    for controller in present.values { leave(controller) }
  }

  private func makeCard(_ id: CardID, _ name: SafeText) -> CardController {
    let controller = CardController(id: id, name: name, services: services, page: owner)
    // Before its width is known: what has nothing to show must not look for a picture.
    if !flags.hasContent(id.bundleIdentifier) { controller.hide() }
    if let entry = roster.entry(id.bundleIdentifier) { controller.restore(entry) }
    if innerWidth > 0 { controller.setInnerWidth(innerWidth) }
    return controller
  }

  /// Puts the widget behind its card, unless it has nothing to show: then nobody starts it.
  private func bring(_ controller: CardController, _ bundle: WidgetBundle) {
    if flags.hasContent(bundle.bundleIdentifier) {
      controller.unhide()
      let session = owner.session(for: bundle, controller.card.id)
      controller.attach(session, name: bundle.displayName)
    } else {
      controller.hide()
    }
  }

  /// Takes the place of the bundle of a card.
  func replace(_ old: WidgetBundle, by bundle: WidgetBundle, of controller: CardController) {
    roster.replace(bundle, at: old.path)
    controller.replace(by: bundle)
    owner.cardDidChange()
  }

  // MARK: - Leaving

  /// Lets a card that is about to leave the page shrink away, where it is on the screen.
  private func depart(_ controller: CardController) {
    guard configuration.animates, !owner.isQuitting, controller.isVisible, !controller.isHidden
    else { return }
    let before = controllers.prefix { $0 !== controller }
    departures.begin(
      controller.card,
      controller.body(at: services.clock.now),
      behind: before.last { !$0.isHidden }?.card.id
    )
  }

  /// Ends a card's widget in the normal way; the card is gone at once.
  private func leave(_ controller: CardController) {
    controller.quit()
    if !controller.isFinished { leaving.append(controller) }
  }

  /// Forgets the cards that have left and whose widgets have ended.
  func forgetFinished() {
    leaving.removeAll(where: \.isFinished)
  }

  /// Ends the widgets that are still there at once.
  func killUnfinished() {
    for controller in controllers + leaving where !controller.isFinished { controller.kill() }
  }

  // MARK: - What other programs change

  /// Whether a file of the pages' folder is the record of this page.
  func isRecord(_ name: String) -> Bool { roster.isRecord(name) }

  /// Takes over the order of the page, where another program has changed it.
  func followRecord() {
    guard !owner.isQuitting else { return }
    guard roster.readRecord() else { return }
    if roster.needsScan { scan() }
    seat()
    cardsDidChange()
  }

  /// Takes over who has content to show.
  func followContentFlags() {
    guard !owner.isQuitting else { return }
    let empty = flags.withoutContent(among: controllers.map(\.card.id.bundleIdentifier))
    for (index, controller) in controllers.enumerated() {
      let id = controller.card.id
      let hasContent = !empty.contains(id.bundleIdentifier)
      guard hasContent == controller.isHidden else { continue }
      if !hasContent {
        // Its last picture is of no account any more: another card takes its place.
        controller.discardPicture()
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

  /// Keeps what the next start draws before it reads any bundle.
  func keepRecord() {
    guard hasScanned else { return }
    do throws(HostError) {
      try roster.write(controllers.map(\.pageEntry))
      owner.recordWasWritten(nil)
    } catch {
      // Who changes the page just now keeps it, and the next end of a program does.
      guard error.code != .busy else { return }
      owner.recordWasWritten(error)
    }
  }
}
