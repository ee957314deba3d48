package import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// A widget that is installed and was never on the page.
public nonisolated struct AnnouncedWidget: Hashable, Sendable {
  /// The widget's identifier, cleaned; commands use it to name the widget.
  public var bundleIdentifier: SafeText
  /// The widget's name.
  public var name: SafeText

  package init(_ bundle: WidgetBundle) {
    bundleIdentifier = SafeText(bundle.bundleIdentifier)
    name = bundle.displayName
  }
}

/// A widget, or an instance of it, that has or can have a card.
public nonisolated struct PageMember: Sendable {
  /// The identity of the card.
  public var id: ExtensionIdentity
  /// The bundle of the widget.
  public var bundle: WidgetBundle
  /// The page on which it is; for one that is on no page, the one on which it is shown if need be.
  public var page: PageName
  /// The machines for which the card was added; nil for this one.
  package var host: RemoteDestination?

  /// The name in the heading.
  public var heading: SafeText { id.heading(bundle.displayName) }
}

/// Divides the widgets that were found into those on the pages and those that are only announced.
package nonisolated struct PageMembers {
  /// A page.
  package struct Page: Sendable {
    package var name: PageName
    /// The declaration in config.json; nil for a page that the program keeps.
    package var declared: DeclaredPage?
    /// The widgets on the page, in its order.
    package var members: [PageMember]
  }

  /// The pages in order; there is at least one.
  package private(set) var pages: [Page] = []
  /// The widgets that were never on a page.
  package private(set) var new: [PageMember] = []
  /// The widgets and instances that are known and on no page, such as those that the user has removed.
  package private(set) var removed: [PageMember] = []
  /// The widgets that come with the program, are on no page, and need no announcement.
  package private(set) var available: [PageMember] = []
  /// The cards of config.json whose widgets were not found.
  package private(set) var missing: [DeclaredPage.Card] = []

  /// The widgets on all pages, in their order.
  package var shown: [PageMember] { pages.flatMap(\.members) }

  /// Whether a card is on a page of config.json without being declared there, and can be removed from it.
  func hasComeByItself(_ id: ExtensionIdentity) -> Bool {
    pages.contains { page in
      guard let declared = page.declared, !declared.cards.contains(where: { $0.id == id }) else {
        return false
      }
      return page.members.contains {
        $0.id == id && $0.bundle.infoPlist.widgetExtension?.startsOnPage == .notices
      }
    }
  }

  /// The page on which a card is; nil if it is on none.
  package func page(of id: ExtensionIdentity) -> PageName? {
    pages.first { $0.members.contains { $0.id == id } }?.name
  }

  /// Divides the widgets according to config.json and the record.
  ///
  /// - Parameters:
  ///   - catalog: The bundles that were found.
  ///   - record: The record of the pages, or nil if there is none yet.
  ///   - paths: The folders that were searched. A page that the user made with `--widgets` shows all
  ///     widgets, whatever config.json says; the default page shows at first those that come with the
  ///     program, but for those that are to be added. Scripts are shown at its end, as the user has put them there.
  ///   - declared: The pages of config.json. They come first, and one of the record with the same name
  ///     is not shown.
  package init(
    _ catalog: BundleCatalog,
    record: PageRecord?,
    paths: SearchPaths,
    declared: [DeclaredPage] = []
  ) {
    var hosts: [ExtensionIdentity: RemoteDestination] = [:]
    for entry in record?.all ?? [] { hosts[entry.id] = entry.host }
    var bundles: [String: WidgetBundle] = [:]
    for widget in catalog.widgets { bundles[widget.bundleIdentifier] = widget }
    var placed: Set<ExtensionIdentity> = []
    func member(_ id: ExtensionIdentity, _ page: PageName) -> PageMember? {
      guard let bundle = bundles[id.bundleIdentifier], placed.insert(id).inserted else {
        return nil
      }
      return PageMember(id: id, bundle: bundle, page: page, host: hosts[id])
    }

    let declared = paths.areRequired ? [] : declared
    for page in declared {
      var members: [PageMember] = []
      for card in page.cards {
        let stated = Self.widgets(statedAs: card.id, bundles, catalog)
        if stated.isEmpty { missing.append(card) }
        members += stated.compactMap { member($0, page.name) }
      }
      pages.append(Page(name: page.name, declared: page, members: members))
    }
    if paths.areRequired {
      let members = (record?.cards ?? []).compactMap { member($0.id, .home) }
      pages.append(Page(name: .home, members: members))
    } else {
      for page in record?.pages ?? []
      where !declared.contains(where: { $0.name.isSame(as: page.name) }) {
        let members = page.cards.compactMap { member($0.id, page.name) }
        // A page whose widgets are not there at present stays in the record.
        if !members.isEmpty { pages.append(Page(name: page.name, members: members)) }
      }
    }
    if pages.isEmpty { pages.append(Page(name: .home, members: [])) }

    let first = pages.first?.name ?? .home
    for entry in record?.removed ?? [] {
      if let member = member(entry.id, first) { removed.append(member) }
    }
    // A page that config.json declares hides the one of the record.
    for entry in record?.cards ?? [] {
      if let member = member(entry.id, first) { removed.append(member) }
    }
    let known = Set(placed.map(\.bundleIdentifier))
    for widget in Self.inOrder(catalog.widgets) {
      let id = ExtensionIdentity(widget.bundleIdentifier)
      guard !placed.contains(id) else { continue }
      let cameWithProgram = paths.bundled.map { widget.path.hasPrefix($0 + "/") } ?? false
      let isOwnScript =
        widget.script?.showsAtOnce == true && !known.contains(widget.bundleIdentifier)
      let condition = widget.infoPlist.widgetExtension?.startsOnPage ?? .always
      let isOptional = cameWithProgram && !paths.machine.meets(condition)
      let isFirst = record == nil && declared.isEmpty && cameWithProgram && !isOptional
      let comesWithNotices = condition == .notices && cameWithProgram && !isOptional
      if comesWithNotices, !paths.areRequired, !known.contains(widget.bundleIdentifier) {
        if let member = member(id, first) { pages[0].members.insert(member, at: 0) }
      } else if paths.areRequired || isOwnScript || isFirst {
        // Such a page is the only one; a script comes on the first.
        if let member = member(id, first) { pages[0].members.append(member) }
      } else if known.contains(widget.bundleIdentifier) {
        // An instance of it is on a page, or was; the user knows the widget.
        continue
      } else if let member = member(id, first) {
        if isOptional { available.append(member) } else { new.append(member) }
      }
    }
  }

  /// Widgets in the order of a page that nobody has arranged: those with a position by it, then all others.
  private static func inOrder(_ widgets: [WidgetBundle]) -> [WidgetBundle] {
    func position(_ widget: WidgetBundle) -> Int {
      widget.infoPlist.widgetExtension?.startPosition ?? .max
    }
    return widgets.enumerated()
      .sorted { (position($0.element), $0.offset) < (position($1.element), $1.offset) }
      .map(\.element)
  }

  /// The cards that a page of config.json means: that of a widget, those of all blocks of a script, or, while these
  /// are not known, the one that stands for them.
  private static func widgets(
    statedAs id: ExtensionIdentity,
    _ bundles: [String: WidgetBundle],
    _ catalog: BundleCatalog
  ) -> [ExtensionIdentity] {
    if bundles[id.bundleIdentifier] != nil { return [id] }
    guard id.instance == nil else { return [] }
    let blocks = catalog.blocks(of: id.bundleIdentifier)
    guard blocks.isEmpty else { return blocks.map { ExtensionIdentity($0.bundleIdentifier) } }
    let standIn = catalog.widgets.first { widget in
      guard let script = widget.script, script.isSplit, script.block == nil else { return false }
      return id.bundleIdentifier.hasPrefix(script.identifier + ".")
    }
    return standIn.map { [ExtensionIdentity($0.bundleIdentifier)] } ?? []
  }
}

nonisolated extension PageMembers {
  /// What is wrong with the pages of config.json: cards whose widgets were not found.
  package func problems(in catalog: BundleCatalog) -> [SafeText] {
    missing.map { card in
      let identifier = card.id.bundleIdentifier
      let advice =
        catalog.nearestName(to: identifier).map { "did you mean “\($0)”?" }
        ?? "“today list” lists the installed widgets"
      return SafeText("\(card.place): no widget “\(identifier)”; \(advice)")
    }
  }
}
