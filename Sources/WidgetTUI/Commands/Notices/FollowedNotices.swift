import FoundationEssentials
import Notices

/// What is new in a list of notices since the one before.
struct FollowedNotices {
  /// A notice, and the list that it is of.
  typealias News = (entry: NoticeList.Entry, list: NoticeList)

  private var last: NoticeList?
  /// The number of the last line that was seen.
  private(set) var version = 0

  /// The name of the journal of the last list.
  var journal: UInt64? { last?.journal }

  /// Takes the present list.
  ///
  /// - Returns: The notices about which a line was written since the last call, and then those that have expired since, of
  ///   which no line tells.
  mutating func take(_ list: NoticeList, now: Date) -> [News] {
    // Numbers begin again in a journal that was removed.
    if list.journal != last?.journal { (last, version) = (nil, 0) }
    let changed = list.entries.filter { $0.version > version }.map { (entry: $0, list: list) }
    let news = changed + expired(list, now)
    version = max(version, list.lastVersion)
    last = list
    return news
  }

  private func expired(_ list: NoticeList, _ now: Date) -> [News] {
    guard let last else { return [] }
    let gone = last.entries.filter { entry in
      entry.state == .waiting && entry.expiry.map { $0 <= now } ?? false
    }
    guard !gone.isEmpty else { return [] }
    let present = Dictionary(list.entries.map { ($0.id, $0) }) { first, _ in first }
    return gone.compactMap { entry in
      // A transient one is in no list any more.
      guard let found = present[entry.id] else {
        var entry = entry
        entry.state = .earlier
        return (entry, last)
      }
      return found.state == .earlier && found.version == entry.version ? (found, list) : nil
    }
  }

  /// When the next notice expires; nil if none of the last list does.
  var nextExpiry: Date? {
    last?.entries.filter { $0.state == .waiting }.compactMap(\.expiry).min()
  }
}
