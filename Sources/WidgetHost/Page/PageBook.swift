public import WidgetKitCore

/// The page as commands see it: what is on it, and changes to that which a running dashboard follows.
public nonisolated struct PageBook {
  /// What was found.
  public let catalog: BundleCatalog
  /// Which widgets have said that there is nothing to show.
  public let contentFlags: ContentFlags

  private let paths: SearchPaths
  private let path: String
  private let reloads: ReloadRequests

  /// Looks for bundles and opens the record of the page that they make.
  public init(
    _ paths: SearchPaths,
    environment: [String: String],
    limits: BundleLimits = BundleLimits()
  ) {
    let folders = StateFolders(environment: environment)
    self.paths = paths
    catalog = BundleCatalog.scan(paths, limits: limits)
    path = PageRecord.path(in: folders.pages, for: paths.folders)
    contentFlags = ContentFlags(folders)
    reloads = ReloadRequests(folders)
  }

  /// Whether bytes are the record of a page.
  package static func isRecord(_ bytes: [UInt8]) -> Bool { PageRecord.decode(bytes) != nil }

  /// Where a widget stands.
  public enum Place: Hashable, Sendable {
    /// On the page; the first is 1.
    case position(Int)
    /// Announced, never added.
    case new
    /// Taken off by the user.
    case removed
  }

  /// All widgets that were found, those on the page first, with their places.
  public var widgets: [(bundle: WidgetBundle, place: Place)] {
    let members = members()
    return members.shown.enumerated().map { ($1, .position($0 + 1)) }
      + members.new.map { ($0, .new) } + members.removed.map { ($0, .removed) }
  }

  /// Puts widgets on the page, behind those that are there; what is on it stays where it is.
  public func add(_ identifiers: [String]) throws(HostError) {
    try change { cards, removed in
      for identifier in identifiers where !cards.contains(where: { $0.names(identifier) }) {
        let entry = removed.first { $0.names(identifier) } ?? entry(identifier)
        removed.removeAll { $0.names(identifier) }
        if let entry { cards.append(entry) }
      }
    }
  }

  /// Takes widgets off the page; what is kept of them stays.
  public func remove(_ identifiers: [String]) throws(HostError) {
    try change { cards, removed in
      for identifier in identifiers {
        let entry = cards.first { $0.names(identifier) } ?? entry(identifier)
        cards.removeAll { $0.names(identifier) }
        if let entry, !removed.contains(where: { $0.names(identifier) }) { removed.append(entry) }
      }
    }
  }

  /// Moves a widget to another place on the page.
  ///
  /// - Parameters:
  ///   - identifier: A widget that is on the page.
  ///   - position: Its new place, from 1 to the number of cards.
  /// - Throws: ``HostError`` where the record cannot be written.
  public func move(_ identifier: String, to position: Int) throws(HostError) {
    try change { cards, _ in
      // What is on the page and cannot be shown at present keeps its place between the others.
      let isShown = cards.map { catalog.widget(withIdentifier: $0.bundleIdentifier) != nil }
      var shown = zip(cards, isShown).filter(\.1).map(\.0)
      guard let from = shown.firstIndex(where: { $0.names(identifier) }) else { return }
      let entry = shown.remove(at: from)
      shown.insert(entry, at: min(max(0, position - 1), shown.count))
      for index in cards.indices where isShown[index] { cards[index] = shown.removeFirst() }
    }
  }

  /// Says whether a widget has something to show, for its app; false drops its snapshots.
  ///
  /// - Throws: ``HostError`` where it cannot be kept.
  public func set(hasContent: Bool, for identifier: String) throws(HostError) {
    try contentFlags.set(hasContent, for: identifier)
    guard var entry = entry(identifier), let path = entry.path else { return }
    let folder = paths.folders.first { path.hasPrefix($0 + "/") }
    entry.folderNumber = folder.flatMap(OrphanedState.number(ofFolder:))
    try PageRecord.change(self.path) { record in
      let members = PageMembers(catalog, record: record, paths: paths)
      // Without a record what came with the program is on the page; one must not take it off.
      var record = record ?? PageRecord(cards: members.shown.map(PageRecord.Entry.init))
      record.note(guest: entry)
      return record
    }
  }

  /// Asks for updates now.
  ///
  /// - Returns: How many were asked: those that are on the page and have something to show.
  public func reload(_ identifiers: [String]) throws(HostError) -> Int {
    let shown = Set(members().shown.map(\.bundleIdentifier))
    var count = 0
    for identifier in Set(identifiers).sorted() {
      guard shown.contains(identifier), contentFlags.hasContent(identifier) else { continue }
      try reloads.ask(CardID(identifier))
      count += 1
    }
    return count
  }

  private func members() -> PageMembers {
    PageMembers(catalog, record: PageRecord.read(path), paths: paths)
  }

  private func entry(_ identifier: String) -> PageRecord.Entry? {
    catalog.widget(withIdentifier: identifier).map(PageRecord.Entry.init)
  }

  private func change(
    _ body: (inout [PageRecord.Entry], inout [PageRecord.Entry]) -> Void
  ) throws(HostError) {
    try PageRecord.change(path) { record in
      // What has no record yet is on the page all the same: what came with the program.
      let members = PageMembers(catalog, record: record, paths: paths)
      let known = Dictionary(
        (record?.cards ?? []).map { ($0.bundleIdentifier, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      var cards = record?.cards ?? []
      for widget in members.shown where known[widget.bundleIdentifier] == nil {
        cards.append(PageRecord.Entry(widget))
      }
      var removed = record?.removed ?? []
      body(&cards, &removed)
      return PageRecord(cards: cards, removed: removed, guests: record?.guests ?? [])
    }
  }
}

nonisolated extension PageRecord.Entry {
  /// What is known of a widget that never ran.
  init(_ bundle: WidgetBundle) {
    self.init(
      bundleIdentifier: bundle.bundleIdentifier,
      name: bundle.displayName,
      displayMode: .compact,
      offersExpanded: false,
      marginInsets: .proposed,
      path: bundle.path
    )
  }

  func names(_ identifier: String) -> Bool { bundleIdentifier == identifier }
}
