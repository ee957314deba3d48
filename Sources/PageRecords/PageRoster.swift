package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The members of the pages: the bundles that were found, the pages of config.json, and the record that all
/// programs share.
package struct PageRoster {
  /// The bundles that were found.
  package private(set) var catalog = BundleCatalog()
  /// The pages with their cards, and the widgets that are on none, as they were last divided.
  package private(set) var members: PageMembers
  /// The pages of config.json.
  package var declared: [DeclaredPage]
  /// Cards that are not on the page but are shown on request.
  private(set) var guests: Set<ExtensionIdentity> = []

  private var paths: SearchPaths
  private let usualPaths: SearchPaths
  private let limits: BundleLimits
  private let folders: StateFolders
  private let recordPath: String
  /// Since when the bundles of cards are not on the disk, by identifier.
  private var missing: [String: ContinuousClock.Instant] = [:]
  /// How long a bundle is away before its card goes: another version may take its place.
  static let missingPatience: Duration = .seconds(1)
  private var record: PageRecord?

  /// Reads the record of the page that consists of the bundles in `paths`, without searching for
  /// bundles.
  ///
  /// - Parameters:
  ///   - paths: The folders that are searched for bundles.
  ///   - usualPaths: The folders that are searched without `--widgets`.
  ///   - limits: The limits of bundles.
  ///   - folders: The folders that contain the record.
  ///   - declared: The pages of config.json.
  package init(
    _ paths: SearchPaths,
    usualPaths: SearchPaths,
    limits: BundleLimits,
    folders: StateFolders,
    declared: [DeclaredPage] = []
  ) {
    self.declared = declared
    self.paths = paths
    self.usualPaths = usualPaths
    self.limits = limits
    self.folders = folders
    recordPath = PageRecord.path(in: folders.pages, for: paths.folders)
    record = PageRecord.read(recordPath)
    members = PageMembers(BundleCatalog(), record: nil, paths: paths)
  }

  /// The cards of the pages when they were last shown, in their order.
  package var entries: [(entry: PageRecord.Entry, page: PageName)] {
    let declared = paths.areRequired ? [] : declared
    var entries = declared.flatMap { page in
      page.cards.compactMap { card in entry(card.id).map { ($0, page.name) } }
    }
    var placed = Set(entries.map(\.0.id))
    for page in record?.pages ?? []
    where !declared.contains(where: { $0.name.isSame(as: page.name) }) {
      let name = paths.areRequired ? PageName.home : page.name
      entries += page.cards.filter { placed.insert($0.id).inserted }.map { ($0, name) }
    }
    return entries
  }

  /// Returns the entry of a card from when it was last shown.
  package func entry(_ id: ExtensionIdentity) -> PageRecord.Entry? {
    guard let record else { return nil }
    for page in record.pages {
      for entry in page.cards where entry.id == id { return entry }
    }
    return record.guests.first { $0.id == id } ?? record.removed.first { $0.id == id }
  }

  /// The names of the pages in order, before the bundles are read from the record.
  package var pageNames: [PageName] {
    guard catalog.widgets.isEmpty else { return members.pages.map(\.name) }
    var names: [PageName] = paths.areRequired ? [] : declared.map(\.name)
    for (_, page) in entries where !names.contains(page) { names.append(page) }
    return names.isEmpty ? [.home] : names
  }

  /// The number of columns that the user has set for a card: in config.json on its page, or on the page.
  package func chosenSpan(_ id: ExtensionIdentity) -> Int? {
    if !paths.areRequired {
      for page in declared {
        for card in page.cards where card.id == id { return card.span }
      }
    }
    return entry(id)?.chosenSpan
  }

  /// Whether a file in the folder of page records is the record of this page.
  package func isRecord(_ name: String) -> Bool { recordPath.hasSuffix("/" + name) }

  /// Returns the bundle of a widget, or nil if there is none.
  package func bundle(_ identifier: String) -> WidgetBundle? {
    catalog.widget(withIdentifier: identifier)
  }

  // MARK: - Search

  /// Searches for bundles.
  package mutating func scan() {
    catalog = BundleCatalog.scan(paths, limits: limits)
  }

  /// Replaces the bundle at a path; there are several at that of a script that is split.
  package mutating func replace(_ bundle: WidgetBundle, at path: String) {
    let index = catalog.widgets.firstIndex {
      $0.path == path && $0.bundleIdentifier == bundle.bundleIdentifier
    }
    guard let index else { return }
    catalog.widgets[index] = bundle
  }

  /// Notes that there are notices; returns whether a widget may be on the page now that was not.
  package mutating func noteNotices() -> Bool {
    guard !paths.machine.hasNotices else { return false }
    paths.machine.hasNotices = true
    return true
  }

  /// Searches other folders from now on.
  package mutating func setPaths(_ paths: SearchPaths) {
    self.paths = paths
  }

  /// What a later search has changed.
  package struct Changes {
    /// Whether anything is different.
    package var isDifferent = false
    /// The scripts with cards that are others than before.
    package var changed: [WidgetBundle] = []
    /// The bundles with cards that are gone from the disk.
    package var gone: [WidgetBundle] = []
  }

  /// Takes over what a later search has found: bundles that were read before stay as they are while
  /// they have cards and are on the disk; scripts change and go.
  ///
  /// - Parameters:
  ///   - found: What was found.
  ///   - now: When it was found. A bundle goes that was already missing some time before.
  /// - Returns: What has changed.
  package mutating func take(_ found: BundleCatalog, at now: ContinuousClock.Instant) -> Changes {
    let inUse = Set(members.shown.map(\.id.bundleIdentifier))
    let before = Dictionary(
      catalog.widgets.map { ($0.bundleIdentifier, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var changed: [WidgetBundle] = []
    var widgets = found.widgets.map { widget in
      guard inUse.contains(widget.bundleIdentifier), let old = before[widget.bundleIdentifier],
        old != widget
      else { return widget }
      guard old.script != nil, widget.script != nil else { return old }
      changed.append(widget)
      return widget
    }
    let present = Set(widgets.map(\.bundleIdentifier))
    let unreadable = Set(found.problems.filter { $0.code == .unreadable }.map(\.bundlePath))
    var absent = catalog.widgets.filter { widget in
      inUse.contains(widget.bundleIdentifier) && !present.contains(widget.bundleIdentifier)
        && (widget.script == nil || unreadable.contains(OwnPath.split(widget.path).folder))
    }
    let gone = missing(among: absent, at: now)
    absent.removeAll { gone.contains($0) }
    widgets += absent
    guard widgets != catalog.widgets || found.problems != catalog.problems else {
      return Changes()
    }
    catalog.widgets = widgets
    catalog.apps = found.apps
    catalog.problems = found.problems
    return Changes(isDifferent: true, changed: changed, gone: gone)
  }

  /// The bundles that have been gone from the disk for some time.
  ///
  /// One that cannot be read is not known to be gone.
  private mutating func missing(
    among bundles: [WidgetBundle],
    at now: ContinuousClock.Instant
  ) -> [WidgetBundle] {
    let away = bundles.filter { $0.script == nil && OrphanedState.isAbsent($0.path) }
    missing = Dictionary(
      away.map { ($0.bundleIdentifier, missing[$0.bundleIdentifier] ?? now) },
      uniquingKeysWith: { first, _ in first }
    )
    return away.filter { bundle in
      missing[bundle.bundleIdentifier].map { $0.duration(to: now) >= Self.missingPatience } ?? false
    }
  }

  /// Determines which widgets are shown.
  ///
  /// - Parameters:
  ///   - names: Widgets that are shown although they are not on a page.
  ///   - showsAll: Whether all widgets are shown.
  /// - Returns: The widgets of the pages in their order, followed by those that are shown in addition.
  package mutating func updateMembers(names: Set<String>, showsAll: Bool) -> [PageMember] {
    members = PageMembers(catalog, record: record, paths: paths, declared: declared)
    let named = Set(names.flatMap { catalog.cards(named: $0) })
    let others = (members.new + members.available + members.removed).filter {
      showsAll || named.contains($0.id)
    }
    guests = Set(others.map(\.id))
    return members.shown + others
  }

  // MARK: - The record

  /// Reads the record again; returns whether another program has changed it.
  package mutating func readRecord() -> Bool {
    guard let new = PageRecord.read(recordPath), new != record else { return false }
    record = new
    return true
  }

  /// Whether the record contains a widget that the last search for bundles did not find.
  package var needsScan: Bool {
    !entries.allSatisfy { bundle($0.entry.id.bundleIdentifier) != nil }
  }

  /// What changes the pages.
  package var editor: PageEditor {
    PageEditor(catalog: catalog, paths: paths, declared: declared, path: recordPath)
  }

  /// Writes the data that the next start draws before it reads any bundle.
  ///
  /// - Parameters:
  ///   - present: The cards in the page's order.
  ///   - bases: What this program has read or written of them before; only differences are changes of its own.
  /// - Throws: ``HostError`` if it cannot be written.
  package mutating func write(
    _ present: [(entry: PageRecord.Entry, page: PageName)],
    since bases: [ExtensionIdentity: PageRecord.Entry] = [:]
  ) throws(HostError) {
    var mine: [ExtensionIdentity: PageRecord.Entry] = [:]
    for var (entry, _) in present {
      entry.path = bundle(entry.id.bundleIdentifier)?.path
      entry.folderNumber = entry.path.flatMap { path in
        paths.all.first { path.hasPrefix($0 + "/") }
      }.flatMap(OrphanedState.number(ofFolder:))
      mine[entry.id] = entry
    }
    let declared = paths.areRequired ? [] : declared
    // Widgets that were shown without being on a page of the record also leave data behind.
    // A script on a page of config.json is not in the file, nor can it be added there.
    let onDeclared = present.filter { card in declared.contains { $0.name.isSame(as: card.page) } }
    let guests = guests.union(onDeclared.map(\.entry.id))
      .union(declared.flatMap { $0.cards.map(\.id) })
      .union(present.map(\.entry.id).filter(isStandIn))
    record = try PageRecord.change(recordPath, within: .milliseconds(50)) { stored in
      // The program that changed them last determines the order and the members; all else comes from
      // this program.
      var record = stored ?? PageRecord()
      for page in record.pages.indices {
        for index in record.pages[page].cards.indices {
          let old = record.pages[page].cards[index]
          guard var new = mine.removeValue(forKey: old.id) else { continue }
          (new.chosenSpan, new.host) = (old.chosenSpan, old.host)
          new.keepForm(of: old, since: bases[old.id])
          record.pages[page].cards[index] = new
        }
      }
      for (entry, page) in present {
        guard var new = mine[entry.id] else { continue }
        if let old = record.guests.first(where: { $0.id == entry.id }) {
          new.keepForm(of: old, since: bases[old.id])
        }
        if guests.contains(entry.id) {
          record.note(guest: new)
        } else if !record.removed.contains(where: { $0.id == entry.id }) {
          // A card that has come to the top of its page by itself stays there.
          let isFirst = present.first { $0.page == page }?.entry.id == entry.id
          record.insert(new, to: page, isFirst: isFirst)
        }
      }
      return record
    }
  }

  /// Whether a card stands for those of blocks that are not known yet.
  private func isStandIn(_ id: ExtensionIdentity) -> Bool {
    guard let script = bundle(id.bundleIdentifier)?.script else { return false }
    return script.isSplit && script.block == nil
  }

  /// Removes all stored data of widgets whose bundles are gone from the disk; returns their
  /// identifiers.
  package mutating func removeOrphans() -> Set<String> {
    let gone = (record?.all ?? []).filter {
      bundle($0.id.bundleIdentifier) == nil
        && OrphanedState.isGone($0, below: paths.all)
    }
    guard !gone.isEmpty else { return [] }
    // A widget in a folder given with --widgets may also be installed.
    let usual =
      paths.areRequired ? BundleCatalog.scan(usualPaths, limits: limits) : BundleCatalog()
    let identifiers = Set(gone.map(\.id.bundleIdentifier))
    for identifier in identifiers where usual.widget(withIdentifier: identifier) == nil {
      OrphanedState.erase(ExtensionIdentity(identifier), from: folders)
    }
    for entry in gone { OrphanedState.eraseApp(of: entry, from: folders) }
    record = OrphanedState.erase(identifiers, fromPagesIn: folders, present: recordPath)
    return identifiers
  }
}
