import WidgetKitCore

/// The members of a page: the bundles that were found, and the record of the page that all programs
/// share.
struct PageRoster {
  /// The bundles that were found.
  private(set) var catalog = BundleCatalog()
  /// Installed widgets that were never on the page.
  private(set) var new: [AnnouncedWidget] = []
  /// Cards that are not on the page but are shown on request.
  private(set) var guests: Set<ExtensionIdentity> = []

  private let paths: SearchPaths
  private let usualPaths: SearchPaths
  private let limits: BundleLimits
  private let folders: StateFolders
  private let recordPath: String
  private var record: PageRecord?

  /// Reads the record of the page that consists of the bundles in `paths`, without searching for
  /// bundles.
  ///
  /// - Parameters:
  ///   - paths: The folders that are searched for bundles.
  ///   - usualPaths: The folders that are searched without `--widgets`.
  ///   - limits: The limits of bundles.
  ///   - folders: The folders that contain the record.
  init(_ paths: SearchPaths, usualPaths: SearchPaths, limits: BundleLimits, folders: StateFolders) {
    self.paths = paths
    self.usualPaths = usualPaths
    self.limits = limits
    self.folders = folders
    recordPath = PageRecord.path(in: folders.pages, for: paths.folders)
    record = PageRecord.read(recordPath)
  }

  /// The cards of the page when it was last shown, in its order.
  var entries: [PageRecord.Entry] { record?.cards ?? [] }

  /// Returns the entry of a widget's card from when it was last shown.
  func entry(_ identifier: String) -> PageRecord.Entry? {
    entries.first { $0.names(identifier) }
  }

  /// Whether a file in the folder of page records is the record of this page.
  func isRecord(_ name: String) -> Bool { recordPath.hasSuffix("/" + name) }

  /// Returns the bundle of a widget, or nil if there is none.
  func bundle(_ identifier: String) -> WidgetBundle? {
    catalog.widget(withIdentifier: identifier)
  }

  // MARK: - Search

  /// Searches for bundles.
  mutating func scan() {
    catalog = BundleCatalog.scan(paths, limits: limits)
  }

  /// Replaces the bundle at a path.
  mutating func replace(_ bundle: WidgetBundle, at path: String) {
    guard let index = catalog.widgets.firstIndex(where: { $0.path == path }) else { return }
    catalog.widgets[index] = bundle
  }

  /// Determines which widgets are shown.
  ///
  /// - Parameters:
  ///   - names: Widgets that are shown although they are not on the page.
  ///   - showsAll: Whether all widgets are shown.
  /// - Returns: The bundles of the page in its order, followed by those that are shown in addition.
  mutating func seat(names: Set<String>, showsAll: Bool) -> [WidgetBundle] {
    let members = PageMembers(catalog, record: record, paths: paths)
    new = members.new.map(AnnouncedWidget.init)
    let named = Set(
      names.flatMap { name in
        if case .widgets(let identifiers) = catalog.match(name) { identifiers } else { [String]() }
      }
    )
    let others = (members.new + members.removed).filter {
      showsAll || named.contains($0.bundleIdentifier)
    }
    guests = Set(others.map { ExtensionIdentity($0.bundleIdentifier) })
    return members.shown + others
  }

  // MARK: - The record

  /// Reads the record again; returns whether another program has changed it.
  mutating func readRecord() -> Bool {
    guard let new = PageRecord.read(recordPath), new != record else { return false }
    record = new
    return true
  }

  /// Whether the record contains a widget that the last search for bundles did not find.
  var needsScan: Bool { !entries.allSatisfy { bundle($0.bundleIdentifier) != nil } }

  /// Writes the data that the next start draws before it reads any bundle.
  ///
  /// - Parameter present: The cards in the page's order.
  /// - Throws: ``HostError`` if it cannot be written.
  mutating func write(_ present: [PageRecord.Entry]) throws(HostError) {
    var mine: [String: PageRecord.Entry] = [:]
    for var entry in present {
      entry.path = bundle(entry.bundleIdentifier)?.path
      entry.folderNumber = entry.path.flatMap { path in
        paths.folders.first { path.hasPrefix($0 + "/") }
      }.flatMap(OrphanedState.number(ofFolder:))
      mine[entry.bundleIdentifier] = entry
    }
    let guests = guests.compactMap { mine.removeValue(forKey: $0.bundleIdentifier) }
    let order = present.map(\.bundleIdentifier)
    record = try PageRecord.change(recordPath, within: .milliseconds(50)) { present in
      // The program that changed them last determines the order and the members; all else comes from
      // this program.
      var cards = (present?.cards ?? []).map {
        mine.removeValue(forKey: $0.bundleIdentifier) ?? $0
      }
      let removed = present?.removed ?? []
      for identifier in order where !removed.contains(where: { $0.names(identifier) }) {
        if let entry = mine.removeValue(forKey: identifier) { cards.append(entry) }
      }
      var all = PageRecord(cards: cards, removed: removed, guests: present?.guests ?? [])
      // Widgets that were shown without being on the page also leave data behind.
      for guest in guests { all.note(guest: guest) }
      return all
    }
  }

  /// Removes all stored data of widgets whose bundles are gone from the disk; returns their
  /// identifiers.
  mutating func removeOrphans() -> Set<String> {
    let gone = (record?.all ?? []).filter {
      bundle($0.bundleIdentifier) == nil && OrphanedState.isGone($0, below: paths.folders)
    }
    guard !gone.isEmpty else { return [] }
    // A widget in a folder given with --widgets may also be installed.
    let usual =
      paths.areRequired ? BundleCatalog.scan(usualPaths, limits: limits) : BundleCatalog()
    let identifiers = Set(gone.map(\.bundleIdentifier))
    for identifier in identifiers where usual.widget(withIdentifier: identifier) == nil {
      OrphanedState.erase(ExtensionIdentity(identifier), from: folders)
    }
    record = OrphanedState.erase(identifiers, fromPagesIn: folders, present: recordPath)
    return identifiers
  }
}
