import FoundationEssentials
import Notices

/// What is new in a list of notices since the one before.
struct FollowedNotices {
  /// What became of a notice.
  struct News {
    var entry: NoticeList.Entry
    /// The list that it is of.
    var list: NoticeList
    /// The number of the notice that has taken its place; nil if none has.
    var replacement: Int?

    /// A line of JSON without its end: that of the notice, with `replacedBy` if another one has taken its place; nil if
    /// it cannot be read.
    var json: [UInt8]? {
      guard let line = list.json(entry) else { return nil }
      return replacement.map { Array("{\"replacedBy\":\"\($0)\",".utf8) + line.dropFirst() } ?? line
    }
  }

  private var last: NoticeList?
  /// The number of the last line that was seen.
  private(set) var version = 0

  /// The name of the journal of the last list.
  var journal: UInt64? { last?.journal }

  /// Takes the present list.
  ///
  /// - Returns: The notices whose place others have taken since the last call, then those about which a line was written,
  ///   and then those that have expired or are not kept any more, of which no line tells.
  mutating func take(_ list: NoticeList, now: Date) -> [News] {
    // Numbers begin again in a journal that was removed.
    if list.journal != last?.journal { (last, version) = (nil, 0) }
    let changed = list.entries.filter { $0.version > version }.map { News(entry: $0, list: list) }
    let ended = ended(list, now)
    version = max(version, list.lastVersion)
    last = list
    return ended.filter { $0.replacement != nil } + changed
      + ended.filter { $0.replacement == nil }
  }

  /// Those that have waited, and do so no longer without a line that says so.
  private func ended(_ list: NoticeList, _ now: Date) -> [News] {
    guard let last else { return [] }
    let present = Dictionary(list.entries.map { ($0.id, $0) }) { first, _ in first }
    var tags: [Tag: Int]?
    var news: [News] = []
    for entry in last.entries where entry.state == .waiting {
      if let found = present[entry.id] {
        let hasExpired = found.state == .earlier && found.version == entry.version
        if hasExpired { news.append(News(entry: found, list: list)) }
        continue
      }
      var gone = entry
      gone.state = .earlier
      var ended = News(entry: gone, list: last)
      if let tag = last.notice(entry).flatMap(Tag.init) {
        let known = tags ?? Self.tags(of: list)
        tags = known
        ended.replacement = known[tag].flatMap { $0 > entry.id ? $0 : nil }
      }
      news.append(ended)
    }
    return news
  }

  /// When the next notice expires; nil if none of the last list does.
  var nextExpiry: Date? {
    last?.entries.filter { $0.state == .waiting }.compactMap(\.expiry).min()
  }

  // MARK: - Tags

  /// What two notices have in common of which the later one takes the place of the first.
  private struct Tag: Hashable {
    var host: String?
    var application: String
    var tag: String

    init?(_ notice: Notice) {
      guard let tag = notice.content.tag else { return nil }
      (host, application, self.tag) = (notice.content.host, notice.content.application, tag)
    }
  }

  private static func tags(of list: NoticeList) -> [Tag: Int] {
    list.entries.reduce(into: [:]) { tags, entry in
      if let tag = list.notice(entry).flatMap(Tag.init) { tags[tag] = entry.id }
    }
  }
}
