package import WidgetExtensions
import WidgetKitCore
public import WidgetPlatform

/// A change of the pages that a user makes.
public nonisolated enum PageChange: Hashable, Sendable {
  /// Adds a card at the end of a page, nil for the first one; a card that is on a page keeps its place.
  case add(ExtensionIdentity, page: PageName?)
  /// Takes a card off its page; its stored data stays.
  case remove(ExtensionIdentity)
  /// Moves a card to a position, from 1, on a page; nil means its own page, and the end.
  case move(ExtensionIdentity, page: PageName?, position: Int?)
  /// Sets the number of columns that a card takes up; nil leaves it to the manifest.
  case span(ExtensionIdentity, Int?)
  /// Sets the machines on which the widget of a card runs, as ssh or `hosts` of config.json has them.
  case host(ExtensionIdentity, String)

  /// The card that is changed.
  public var card: ExtensionIdentity {
    switch self {
    case .add(let id, page: _), .remove(let id), .move(let id, page: _, position: _),
      .span(let id, _), .host(let id, _):
      id
    }
  }

  /// The page that is named; nil if it is the card's own, or the first one.
  package var page: PageName? {
    switch self {
    case .add(_, let page), .move(_, let page, position: _): page
    case .remove, .span, .host: nil
    }
  }
}

/// Which cards are on which page, in which order and how wide: what undoing a change restores.
public nonisolated struct PageArrangement: Hashable, Sendable {
  /// The record at that time; nil if there was none.
  package let record: PageRecord?
}

/// Changes the pages on disk.
package nonisolated struct PageEditor {
  package let catalog: BundleCatalog
  package let paths: SearchPaths
  /// The pages of config.json.
  package let declared: [DeclaredPage]
  /// The file of the record.
  package let path: String

  /// Which widgets are on which page now.
  package var members: PageMembers { members(PageRecord.read(path)) }

  package func members(_ record: PageRecord?) -> PageMembers {
    PageMembers(catalog, record: record, paths: paths, declared: declared)
  }

  /// The pages as config.json would have to declare them for changes; none if the program can make all.
  package func declarations(for changes: [PageChange]) -> [DeclaredPage] {
    declarations(for: changes, members)
  }

  private func declarations(
    for changes: [PageChange],
    _ members: PageMembers
  ) -> [DeclaredPage] {
    var pages: [DeclaredPage] = []
    for change in changes {
      let own = members.page(of: change.card)
      if case .add = change, own != nil { continue }
      if case .remove = change, own == nil || members.hasComeByItself(change.card) { continue }
      let target = change.page ?? own ?? members.pages.first?.name
      // A card that moves between two pages has to be written where it comes to, and be removed.
      for page in members.pages.compactMap(\.declared)
      where [target, own].contains(where: { $0.map { $0.isSame(as: page.name) } ?? false }) {
        if let index = pages.firstIndex(where: { $0.name == page.name }) {
          pages[index] = pages[index].applying([change])
        } else {
          pages.append(page.applying([change]))
        }
      }
    }
    return pages
  }

  /// Makes changes that the program can make; those of pages of config.json are left out.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - patience: How long to wait for another program that changes the record.
  /// - Returns: What undoing them restores.
  /// - Throws: ``HostError`` if the record cannot be written.
  @discardableResult
  package func apply(
    _ changes: [PageChange],
    within patience: Duration = .seconds(2)
  ) throws(HostError) -> PageArrangement {
    try change(within: patience) { present in
      var record = whole(present)
      let members = members(present)
      for change in changes where declarations(for: [change], members).isEmpty {
        apply(change, to: &record)
      }
      record.dropEmptyPages()
      return record
    }
  }

  /// Replaces the record by another one; returns what undoing that restores.
  private func change(
    within patience: Duration,
    _ body: (PageRecord?) -> PageRecord
  ) throws(HostError) -> PageArrangement {
    var before: PageRecord?
    try PageRecord.change(path, within: patience) { present in
      before = present
      return body(present)
    }
    return PageArrangement(record: before)
  }

  /// Gives a page another name; its cards and its place stay.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - name: The name, which no other page has.
  ///   - patience: How long to wait for another program that changes the record.
  /// - Returns: What undoing it restores.
  /// - Throws: ``HostError`` if the record cannot be written.
  @discardableResult
  package func rename(
    _ page: PageName,
    to name: PageName,
    within patience: Duration = .seconds(2)
  ) throws(HostError) -> PageArrangement {
    try change(within: patience) { present in
      var record = whole(present)
      if let index = record.pages.firstIndex(where: { $0.name.isSame(as: page) }) {
        record.pages[index].name = name
      }
      return record
    }
  }

  /// Restores which cards are on which page; what was stored of the cards meanwhile stays.
  ///
  /// - Returns: What undoing it restores.
  @discardableResult
  package func restore(
    _ arrangement: PageArrangement,
    within patience: Duration
  ) throws(HostError) -> PageArrangement {
    try change(within: patience) { present in
      let now = whole(present)
      let newest = Dictionary(now.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      func restored(_ entry: PageRecord.Entry) -> PageRecord.Entry {
        var new = newest[entry.id] ?? entry
        new.chosenSpan = entry.chosenSpan
        return new
      }
      let old = whole(arrangement.record)
      var record = PageRecord(
        pages: old.pages.map { page in
          PageRecord.NamedPage(name: page.name, cards: page.cards.map(restored))
        },
        removed: old.removed.map(restored),
        guests: now.guests
      )
      // Data of an instance that was added meanwhile is still known.
      for entry in now.cards where !record.hasCard(entry.id) { record.note(guest: entry) }
      return record
    }
  }

  /// The record with the widgets that are on the page before there is a record.
  private func whole(_ present: PageRecord?) -> PageRecord {
    var record = present ?? PageRecord()
    let members = members(present)
    for page in members.pages where page.declared == nil {
      for (place, member) in page.members.enumerated() where !record.hasCard(member.id) {
        let entry = PageRecord.Entry(member.bundle, member.id)
        record.insert(entry, to: page.name, isFirst: place == 0)
      }
    }
    return record
  }

  private func apply(_ change: PageChange, to record: inout PageRecord) {
    let id = change.card
    switch change {
    case .add(_, let page):
      guard !record.hasCard(id), let entry = known(id, in: record) else { return }
      record.removed.removeAll { $0.id == id }
      record.guests.removeAll { $0.id == id }
      record.append(entry, to: page ?? members(record).pages.first?.name ?? .home)
    case .remove:
      guard let entry = record.take(id) ?? known(id, in: record) else { return }
      if !record.removed.contains(where: { $0.id == id }) { record.removed.append(entry) }
    case .move(_, let page, let position): move(id, to: page, at: position, in: &record)
    case .span(_, let span): record.change(id) { $0.chosenSpan = span }
    case .host(_, let host): record.change(id) { $0.host = RemoteDestination(host) }
    }
  }

  private func move(
    _ id: ExtensionIdentity,
    to page: PageName?,
    at position: Int?,
    in record: inout PageRecord
  ) {
    guard let own = record.pages.first(where: { $0.cards.contains { $0.id == id } })?.name,
      let entry = record.take(id)
    else { return }
    let target = page ?? own
    record.append(entry, to: target)
    guard let position, let index = record.pages.firstIndex(where: { $0.name.isSame(as: target) })
    else { return }
    // Widgets on the page that cannot be shown at present keep their places between the others.
    let cards = record.pages[index].cards
    let isShown = cards.map { catalog.widget(withIdentifier: $0.id.bundleIdentifier) != nil }
    var shown = zip(cards, isShown).filter(\.1).map(\.0)
    guard let last = shown.popLast() else { return }
    shown.insert(last, at: min(max(0, position - 1), shown.count))
    for place in cards.indices where isShown[place] {
      record.pages[index].cards[place] = shown.removeFirst()
    }
  }

  /// What is stored of a card, or the entry of a new one.
  private func known(_ id: ExtensionIdentity, in record: PageRecord) -> PageRecord.Entry? {
    record.all.first { $0.id == id }
      ?? catalog.widget(withIdentifier: id.bundleIdentifier).map { PageRecord.Entry($0, id) }
  }
}
