import FoundationEssentials
import Glibc
package import WidgetCards
package import WidgetKitCore
package import WidgetPlatform
import WidgetSessions

/// The cards of all pages in order, and those that the user removed: enough to draw a page from snapshots
/// before any bundle is read.
package nonisolated struct PageRecord: Hashable, Sendable {
  /// The pages in order; there is at least one.
  package var pages: [NamedPage]
  /// The cards that the user removed from the pages.
  package var removed: [Entry]
  /// Widgets that were shown or announced without being on a page of this record.
  var guests: [Entry]

  /// One page.
  package struct NamedPage: Codable, Hashable, Sendable {
    package var name: PageName
    /// The cards in page order.
    package var cards: [Entry]
  }

  /// One card.
  package struct Entry: Hashable, Sendable {
    package var id: ExtensionIdentity
    package var name: SafeText
    /// The form that the user has chosen; nil for none.
    package var displayMode: DisplayMode?
    package var offersExpanded: Bool
    package var marginInsets: EdgeInsets
    /// The path of the bundle when it was last read; nil in records of the first version.
    package var path: String?
    /// The inode number of the folder that contained the bundle.
    var folderNumber: UInt64?
    /// The number of columns that the card took up when the page was last shown.
    package var span = 1
    /// The sign before the name when the page was last shown, and its colour.
    package var mark = CardMark()
    /// The number of columns that the user has set on the page; nil if none was.
    package var chosenSpan: Int?
    /// The machines on which the widget runs, if it was added for them.
    package var host: RemoteDestination?

    /// Takes over the form from what is stored, unless this program has changed it since `base`, so that a
    /// change by another program stays.
    mutating func keepForm(of stored: Entry, since base: Entry?) {
      guard let base else { return }
      if displayMode == base.displayMode { displayMode = stored.displayMode }
      if offersExpanded == base.offersExpanded { offersExpanded = stored.offersExpanded }
    }
  }

  /// One page without a name of its own.
  package init(cards: [Entry] = [], removed: [Entry] = [], guests: [Entry] = []) {
    self.init(pages: [NamedPage(name: .home, cards: cards)], removed: removed, guests: guests)
  }

  package init(pages: [NamedPage], removed: [Entry] = [], guests: [Entry] = []) {
    self.pages = pages
    self.removed = removed
    self.guests = guests
  }

  /// The cards of all pages.
  package var cards: [Entry] { pages.flatMap(\.cards) }

  /// All widgets of which data may be stored.
  package var all: [Entry] { cards + removed + guests }

  /// The page of a name.
  package subscript(name: PageName) -> NamedPage? { pages.first { $0.name.isSame(as: name) } }

  /// Whether a card is on one of the pages.
  func hasCard(_ id: ExtensionIdentity) -> Bool {
    pages.contains { $0.cards.contains { $0.id == id } }
  }

  /// Adds a card at the end of a page, which is made if there is none of that name.
  package mutating func append(_ entry: Entry, to page: PageName) {
    insert(entry, to: page, isFirst: false)
  }

  /// Adds a card as the first or the last one of a page, which is made if there is none of that name.
  package mutating func insert(_ entry: Entry, to page: PageName, isFirst: Bool) {
    if let index = pages.firstIndex(where: { $0.name.isSame(as: page) }) {
      pages[index].cards.insert(entry, at: isFirst ? 0 : pages[index].cards.count)
    } else {
      pages.append(NamedPage(name: page, cards: [entry]))
    }
  }

  /// Takes a card off its page; returns its entry.
  @discardableResult
  package mutating func take(_ id: ExtensionIdentity) -> Entry? {
    for page in pages.indices {
      guard let index = pages[page].cards.firstIndex(where: { $0.id == id }) else { continue }
      return pages[page].cards.remove(at: index)
    }
    return nil
  }

  /// Changes what is stored of a card on a page.
  package mutating func change(_ id: ExtensionIdentity, _ change: (inout Entry) -> Void) {
    for page in pages.indices {
      for card in pages[page].cards.indices where pages[page].cards[card].id == id {
        change(&pages[page].cards[card])
      }
    }
  }

  /// Removes pages without cards, except the first one.
  mutating func dropEmptyPages() {
    let kept = pages.filter { !$0.cards.isEmpty }
    pages = kept.isEmpty ? Array(pages.prefix(1)) : kept
    if pages.isEmpty { pages = [NamedPage(name: .home, cards: [])] }
  }

  /// Records a widget that is not on a page.
  package mutating func note(guest: Entry) {
    guests.removeAll { $0.id == guest.id }
    if !hasCard(guest.id), !removed.contains(where: { $0.id == guest.id }) { guests.append(guest) }
  }

  /// Removes everything of some bundles, with all their instances.
  package mutating func erase(_ identifiers: Set<String>) {
    func isErased(_ entry: Entry) -> Bool { identifiers.contains(entry.id.bundleIdentifier) }
    for page in pages.indices { pages[page].cards.removeAll(where: isErased) }
    removed.removeAll(where: isErased)
    guests.removeAll(where: isErased)
    dropEmptyPages()
  }

  private static let byteLimit = 1024 * 1024

  /// Reads a record; returns nil if the bytes are not a record.
  static func decode(_ bytes: [UInt8]) -> PageRecord? {
    try? JSONDecoder().decode(PageRecord.self, from: Data(bytes))
  }

  /// Returns the record at a path, or nil if there is none yet.
  package static func read(_ path: String) -> PageRecord? {
    DurableFile.read(path, byteLimit: byteLimit).flatMap(decode)
  }

  /// Changes the record on disk under a lock, so that no concurrent change is lost.
  ///
  /// - Parameters:
  ///   - path: The record's file.
  ///   - patience: How long to wait for another program that changes the record.
  ///   - body: Returns the new record for the current one, which is nil if there is none yet.
  /// - Returns: The new record.
  /// - Throws: The errors of `body`, and ``HostError`` if the file cannot be written.
  @discardableResult
  package static func change(
    _ path: String,
    within patience: Duration = .seconds(2),
    _ body: (PageRecord?) throws(HostError) -> PageRecord
  ) throws(HostError) -> PageRecord {
    let lock = try lock(path, within: patience)
    defer { withExtendedLifetime(lock) {} }
    let present = try presentRecord(path)
    let new = try body(present)
    guard new != present else { return new }
    let bytes: Data
    do {
      bytes = try JSONEncoder().encode(new)
    } catch {
      throw HostError(code: .file, description: "could not write \(path): \(error)")
    }
    try DurableFile.write(bytes, to: path)
    return new
  }

  /// Returns the record that is to be changed; a file that cannot be read is not overwritten.
  private static func presentRecord(_ path: String) throws(HostError) -> PageRecord? {
    guard case .odd(let reason) = DurableFile.contents(path, byteLimit: byteLimit) else {
      return read(path)
    }
    throw HostError(
      code: .file,
      description: "could not read the page \(path): \(reason); move it away and try again"
    )
  }

  /// Waits for the lock of a page.
  ///
  /// Returns nil if it need not wait for another program, or if there can be no lock, as on a read-only
  /// disk; in that case writing reports the error.
  private static func lock(
    _ path: String,
    within patience: Duration
  ) throws(HostError) -> RefreshLock? {
    let end = ContinuousClock.now + patience
    while true {
      let isKnown: Bool
      switch RefreshLock.attempt(path + ".lock") {
      case .held(let lock): return lock
      // Only programs of this kind change pages.
      case .unavailable, .foreign: return nil
      case .busy(let known): isKnown = known
      }
      guard ContinuousClock.now < end else {
        guard isKnown else { return nil }
        throw HostError(
          code: .busy,
          description: "another program is changing the page (\(path)); try again"
        )
      }
      usleep(2_000)
    }
  }

  /// Returns the path of the record for the page of these folders.
  package static func path(in folder: String, for searchPaths: [String]) -> String {
    let hash = StableHash.value(of: searchPaths.joined(separator: "\n"))
    return "\(folder)/\(String(hash, radix: 16)).json"
  }
}

nonisolated extension PageRecord.Entry {
  /// Describes a card for the next start, which draws it before the bundle is read.
  package init(_ card: Card) {
    self.init(
      id: card.id,
      name: card.name,
      displayMode: card.chosenMode,
      offersExpanded: card.offersExpanded,
      marginInsets: card.marginInsets,
      span: card.span,
      mark: card.mark
    )
  }

  /// Creates the entry of a widget that has never run.
  package init(_ bundle: WidgetBundle, _ id: ExtensionIdentity) {
    self.init(
      id: id,
      name: id.heading(bundle.displayName),
      displayMode: nil,
      offersExpanded: false,
      marginInsets: .proposed,
      path: bundle.path,
      mark: bundle.infoPlist.widgetExtension?.mark ?? CardMark()
    )
  }
}
