import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The page that owns a ``PageCards``.
protocol PageCardsOwner: CardPage {
  /// Whether the page is closing, so that no more cards are added.
  var isQuitting: Bool { get }
  /// Creates the session for a widget that gets a card.
  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession
  /// Called with the result of a search for bundles; its problems replace those of the previous search.
  func didScan(_ catalog: BundleCatalog)
  /// Called with the result of a later search; its problems replace those that an earlier one found.
  func didScanAgain(_ catalog: BundleCatalog, after problems: [BundleError])
  /// Called when the order of the page was written, or with the error if it could not be.
  func recordWasWritten(_ error: HostError?)
}

/// The cards of all pages in order, and which page is shown; it adds and removes cards.
///
/// This is a class because cards and timers call it.
final class PageCards {
  /// The cards of all pages, including those without content.
  private(set) var controllers: [CardRuntime] = []
  /// The cards with a row on the screen, or nil if that has not been set.
  private(set) var visible: Set<CardID>?
  /// Whether the bundles have been read.
  private(set) var hasScanned = false
  /// The page that is shown.
  private(set) var shown: PageName

  /// A widget that is shown without being on a page.
  private(set) var preview: CardRuntime?
  /// The widths of the cards.
  private(set) lazy var sizing = PageSizing(page: self, clock: services.clock) { [weak self] in
    self?.owner.cardDidChange()
  }

  private unowned let owner: any PageCardsOwner
  private let configuration: CenterConfiguration
  private let services: CardServices
  private let flags: ContentFlags
  private var roster: PageRoster
  private let leavingCards: LeavingCards
  /// Whether a card has begun an animation since none was running.
  private var mayMove = false
  /// Cards that were removed from the page and whose widgets have not ended yet.
  private var leaving: [CardRuntime] = []
  /// Whether the page is shown, and has the focus of the terminal.
  private(set) var host = HostState.active
  /// What the configuration file says about cards.
  private var terms: CardTerms
  /// The forms of the cards, here and in the record.
  private var forms = RecordedForms()
  /// The timer after which the record is written that another program was changing.
  private var rewriting: (any HostTimer)?

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
    terms = CardTerms(configuration)
    shown = roster.pageNames.first ?? .home
    leavingCards = LeavingCards(clock: services.clock) { [weak owner] in owner?.cardDidChange() }
    controllers = roster.entries.map { makeCard($0.entry.id, $0.entry.name, on: $0.page) }
  }

  /// The bundles that were found.
  var catalog: BundleCatalog { roster.catalog }
  /// Installed widgets that were never on the page.
  var newWidgets: [AnnouncedWidget] {
    roster.members.new.map { AnnouncedWidget($0.bundle) }
  }
  /// What is wrong with the pages of config.json: cards whose widgets were not found.
  var problems: [SafeText] { roster.members.problems(in: catalog) }
  /// The names of the pages, in order.
  var names: [PageName] { roster.pageNames }
  /// All cards whose widgets may still run, including those that were removed.
  var living: [CardRuntime] { controllers + leaving }

  /// Returns the card of a widget.
  subscript(_ id: CardID) -> CardRuntime? {
    for controller in controllers where controller.id == id { return controller }
    return preview?.id == id ? preview : nil
  }

  // MARK: - Drawing

  /// Whether any animation is running.
  var isMoving: Bool {
    // This is asked after every change, and cards rarely move.
    if mayMove {
      for controller in controllers where controller.state.display.size.isMoving { return true }
      mayMove = false
    }
    return !leavingCards.isEmpty
  }

  /// Called when a card begins an animation.
  func cardDidBeginToMove() {
    mayMove = true
  }

  /// Inserts the cards that are shrinking at their former places.
  func addLeavingCards(
    to drawn: inout [(card: Card, body: CardBody?)],
    at now: ContinuousClock.Instant
  ) {
    if !leavingCards.isEmpty { leavingCards.add(to: &drawn, on: shown, at: now) }
  }

  /// Whether a widget has something to show.
  func hasContent(_ id: CardID) -> Bool { flags.hasContent(id) }

  /// Whether a card is on the page that is shown.
  func isShown(_ controller: CardRuntime) -> Bool {
    configuration.showsEveryPage || controller.card.page == shown
  }

  /// Shows another page; returns whether there is such a page.
  func show(_ name: PageName) -> Bool {
    guard let name = names.first(where: { $0.isSame(as: name) }) else { return false }
    guard name != shown else { return true }
    shown = name
    // The widths are those of the cards that are drawn.
    sizing.forget()
    owner.cardDidChange()
    return true
  }

  /// Sets which cards have a row on the screen.
  func setVisible(_ ids: Set<CardID>) {
    visible = ids
    guard hasScanned else { return }
    for controller in controllers { controller.send(.visible(ids.contains(controller.card.id))) }
  }

  /// Sets whether the page is shown, and has the focus of the terminal.
  func setHost(_ state: HostState) {
    guard state != host else { return }
    host = state
    for controller in controllers { controller.send(.host(state)) }
  }

  /// Sets which cards will have a row on the screen when the widgets are started.
  func setFirstVisible(_ ids: Set<CardID>) {
    visible = ids
  }

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
      if terms.host(of: id) != before.host(of: id) { controller.machineDidChange() }
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
  func host(of id: CardID) -> RemoteDestination? { terms.host(of: id) }

  // MARK: - Adding cards

  /// Searches for bundles and puts their cards on the page, without starting any widget.
  func load() {
    guard !hasScanned else { return }
    scan()
    let gone = roster.removeOrphans()
    controllers.removeAll { gone.contains($0.card.id.bundleIdentifier) }
    updateCards()
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
    sizing.forget()
    if !names.contains(shown) { shown = names.first ?? .home }
  }

  func makeCard(_ id: CardID, _ name: SafeText, on page: PageName) -> CardRuntime {
    let controller = CardRuntime(id: id, name: name, services: services, page: owner)
    controller.send(.page(page))
    // This is done before the width is known, so that a card without content does not load its
    // snapshot.
    if !flags.hasContent(id) { controller.send(.hidden(true)) }
    let entry = roster.entry(id)
    if let entry {
      controller.send(
        .restored(
          entry.displayMode,
          offersExpanded: entry.offersExpanded,
          margins: entry.marginInsets
        )
      )
    }
    forms.begin(PageRecord.Entry(controller.card), stored: entry)
    controller.send(.span(span(of: controller)))
    controller.send(.host(host))
    setAllowedWhenLocked(controller)
    let width = sizing.widths[id]
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
    guard hasScanned, !owner.isQuitting else { return }
    let problems = roster.catalog.problems
    let changes = roster.take(found, at: services.clock.now)
    guard changes.isDifferent else { return }
    owner.didScanAgain(roster.catalog, after: problems)
    let names = changes.gone.map(\.displayName)
    updateCards()
    if let name = names.first {
      let others: SafeText = names.count > 1 ? " and \(names.count - 1) more" : ""
      owner.say("\(name)\(others): removed from the disk, so the card has gone.")
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
    guard configuration.animates, !owner.isQuitting, controller.state.widget.isVisible,
      !controller.isHidden
    else { return }
    let before = controllers.prefix { $0 !== controller }
    leavingCards.begin(
      controller.card,
      controller.body(at: services.clock.now),
      behind: before.last { !$0.isHidden }?.card.id
    )
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
    guard !owner.isQuitting else { return }
    guard roster.readRecord() else { return }
    if roster.needsScan { scan() }
    updateCards()
    followForms()
    cardsDidChange()
  }

  /// Shows the forms that another program has written to the record.
  private func followForms() {
    for controller in controllers {
      let id = controller.card.id
      guard let entry = roster.entry(id), forms.isOther(entry) else { continue }
      controller.send(.form(entry.displayMode))
      forms.follow(entry, as: PageRecord.Entry(controller.card))
    }
  }

  /// Writes the form that the user has given to a card, which other programs follow.
  func formWasChosen() {
    keepRecord(triesAgain: 5)
  }

  /// Applies which widgets have content.
  func followContentFlags() {
    guard !owner.isQuitting else { return }
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
    if let visible { setVisible(visible) }
    owner.cardMayHaveSettled()
    owner.cardDidChange()
  }

  /// Saves what the next start draws before it reads any bundle.
  ///
  /// - Parameter triesAgain: How often this is tried again while another program changes the page.
  func keepRecord(triesAgain: Int = 0) {
    guard hasScanned else { return }
    rewriting?.cancel()
    rewriting = nil
    let entries = controllers.map { (entry: PageRecord.Entry($0.card), page: $0.card.page) }
    do throws(HostError) {
      try roster.write(entries, since: forms.written)
      for (entry, _) in entries { forms.wrote(entry) }
      owner.recordWasWritten(nil)
      if !owner.isQuitting { followForms() }
    } catch {
      // The program that is changing the page saves it, and so does the next program that ends.
      guard error.code != .busy else { return keepRecordLater(triesAgain) }
      owner.recordWasWritten(error)
    }
  }

  private func keepRecordLater(_ triesAgain: Int) {
    guard triesAgain > 0, !owner.isQuitting else { return }
    rewriting = services.clock.schedule(after: .milliseconds(200)) { [weak self] in
      self?.keepRecord(triesAgain: triesAgain - 1)
    }
  }
}
