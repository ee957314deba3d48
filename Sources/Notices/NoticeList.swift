package import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The notices of a store at one moment, those that were posted first before the others.
///
/// A value of 100,000 notices is made in milliseconds, as the content of each is read only when it is asked for.
package struct NoticeList: Sendable {
  /// A notice of the list, without its content.
  package struct Entry: Hashable, Sendable {
    /// Its number.
    package var id: Int
    package var date: Date
    package var expiry: Date?
    package var urgency: NoticeContent.Urgency
    package var state: Notice.State
    /// The number of the last line about it: greater than that of any line that was written before.
    package var version: Int
    fileprivate var application: UInt64
    /// The place of its line.
    fileprivate(set) var place: NoticeJournal.Place
    /// The place of the last line that says what became of it among those of the journal; -1 without any.
    fileprivate(set) var change: Int32
  }

  /// All of them.
  package private(set) var entries: [Entry] = []
  /// The name of the journal; another one means that numbers begin again.
  package let journal: UInt64?
  /// The number of the last line of the journal.
  package let lastVersion: Int
  /// How many lines of the journal are damaged.
  package let damagedCount: Int
  private let contents: JournalContents?
  private let changes: [NoticeJournal.Change]

  /// An empty list, as of a journal that was never written.
  init() {
    (journal, lastVersion, damagedCount, contents, changes) = (nil, 0, 0, nil, [])
  }

  /// What a journal has at a moment, and its file for the contents.
  ///
  /// Without notices that were replaced, are too old or too many, or are transient and no longer wait.
  init(
    _ journal: NoticeJournal,
    _ file: consuming Descriptor,
    settings: NoticeSettings,
    now: Date
  ) {
    self.init(journal, JournalContents(file), settings: settings, now: now)
  }

  /// A list without contents.
  init(_ journal: NoticeJournal, settings: NoticeSettings, now: Date) {
    self.init(journal, nil, settings: settings, now: now)
  }

  private init(
    _ journal: NoticeJournal,
    _ contents: JournalContents?,
    settings: NoticeSettings,
    now: Date
  ) {
    (self.journal, lastVersion) = (journal.head.name, journal.lastSequence)
    (damagedCount, self.contents) = (journal.damagedCount, contents)
    changes = journal.changes
    let time = NoticeTime.milliseconds(now)
    let oldest = time - settings.days * 86_400_000
    entries.reserveCapacity(journal.posts.count)
    for post in journal.posts where !post.isReplaced {
      let state = journal.state(of: post, at: time)
      let isCritical = post.urgency == .critical && state == .waiting
      // How old it is is not known.
      let isUndated = post.time < Self.firstTime && state == .waiting
      guard post.time >= oldest || isCritical || isUndated,
        state == .waiting || !post.isTransient
      else { continue }
      entries.append(Entry(post, state, version: journal.change(of: post)?.sequence))
    }
    dropOverCount(settings.count)
  }

  /// The beginning of 2020 in milliseconds since 1970: what was posted before was so while the clock was wrong, as on a
  /// machine that has not got the time from the network yet.
  private static let firstTime = 1_577_836_800_000

  /// Drops the first ones over a count, but never the last one, which was just posted.
  ///
  /// An application that has more than half of them loses its own first. Critical ones that wait are the last to go.
  private mutating func dropOverCount(_ count: Int) {
    var surplus = entries.count - count
    guard surplus > 0, let last = entries.last?.id else { return }
    let sizes = entries.reduce(into: [:]) { $0[$1.application, default: 0] += 1 }
    let largest = sizes.max { $0.value < $1.value }
    let isFlood = largest.map { $0.value > count / 2 } ?? false
    var share = isFlood ? min(surplus, (largest?.value ?? 0) - count / 2) : 0
    surplus -= share
    func drop(_ rest: inout Int, _ mayGo: (Entry) -> Bool) {
      entries.removeAll { entry in
        guard rest > 0, entry.id != last, mayGo(entry) else { return false }
        rest -= 1
        return true
      }
    }
    func isCritical(_ entry: Entry) -> Bool {
      entry.urgency == .critical && entry.state == .waiting
    }
    drop(&share) { $0.application == largest?.key && !isCritical($0) }
    drop(&share) { $0.application == largest?.key }
    surplus += share
    drop(&surplus) { !isCritical($0) }
    drop(&surplus) { _ in true }
  }

  // MARK: - Choosing

  /// How many notices wait.
  package var waitingCount: Int { entries.count { $0.state == .waiting } }

  /// The notice of a number; nil if there is none.
  package subscript(id: Int) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? entries[low] : nil
  }

  /// Keeps those that wait, that were posted at a date or later, and that are of some applications.
  ///
  /// - Parameters:
  ///   - waiting: Whether only those that wait are kept.
  ///   - since: The first date; nil for any.
  ///   - applications: The applications, without regard to upper and lower case; empty for all.
  package mutating func keep(waiting: Bool = false, since: Date? = nil, applications: [String] = [])
  {
    let wanted = Set(applications.map(NoticeJournal.Post.hash))
    entries.removeAll { entry in
      waiting && entry.state != .waiting || since.map { entry.date < $0 } ?? false
        || !wanted.isEmpty && !wanted.contains(entry.application)
    }
  }

  /// Keeps those of applications that one of some patterns fits; all if there are no patterns.
  package mutating func keep(applicationsLike patterns: [String]) {
    guard patterns.contains(where: { $0.contains { "*?".contains($0) } }) else {
      return keep(applications: patterns)
    }
    let patterns = patterns.map(NoticePattern.init)
    var wanted: [UInt64: Bool] = [:]
    for entry in entries where wanted[entry.application] == nil {
      let name = notice(entry)?.content.application ?? ""
      wanted[entry.application] = patterns.contains { $0.fits(name) }
    }
    entries.removeAll { wanted[$0.application] != true }
  }

  /// Keeps those about which a line was written after the one of a number.
  package mutating func keep(after version: Int) { entries.removeAll { $0.version <= version } }

  // MARK: - Contents

  /// The whole notice; nil if its line is none any more, or its JSON is none of a notice.
  package func notice(_ entry: Entry) -> Notice? {
    guard let (bytes, line) = contents?.line(entry.place),
      let content = NoticeContent(json: bytes[NoticeJournal.Post.json(line, in: bytes)])
    else { return nil }
    return Notice(
      id: entry.id,
      date: entry.date,
      expiry: entry.expiry,
      content: content,
      state: entry.state
    )
  }

  private func lastChange(of entry: Entry) -> NoticeJournal.Change? {
    entry.change < 0 ? nil : changes[Int(entry.change)]
  }

  /// The place of the line that says what became of a notice last.
  func place(ofChangeOf entry: Entry) -> NoticeJournal.Place? { lastChange(of: entry)?.place }

  /// What became of a notice last; nil if nothing did.
  package func change(of entry: Entry) -> NoticeChange? {
    guard let change = lastChange(of: entry) else { return nil }
    switch change.kind {
    case .dismissed: return .dismissed
    case .seen: return .seen
    case .waiting: return .waiting
    case .acted:
      guard let (bytes, line) = contents?.line(change.place) else { return .acted(action: "") }
      var fields = FieldReader(bytes, line.rest)
      fields.skip()
      let action = try? JSONDocumentDecoder().decode(NoticeAction.self, from: bytes[fields.left])
      return .acted(action: action?.name ?? "")
    case .head, .post: return nil
    }
  }

  /// A notice as a line of JSON without its end: that of its content, behind `id`, `date`, `expires` and `state`.
  ///
  /// `{"id":"42","date":"2026-11-28T07:04:53Z","state":"waiting","application":"make",…}`
  ///
  /// - Returns: The line, which has no other members and no character that acts on a terminal, whatever is in the
  ///   journal; nil if the line in the journal is none of a notice.
  package func json(_ entry: Entry) -> [UInt8]? {
    guard let (bytes, line) = contents?.line(entry.place) else { return nil }
    var json = bytes[NoticeJournal.Post.json(line, in: bytes)]
    if !StoredJSON.isPlain(json) {
      // It was written by somebody else, or has actions or characters that have to be looked at.
      guard let text = NoticeContent(json: json).flatMap(NoticeJSON.text) else {
        return nil
      }
      json = Array(text.utf8)[...]
    }
    var action: String?
    if case .acted(let name) = change(of: entry) { action = name }
    return NoticeJSON.line(
      entry.id,
      entry.date,
      entry.expiry,
      entry.state,
      acted: action,
      content: json
    )
  }
}

extension NoticeList.Entry {
  fileprivate init(_ post: NoticeJournal.Post, _ state: Notice.State, version: Int?) {
    id = post.sequence
    date = NoticeTime.date(post.time)
    expiry = post.expiry == 0 ? nil : NoticeTime.date(post.expiry)
    urgency = post.urgency
    self.state = state
    self.version = version ?? post.sequence
    (application, place, change) = (post.application, post.place, post.change)
  }
}
