import FoundationEssentials
import Glibc
import WidgetKitCore

/// What is on a page, in which order, and what the user took off it: enough to draw it from
/// snapshots before any bundle is read.
nonisolated struct PageRecord: Codable, Hashable, Sendable {
  /// The cards in page order.
  var cards: [Entry]
  /// Those that the user took off the page.
  var removed: [Entry]
  /// Those that were shown, or spoken of, without being on the page.
  var guests: [Entry]

  /// All widgets of which something may be kept.
  var all: [Entry] { cards + removed + guests }

  /// One card.
  struct Entry: Codable, Hashable, Sendable {
    var bundleIdentifier: String
    var name: SafeText
    var displayMode: DisplayMode
    var offersExpanded: Bool
    var marginInsets: EdgeInsets
    /// Where its bundle lay when it was read last; nil in records of the first version.
    var path: String?
    /// Which folder of bundles that was.
    var folderNumber: UInt64?
  }

  init(cards: [Entry] = [], removed: [Entry] = [], guests: [Entry] = []) {
    self.cards = cards
    self.removed = removed
    self.guests = guests
  }

  /// Remembers a widget that is not on the page.
  mutating func note(guest: Entry) {
    guests.removeAll { $0.names(guest.bundleIdentifier) }
    if !(cards + removed).contains(where: { $0.names(guest.bundleIdentifier) }) {
      guests.append(guest)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cards = try container.decode([Entry].self, forKey: .cards)
    removed = try container.decodeIfPresent([Entry].self, forKey: .removed) ?? []
    guests = try container.decodeIfPresent([Entry].self, forKey: .guests) ?? []
  }

  private static let byteLimit = 1024 * 1024

  /// Reads a record; nil where the bytes are none.
  static func decode(_ bytes: [UInt8]) -> PageRecord? {
    try? JSONDecoder().decode(PageRecord.self, from: Data(bytes))
  }

  /// The record of the page that these folders make; nil where there is none yet.
  static func read(_ path: String) -> PageRecord? {
    DurableFile.read(path, byteLimit: byteLimit).flatMap(decode)
  }

  /// Changes the record on disk under a lock, so that of two changes at once none is lost.
  ///
  /// - Parameters:
  ///   - path: The record's file.
  ///   - patience: How long another program that changes it is waited for.
  ///   - body: Makes the new record of the present one; nil where there is none yet.
  /// - Returns: The new record.
  /// - Throws: What `body` throws, and ``HostError`` where the file cannot be written.
  @discardableResult
  static func change(
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

  /// What is to be changed; what cannot be looked at is not written over.
  private static func presentRecord(_ path: String) throws(HostError) -> PageRecord? {
    guard case .odd(let reason) = DurableFile.contents(path, byteLimit: byteLimit) else {
      return read(path)
    }
    throw HostError(
      code: .file,
      description: "could not read the page \(path): \(reason); move it away and try again"
    )
  }

  /// Waits for the right to change a page; nil where nobody is to be waited for, and where there can
  /// be no lock, as on a disk that is read-only: then writing says what is wrong.
  private static func lock(
    _ path: String,
    within patience: Duration
  ) throws(HostError) -> RefreshLock? {
    let end = ContinuousClock.now + patience
    while true {
      let isKnown: Bool
      switch RefreshLock.attempt(path + ".lock") {
      case .held(let lock): return lock
      // What is no program like this one changes no page.
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

  /// The file for the page of these folders.
  static func path(in folder: String, for searchPaths: [String]) -> String {
    let hash = StableHash.value(of: searchPaths.joined(separator: "\n"))
    return "\(folder)/\(String(hash, radix: 16)).json"
  }
}
