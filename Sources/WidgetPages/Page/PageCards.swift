public import PageRecords
public import WidgetCards
public import WidgetExtensions
import WidgetKitCore
public import WidgetPlatform
import WidgetSessions

/// The page that owns a ``PageCards``.
protocol PageCardsOwner: CardPage {
  /// Whether the page is closing, so that no more cards are added.
  var isQuitting: Bool { get }
  /// Creates the session for a widget that gets a card.
  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession
  /// Called with the result of a search for bundles; its problems replace those of the previous search.
  func didScan(_ catalog: BundleCatalog)
  /// Called when a later search has found other bundles.
  func bundlesDidChange()
}

/// The cards of all pages in order; it adds and removes them.
///
/// This is a class because cards and timers call it.
public final class PageCards {
  /// The cards of all pages, including those without content.
  private(set) var controllers: [CardRuntime] = []
  /// Whether the bundles have been read.
  public private(set) var hasScanned = false

  /// A widget that is shown without being on a page.
  private(set) var preview: CardRuntime?
  /// What of the pages is on the screen.
  private(set) lazy var screen = PageScreen(
    self,
    showing: names.first ?? .home,
    showsEveryPage: configuration.showsEveryPage,
    staysOnPage: configuration.role == .viewer,
    clock: services.clock
  ) { [weak self] in self?.owner.cardDidChange() }
  /// What saves the page.
  private(set) lazy var record = RecordKeeper(
    self,
    role: configuration.role,
    notices: notices,
    clock: services.clock
  )
  /// The cards that move, also those that have gone.
  let motion: PageMotion

  private unowned let owner: any PageCardsOwner
  private let configuration: CenterConfiguration
  private let services: CardServices
  private let flags: ContentFlags
  /// The widgets that were found, and which are on which page.
  var roster: PageRoster
  private let notices: PageNotices
  /// Cards that were removed from the page and whose widgets have not ended yet.
  private var leaving: [CardRuntime] = []
  /// What the configuration file says about cards.
  private var terms: CardTerms

  init(
    owner: any PageCardsOwner,
    _ configuration: CenterConfiguration,
    roster: PageRoster,
    services: CardServices,
    flags: ContentFlags,
    notices: PageNotices
  ) {
    self.owner = owner
    self.configuration = configuration
    self.roster = roster
    self.services = services
    self.flags = flags
    self.notices = notices
    terms = CardTerms(configuration)
    motion = PageMotion(clock: services.clock) { [weak owner] in owner?.cardDidChange() }
    controllers = roster.entries.map { makeCard($0.entry.id, $0.entry.name, on: $0.page) }
  }

  // MARK: - What there is

  /// The cards of the page that is shown, in order, except those without content.
  public var shown: [Card] { shownControllers.filter { !$0.isHidden }.map(\.shownCard) }
  /// How many cards of the page that is shown have no content.
  public var hiddenCount: Int { shownControllers.count(where: \.isHidden) }
  /// The cards of all pages in order, including those without content.
  public var all: [Card] { controllers.map(\.shownCard) }

  private var shownControllers: [CardRuntime] { controllers.filter(screen.shows) }

  /// The widgets that were found.
  public var catalog: BundleCatalog { roster.catalog }
  /// Installed widgets that were never on the page.
  public var newWidgets: [AnnouncedWidget] {
    roster.members.new.map { AnnouncedWidget($0.bundle) }
  }
  /// What is wrong with the pages of config.json: cards whose widgets were not found.
  var problems: [SafeText] { roster.members.problems(in: catalog) }
  /// The names of the pages, in order.
  public var names: [PageName] { roster.pageNames }
  /// Whether the page is closing, so that no more cards are added.
  var isClosing: Bool { owner.isQuitting }
  /// All cards whose widgets may still run, including those that were removed.
  var living: [CardRuntime] { controllers + leaving }

  /// Returns the card of a widget.
  subscript(_ id: CardID) -> CardRuntime? {
    for controller in controllers where controller.id == id { return controller }
    return preview?.id == id ? preview : nil
  }

  /// Whether no change of the card is pending: its widget runs and is updated, or has failed.
  public func isSettled(_ id: CardID) -> Bool {
    self[id].map { $0.isSettled && !$0.hasPendingImages } ?? true
  }

  /// Whether a picture of the card will be drawn, or refused, in a moment.
  public func hasPendingImages(_ id: CardID) -> Bool { self[id]?.hasPendingImages ?? false }

  /// Whether a card's process has shown a view of its own, as opposed to a snapshot of an earlier one.
  public func hasOwnView(_ id: CardID) -> Bool { self[id]?.state.widget.hasOwnView ?? false }

  /// Whether a widget has something to show.
  func hasContent(_ id: CardID) -> Bool { flags.hasContent(id) }

  // MARK: - What config.json says of cards

  /// Takes over the pages and the cards of the configuration file.
  func apply(_ configuration: CenterConfiguration) {
    if configuration.pages != roster.declared {
      roster.declared = configuration.pages
      if hasScanned {
        updateCards()
        cardsDidChange()
      }
    }
    let before = terms
    terms = CardTerms(configuration)
    setSpans()
    for controller in controllers {
      setAllowedWhenLocked(controller)
      let id = controller.card.id
      let added = roster.entry(id)?.host
      if terms.machines(of: id, added: added) != before.machines(of: id, added: added) {
        controller.machineDidChange()
      }
    }
  }

  private func setSpans() {
    for controller in controllers { controller.send(.span(span(of: controller))) }
  }

  private func setAllowedWhenLocked(_ controller: CardRuntime) {
    controller.send(.allowedWhenLocked(terms.isAllowedWhenLocked(controller.card.id)))
  }

  /// The number of columns of a card: as the user set it, else as its manifest says, else what it had
  /// when the page was last shown.
  private func span(of controller: CardRuntime) -> Int {
    let id = controller.card.id
    return fixedSpan(of: id) ?? roster.chosenSpan(id) ?? controller.state.widget.bundleSpan
      ?? roster.entry(id)?.span ?? 1
  }

  /// The number of columns that `widgets` of config.json sets for a card.
  func fixedSpan(of id: CardID) -> Int? {
    terms.span(of: id)
  }

  /// The machine on which the widget of a card runs; nil for this one.
  func host(of id: CardID) -> RemoteDestination? {
    terms.host(of: id, added: roster.entry(id)?.host)
  }

  // MARK: - Adding cards

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  func load() {
    guard !hasScanned else { return }
    scan()
    let writes = configuration.role != .viewer
    let gone = writes ? roster.removeOrphans() : []
    controllers.removeAll { gone.contains($0.card.id.bundleIdentifier) }
    updateCards()
    hasScanned = true
    if writes { services.store.cleanUp() }
    record.keep()
    owner.cardDidChange()
  }

  private func scan() {
    roster.scan()
    owner.didScan(roster.catalog)
  }

  /// There are notices, which may bring a card to the page.
  func noticesHaveCome() {
    guard roster.noteNotices(), hasScanned, !isClosing else { return }
    let before = controllers.count
    updateCards()
    guard controllers.count != before else { return }
    record.keep(triesAgain: 5)
    cardsDidChange()
  }

  /// Creates the card of every widget of the page, in order, and removes cards whose widgets are gone.
  private func updateCards() {
    let members = roster.updateMembers(
      names: configuration.namedWidgets,
      showsAll: configuration.showsAllWidgets
    )
    var present = Dictionary(
      controllers.map { ($0.card.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let staying = Set(members.map(\.id))
    for controller in controllers where !staying.contains(controller.card.id) {
      animateOut(controller)
    }
    controllers = members.map { member in
      let controller =
        present.removeValue(forKey: member.id)
        ?? makeCard(member.id, member.heading, on: member.page)
      controller.send(.page(member.page))
      if controller.session == nil { bring(controller, member.bundle) }
      return controller
    }
    for controller in present.values { leave(controller) }
    setSpans()
    screen.cardsDidChange()
  }

  func makeCard(_ id: CardID, _ name: SafeText, on page: PageName) -> CardRuntime {
    let controller = CardRuntime(id: id, name: name, services: services, page: owner)
    controller.send(.page(page))
    // This is done before the width is known, so that a card without content does not load its
    // snapshot.
    if !flags.hasContent(id) { controller.send(.hidden(true)) }
    record.begin(controller, stored: roster.entry(id))
    controller.send(.span(span(of: controller)))
    controller.send(.host(screen.host))
    setAllowedWhenLocked(controller)
    let width = screen.widths[id]
    if width > 0 {
      controller.send(.frame(innerWidth: width, leastRows: nil, showsSnapshot: true))
    }
    return controller
  }

  /// Connects the widget to its card, unless it has nothing to show; then it is not started.
  func bring(_ controller: CardRuntime, _ bundle: WidgetBundle) {
    if flags.hasContent(controller.card.id) {
      controller.send(.hidden(false))
      // A card that was hidden only for a moment counts as visible all the time; its new session has not
      // been told yet.
      if controller.state.widget.isVisible { controller.send(.visible(false)) }
      let session = owner.session(for: bundle, controller.card.id)
      controller.attach(session)
      controller.send(.span(span(of: controller)))
    } else {
      controller.send(.hidden(true))
    }
  }

  /// Replaces the bundle of a card.
  func replace(_ old: WidgetBundle, by bundle: WidgetBundle, of controller: CardRuntime) {
    roster.replace(bundle, at: old.path)
    controller.replace(by: bundle)
    controller.send(.span(span(of: controller)))
    owner.cardDidChange()
  }

  // MARK: - Changes by the user

  /// The pages with their cards, and the widgets that are on none.
  var members: PageMembers { roster.members }
  /// What changes the pages.
  var editor: PageEditor { roster.editor }

  /// The number of columns that the user has set for a card; nil if none was.
  func chosenSpan(of id: CardID) -> Int? { roster.chosenSpan(id) }

  /// Changes the pages, and shows them as they are then; returns what `change` returns.
  @discardableResult
  func edit<Result>(
    _ change: (PageEditor) throws(HostError) -> Result
  ) throws(HostError) -> Result {
    let result = try change(roster.editor)
    followRecord()
    return result
  }

  /// Searches other folders from now on.
  func setPaths(_ paths: SearchPaths) {
    roster.setPaths(paths)
  }

  /// Takes over bundles and scripts that have come to the search paths, and removes the cards of those that are
  /// gone; bundles that are in use stay as they are.
  func take(_ found: BundleCatalog) {
    guard hasScanned, !isClosing else { return }
    let problems = roster.catalog.problems
    let changes = roster.take(found, at: services.clock.now)
    guard changes.isDifferent else { return }
    notices.replace(problems, by: roster.catalog.problems)
    owner.bundlesDidChange()
    let names = changes.gone.map(\.displayName)
    updateCards()
    if let name = names.first {
      let others: SafeText = names.count > 1 ? " and \(names.count - 1) more" : ""
      notices.say("\(name)\(others): removed from the disk, so the card has gone.")
    }
    for bundle in changes.changed {
      for controller in controllers where controller.session?.bundle != bundle {
        guard controller.card.id.bundleIdentifier == bundle.bundleIdentifier else { continue }
        controller.replace(by: bundle)
        controller.send(.span(span(of: controller)))
        controller.send(.refresh(.event))
      }
    }
    cardsDidChange()
  }

  /// Sets the widget that is shown without being on a page; the one before is ended.
  func setPreview(_ controller: CardRuntime?) {
    let before = preview
    preview = controller
    if let before {
      leave(before)
      owner.cardDidChange()
    }
  }

  // MARK: - Removing cards

  /// Shrinks a card that is about to be removed, if it is on the screen.
  private func animateOut(_ controller: CardRuntime) {
    guard configuration.animates, !isClosing else { return }
    motion.remove(controller, of: controllers)
  }

  /// Removes a card at once, and ends its widget normally.
  private func leave(_ controller: CardRuntime) {
    controller.send(.quit)
    if !controller.isFinished { leaving.append(controller) }
  }

  /// Releases removed cards whose widgets have ended.
  func forgetFinished() {
    leaving.removeAll(where: \.isFinished)
  }

  // MARK: - Changes by other programs

  /// Whether a file in the folder of page records is the record of this page.
  func isRecord(_ name: String) -> Bool { roster.isRecord(name) }

  /// Applies the order of the page if another program has changed it.
  func followRecord() {
    guard !isClosing else { return }
    guard roster.readRecord() else { return }
    if roster.needsScan { scan() }
    updateCards()
    record.followForms()
    cardsDidChange()
  }

  /// Applies which widgets have content.
  func followContentFlags() {
    guard !isClosing else { return }
    let empty = flags.withoutContent(among: controllers.map(\.card.id))
    for (index, controller) in controllers.enumerated() {
      let id = controller.card.id
      let hasContent = !empty.contains(id)
      guard hasContent == controller.isHidden else { continue }
      if !hasContent {
        // Another card takes its place, so its last snapshot is discarded.
        controller.send(.discarded)
        animateOut(controller)
        leave(controller)
        services.store.remove(id)
        controllers[index] = makeCard(id, controller.card.name, on: controller.card.page)
      } else if let bundle = roster.bundle(id.bundleIdentifier) {
        bring(controller, bundle)
      }
    }
    cardsDidChange()
  }

  private func cardsDidChange() {
    screen.tellVisible()
    owner.cardMayHaveSettled()
    owner.cardDidChange()
  }
}
