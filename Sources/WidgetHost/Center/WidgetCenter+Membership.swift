import WidgetKitCore

/// Which widgets have a card: what was found, what the user put on the page, and what has nothing to
/// show.
extension WidgetCenter {
  /// Looks for bundles and puts their cards on the page; nothing is started.
  public func load() {
    guard !hasScanned else { return }
    scan()
    removeOrphanedState()
    seat()
    hasScanned = true
    store.cleanUp()
    keepRecord()
    cardDidChange()
  }

  /// Follows what other programs change from now on: the page's order, who has content, and on a
  /// page that stays also what other hosts' updates bring, and requests.
  func followChanges() {
    guard watch == nil else { return }
    var paths = [folders.pages, folders.noContent]
    if configuration.schedulesUpdates { paths += [folders.schedules, folders.reloads] }
    do throws(HostError) {
      watch = try FolderWatch(paths) { [weak self] in self?.didChange($0) }
      guard watchTrouble != nil else { return }
      watchTrouble = nil
      didChange([])
      cardDidChange()
    } catch {
      // The kernel gives a user 128 watches, which others may hold for a while.
      let trouble = SafeText("Changes by other programs are not followed yet: \(error)")
      if trouble != watchTrouble { cardDidChange() }
      watchTrouble = trouble
      watchRetry = clock.schedule(after: watchPause) { [weak self] in self?.followChanges() }
      watchPause = min(watchPause * 2, .seconds(60))
    }
  }

  /// Looks at what changed; no names stand for everything.
  private func didChange(_ names: Set<String>) {
    let others = names.filter { !histories.wroteLast($0) }
    guard names.isEmpty || !others.isEmpty else { return }
    let record = recordPath.split(separator: "/").last.map(String.init) ?? ""
    if names.isEmpty || others.contains(record) { followRecord() }
    let files = controllers.map { StateFolders.fileName($0.card.id) }
    if names.isEmpty || !others.isDisjoint(with: files) {
      followContentFlags()
      takeRequests()
    }
    takeOver(others)
  }

  /// Why a widget may not hide or show a card; nil where it may.
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    let identifier = id.bundleIdentifier
    let app = catalog.widget(withIdentifier: identifier)?.containingApp?.bundleIdentifier
    let sender = HostServiceSender(
      bundleIdentifier: identifier,
      hasContent: contentFlags.hasContent(identifier)
    ) { [catalog] other in
      app != nil && catalog.widget(withIdentifier: other)?.containingApp?.bundleIdentifier == app
    }
    return sender.refusal(of: request)
  }

  /// Carries out what ``refusal(of:from:)`` allows.
  func setHasContent(_ request: SetHasContentRequest) {
    do throws(HostError) {
      try contentFlags.set(request.flag, for: request.bundleIdentifier)
    } catch {
      note("The content flag of \(request.bundleIdentifier) cannot be stored: \(error)")
    }
    followContentFlags()
  }

  // MARK: - Finding

  private func scan() {
    catalog = BundleCatalog.scan(searchPaths, limits: configuration.limits.bundles)
    installationProblems =
      configuration.problems + catalog.problems.map { SafeText($0.description) }
    router.registry = SchemeRegistry(apps: catalog.apps)
    installationProblems += router.registry.conflicts.map { SafeText($0.description) }
  }

  /// Gives every widget of the page its card, in order; cards of no widget leave.
  private func seat() {
    let members = PageMembers(catalog, record: record, paths: searchPaths)
    newWidgets = members.new.map(AnnouncedWidget.init)
    let named = Set(
      configuration.namedWidgets.flatMap { name in
        if case .widgets(let identifiers) = catalog.match(name) { identifiers } else { [String]() }
      }
    )
    let others = (members.new + members.removed).filter {
      configuration.showsAllWidgets || named.contains($0.bundleIdentifier)
    }
    guests = Set(others.map { CardID($0.bundleIdentifier) })
    var present = Dictionary(
      controllers.map { ($0.card.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let staying = Set((members.shown + others).map { CardID($0.bundleIdentifier) })
    for controller in controllers where !staying.contains(controller.card.id) {
      depart(controller)
    }
    controllers = (members.shown + others).map { bundle in
      let id = CardID(bundle.bundleIdentifier)
      let controller = present.removeValue(forKey: id) ?? makeCard(id, bundle.displayName)
      if controller.session == nil { bring(controller, bundle) }
      return controller
    }
    for controller in present.values { leave(controller) }
  }

  private func makeCard(_ id: CardID, _ name: SafeText) -> CardController {
    let controller = CardController(id: id, name: name, services: cardServices, page: self)
    // Before its width is known: what has nothing to show must not look for a picture.
    if !contentFlags.hasContent(id.bundleIdentifier) { controller.card.state = .hidden }
    let entry = record?.cards.first { $0.names(id.bundleIdentifier) }
    if let entry { controller.restore(entry) }
    if innerWidth > 0 { controller.setInnerWidth(innerWidth) }
    return controller
  }

  /// Puts the widget behind its card, unless it has nothing to show: then nobody starts it.
  private func bring(_ controller: CardController, _ bundle: WidgetBundle) {
    if contentFlags.hasContent(bundle.bundleIdentifier) {
      if controller.card.state == .hidden { controller.card.state = .starting }
      controller.attach(session(for: bundle, controller.card.id), name: bundle.displayName)
    } else {
      controller.card.state = .hidden
    }
  }

  /// Ends a card's widget in the normal way; the card is gone at once.
  private func leave(_ controller: CardController) {
    controller.quit()
    if !controller.isFinished { leaving.append(controller) }
  }

  // MARK: - Following

  private func followRecord() {
    guard quitCompletion == nil, let new = PageRecord.read(recordPath), new != record else {
      return
    }
    record = new
    let isKnown = new.cards.allSatisfy {
      catalog.widget(withIdentifier: $0.bundleIdentifier) != nil
    }
    if !isKnown { scan() }
    seat()
    cardsDidChange()
  }

  private func followContentFlags() {
    guard quitCompletion == nil else { return }
    let empty = contentFlags.withoutContent(among: controllers.map(\.card.id.bundleIdentifier))
    for (index, controller) in controllers.enumerated() {
      let id = controller.card.id
      let hasContent = !empty.contains(id.bundleIdentifier)
      guard hasContent == (controller.card.state == .hidden) else { continue }
      if !hasContent {
        // Its last picture is of no account any more: another card takes its place.
        controller.discardPicture()
        depart(controller)
        leave(controller)
        store.remove(id)
        controllers[index] = makeCard(id, controller.card.name)
      } else if let bundle = catalog.widget(withIdentifier: id.bundleIdentifier) {
        bring(controller, bundle)
      }
    }
    cardsDidChange()
  }

  private func cardsDidChange() {
    if let visible { setVisible(visible) }
    cardMayHaveSettled()
    cardDidChange()
  }

  // MARK: - What is kept

  /// Keeps what the next start draws before it reads any bundle.
  func keepRecord() {
    guard hasScanned else { return }
    var mine: [String: PageRecord.Entry] = [:]
    for controller in controllers {
      var entry = controller.pageEntry
      entry.path = catalog.widget(withIdentifier: entry.bundleIdentifier)?.path
      entry.folderNumber = entry.path.flatMap { path in
        searchPaths.folders.first { path.hasPrefix($0 + "/") }
      }.flatMap(OrphanedState.number(ofFolder:))
      mine[entry.bundleIdentifier] = entry
    }
    let guests = guests.compactMap { mine.removeValue(forKey: $0.bundleIdentifier) }
    let order = controllers.map(\.card.id.bundleIdentifier)
    do throws(HostError) {
      record = try PageRecord.change(recordPath, within: .milliseconds(50)) { present in
        // Order and membership are whoever's changed them last; the rest is what is known here.
        var cards = (present?.cards ?? []).map {
          mine.removeValue(forKey: $0.bundleIdentifier) ?? $0
        }
        let removed = present?.removed ?? []
        for identifier in order where !removed.contains(where: { $0.names(identifier) }) {
          if let entry = mine.removeValue(forKey: identifier) { cards.append(entry) }
        }
        var all = PageRecord(cards: cards, removed: removed, guests: present?.guests ?? [])
        // What was shown without being on the page leaves things behind all the same.
        for guest in guests { all.note(guest: guest) }
        return all
      }
      recordTrouble = nil
    } catch {
      // Who changes the page just now keeps it, and the next end of a program does.
      guard error.code != .busy else { return }
      recordTrouble = SafeText("The page cannot be written: \(error)")
    }
  }

  /// Removes everything that is kept of widgets whose bundles are gone from the disk.
  private func removeOrphanedState() {
    let gone = (record?.all ?? []).filter { entry in
      catalog.widget(withIdentifier: entry.bundleIdentifier) == nil
        && OrphanedState.isGone(entry, below: searchPaths.folders)
    }
    guard !gone.isEmpty else { return }
    // What lies in a folder named by --widgets may be installed as well.
    let usual =
      searchPaths.areRequired
      ? BundleCatalog.scan(usualPaths, limits: configuration.limits.bundles) : BundleCatalog()
    let identifiers = Set(gone.map(\.bundleIdentifier))
    for identifier in identifiers where usual.widget(withIdentifier: identifier) == nil {
      OrphanedState.erase(CardID(identifier), from: folders)
    }
    record = OrphanedState.erase(identifiers, fromPagesIn: folders, present: recordPath)
    controllers.removeAll { identifiers.contains($0.card.id.bundleIdentifier) }
  }

  private var usualPaths: SearchPaths {
    SearchPaths(environment: configuration.environment, executable: configuration.executablePath)
  }
}
