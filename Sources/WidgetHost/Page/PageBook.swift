public import WidgetKitCore

/// The page as commands see it: its widgets, and changes that a running dashboard follows.
public nonisolated struct PageBook {
  /// The bundles that were found.
  public let catalog: BundleCatalog
  /// The widgets that have nothing to show.
  public let contentFlags: ContentFlags

  private let paths: SearchPaths
  private let path: String
  private let reloads: ReloadRequests

  /// Searches for bundles and opens the record of the page that they form.
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

  /// The place of a widget.
  public enum Place: Hashable, Sendable {
    /// On the page; the first position is 1.
    case position(Int)
    /// Announced, but never added.
    case new
    /// Removed by the user.
    case removed
  }

  /// All widgets that were found, those on the page first, with their places.
  public var widgets: [(bundle: WidgetBundle, place: Place)] {
    let members = members()
    return members.shown.enumerated().map { ($1, .position($0 + 1)) }
      + members.new.map { ($0, .new) } + members.removed.map { ($0, .removed) }
  }

  /// Adds widgets at the end of the page; widgets that are already on it keep their places.
  public func add(_ identifiers: [String]) throws(HostError) {
    try change { cards, removed in
      for identifier in identifiers where !cards.contains(where: { $0.names(identifier) }) {
        let entry = removed.first { $0.names(identifier) } ?? entry(identifier)
        removed.removeAll { $0.names(identifier) }
        if let entry { cards.append(entry) }
      }
    }
  }

  /// Removes widgets from the page; their stored data stays.
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
  /// - Throws: ``HostError`` if the record cannot be written.
  public func move(_ identifier: String, to position: Int) throws(HostError) {
    try change { cards, _ in
      // Widgets on the page that cannot be shown at present keep their places between the others.
      let isShown = cards.map { catalog.widget(withIdentifier: $0.bundleIdentifier) != nil }
      var shown = zip(cards, isShown).filter(\.1).map(\.0)
      guard let from = shown.firstIndex(where: { $0.names(identifier) }) else { return }
      let entry = shown.remove(at: from)
      shown.insert(entry, at: min(max(0, position - 1), shown.count))
      for index in cards.indices where isShown[index] { cards[index] = shown.removeFirst() }
    }
  }

  /// Sets, for the widget's app, whether a widget has something to show; false removes its snapshots.
  ///
  /// - Throws: ``HostError`` if the flag cannot be written.
  public func set(hasContent: Bool, for identifier: String) throws(HostError) {
    try contentFlags.set(hasContent, for: identifier)
    guard var entry = entry(identifier), let path = entry.path else { return }
    let folder = paths.folders.first { path.hasPrefix($0 + "/") }
    entry.folderNumber = folder.flatMap(OrphanedState.number(ofFolder:))
    try PageRecord.change(self.path) { record in
      let members = PageMembers(catalog, record: record, paths: paths)
      // Without a record, the widgets that come with the program are on the page; writing one must not
      // remove them.
      var record = record ?? PageRecord(cards: members.shown.map(PageRecord.Entry.init))
      record.note(guest: entry)
      return record
    }
  }

  /// Requests updates now.
  ///
  /// - Returns: The number of requests: one for each widget that is on the page and has something to
  ///   show.
  public func reload(_ identifiers: [String]) throws(HostError) -> Int {
    let shown = Set(members().shown.map(\.bundleIdentifier))
    var count = 0
    for identifier in Set(identifiers).sorted() {
      guard shown.contains(identifier), contentFlags.hasContent(identifier) else { continue }
      try reloads.ask(ExtensionIdentity(identifier))
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
      // Widgets that come with the program are on the page even before there is a record.
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
  /// Creates the entry of a widget that has never run.
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
