import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// The pages as commands see them: their widgets, and changes that a running dashboard follows.
public nonisolated struct PageBook {
  /// The bundles that were found.
  public let catalog: BundleCatalog
  /// The widgets that have nothing to show.
  public let contentFlags: ContentFlags

  private let editor: PageEditor
  private let reloads: ReloadRequests

  /// Searches for bundles and opens the record of the pages that they form.
  ///
  /// - Parameters:
  ///   - paths: The folders that are searched for bundles.
  ///   - environment: The user's environment, which says where the program's files are.
  ///   - limits: The limits of bundles.
  ///   - declared: The pages of config.json.
  public init(
    _ paths: SearchPaths,
    environment: [String: String],
    limits: BundleLimits = BundleLimits(),
    declared: [DeclaredPage] = []
  ) {
    let folders = StateFolders(environment: environment)
    catalog = BundleCatalog.scan(paths, limits: limits)
    editor = PageEditor(
      catalog: catalog,
      paths: paths,
      declared: declared,
      path: PageRecord.path(in: folders.pages, for: paths.folders)
    )
    contentFlags = ContentFlags(folders)
    reloads = ReloadRequests(folders)
  }

  /// Whether bytes are the record of a page.
  package static func isRecord(_ bytes: [UInt8]) -> Bool { PageRecord.decode(bytes) != nil }

  /// The place of a widget.
  public enum Place: Hashable, Sendable {
    /// On a page; the first position is 1.
    case position(Int, PageName)
    /// Announced, but never added.
    case new
    /// It comes with the program, and is not on a page until it is added.
    case available
    /// Known, but on no page.
    case removed
  }

  /// What is wrong with the pages of config.json: cards whose widgets were not found.
  public var problems: [SafeText] { editor.members.problems(in: catalog) }

  /// The names of the pages, in their order.
  public var pages: [PageName] { editor.members.pages.map(\.name) }

  /// All widgets that were found and their instances, those on the pages first, with their places.
  public var widgets: [(member: PageMember, place: Place)] {
    let members = editor.members
    let shown = members.pages.flatMap { page in
      page.members.enumerated().map { ($1, Place.position($0 + 1, page.name)) }
    }
    return shown + members.new.map { ($0, .new) } + members.available.map { ($0, .available) }
      + members.removed.map { ($0, .removed) }
  }

  /// The cards of a widget and its instances that are on a page, or were.
  public func cards(of bundleIdentifier: String) -> [ExtensionIdentity] {
    widgets.map(\.member.id).filter { $0.bundleIdentifier == bundleIdentifier }
  }

  /// The pages as config.json would have to declare them for changes; none if the program can make all.
  public func declarations(for changes: [PageChange]) -> [DeclaredPage] {
    editor.declarations(for: changes)
  }

  /// How config.json declares a page; nil for one that the program keeps.
  public func declaration(of page: PageName) -> DeclaredPage? {
    editor.members.pages.first { $0.name.isSame(as: page) }?.declared
  }

  /// Gives a page that the program keeps another name.
  ///
  /// - Throws: ``HostError`` if the record cannot be written.
  public func rename(_ page: PageName, to name: PageName) throws(HostError) {
    try editor.rename(page, to: name)
  }

  /// The page of config.json on which a script is without being declared there, as it is in a folder of
  /// scripts, and the path of its file; nil for all other cards.
  public func undeclaredScript(
    _ id: ExtensionIdentity
  ) -> (page: DeclaredPage, path: String)? {
    for page in editor.members.pages {
      guard let declared = page.declared, !declared.cards.contains(where: { $0.id == id }) else {
        continue
      }
      for member in page.members where member.id == id && member.bundle.script != nil {
        return (declared, member.bundle.path)
      }
    }
    return nil
  }

  /// Makes changes of the pages, all or none.
  ///
  /// - Throws: ``HostError`` if the record cannot be written.
  public func change(_ changes: [PageChange]) throws(HostError) {
    try editor.apply(changes)
  }

  /// Sets, for the widget's app, whether a widget has something to show; false removes its snapshots.
  ///
  /// - Throws: ``HostError`` if the flag cannot be written.
  public func set(hasContent: Bool, for id: ExtensionIdentity) throws(HostError) {
    try contentFlags.set(hasContent, for: id)
    guard let bundle = catalog.widget(withIdentifier: id.bundleIdentifier) else { return }
    var entry = PageRecord.Entry(bundle, id)
    let folder = editor.paths.all.first {
      bundle.path.hasPrefix($0 + "/")
    }
    entry.folderNumber = folder.flatMap(OrphanedState.number(ofFolder:))
    try PageRecord.change(editor.path) { record in
      let members = editor.members(record)
      // Without a record, the widgets that come with the program are on the page; writing one must not
      // remove them.
      var record =
        record
        ?? PageRecord(
          cards: members.pages.filter { $0.declared == nil }.flatMap(\.members)
            .map { PageRecord.Entry($0.bundle, $0.id) }
        )
      record.note(guest: entry)
      return record
    }
  }

  /// Requests updates now.
  ///
  /// - Returns: The number of requests: one for each card that is on a page and has something to show.
  public func reload(_ ids: [ExtensionIdentity]) throws(HostError) -> Int {
    let wanted = Set(ids)
    var count = 0
    for member in editor.members.shown
    where wanted.contains(member.id) && contentFlags.hasContent(member.id) {
      try reloads.ask(member.id)
      count += 1
    }
    return count
  }
}
