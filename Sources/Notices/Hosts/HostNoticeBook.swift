package import FoundationEssentials
import Synchronization
package import WidgetPlatform

/// Keeps the notices of another machine in the store of this one, each once.
///
/// What is known of them is in the store itself, so that nothing is stored twice after a new connection or a new start.
///
/// A class because threads share it. Every function may wait for the disk.
package final class HostNoticeBook: Sendable {
  private let store: NoticeStore
  private let host: String
  private let state = Mutex(State())

  fileprivate struct State {
    /// The notices here, by what identifies them there; nil before the store was read.
    var notices: [HostNotice.Origin: Int]?
    var lastID = 0
    var lastDate = Date.distantPast
    /// Whether the other machine has the store of this one.
    var isThisStore = false
    /// The seconds by which the clock here is ahead of that of the other machine.
    var clockOffset = 0.0
    var allowance = NoticeAllowance(.machine)
    var omitted = OmittedNotices()
    /// Whether that was looked at: one notice shows it, and each look reads the whole store.
    var isCompared = false
  }

  /// How old a notice may be when it is stored, as old ones of the other machine are no news.
  package static let age: Double = 23 * 3600

  /// The book of a machine of this name.
  package init(_ store: NoticeStore, host: String) {
    (self.store, self.host) = (store, host)
  }

  /// Prints the clock of the other machine, in seconds since 1970, and then its notices, as they come.
  package static let command = [
    "sh", "-c",
    "date +%s; exec today notices --follow --json --since \(Int(age / 3600))h",
  ]

  /// Takes a line of the other machine: the time of its clock, or a notice.
  ///
  /// - Throws: ``HostError`` if the store cannot be used.
  package func take(
    _ line: ArraySlice<UInt8>,
    now: Date = Date(),
    at time: ContinuousClock.Instant = .now
  ) throws(HostError) {
    if let seconds = Int(String(decoding: line.prefix(20), as: UTF8.self)) {
      // The dates of its notices are by its clock, which may be wrong.
      return state.withLock { $0.clockOffset = now.timeIntervalSince1970 - Double(seconds) }
    }
    guard let notice = HostNotice(line, host: host) else { return }
    try begin(now)
    let known = state.withLock { $0.isThisStore ? nil : $0.notices?[notice.origin] }
    if let known {
      if !notice.isWaiting { try end(known, notice, now) }
    } else if state.withLock({ $0.isNews(notice.origin) }), try !isOfThisStore(notice, now) {
      if notice.isWaiting { try post(notice, now, at: time) }
    }
  }

  /// Reads once what is known.
  private func begin(_ now: Date) throws(HostError) {
    guard state.withLock({ $0.notices == nil }) else { return }
    let list = try store.read(now: now)
    var known = State()
    known.notices = [:]
    for entry in list.entries {
      guard let content = list.notice(entry)?.content, content.host == host,
        let origin = content.origin.flatMap(HostNotice.Origin.init)
      else { continue }
      known.note(origin, entry.id, now)
    }
    state.withLock { [known] in
      ($0.notices, $0.lastID, $0.lastDate) = (known.notices, known.lastID, known.lastDate)
    }
  }

  /// Whether the other machine shows the notices of this one, as with a home that both have.
  private func isOfThisStore(_ notice: HostNotice, _ now: Date) throws(HostError) -> Bool {
    guard !state.withLock({ $0.isCompared }) else { return false }
    state.withLock { $0.isCompared = true }
    let list = try store.read(now: now)
    guard let own = list[notice.origin.id].flatMap(list.notice), own.content.host == nil,
      NoticeTime.text(own.date) == NoticeTime.text(notice.origin.date),
      own.content.title == notice.content.title
    else { return false }
    state.withLock { $0.isThisStore = true }
    return true
  }

  /// Whether ``tellOmitted()`` has something to say.
  package var hasOmitted: Bool { state.withLock { $0.omitted.isUntold } }

  /// Stores a notice that says how many were left out.
  package func tellOmitted() throws(HostError) {
    let reason = "A machine may send \(NoticeAllowance.Rate.machine.words). This one is \(host)."
    let notice = state.withLock { $0.omitted.notice(reason, tag: "omitted \(host)") }
    if let notice { try store.post(notice) }
  }

  private func post(
    _ notice: HostNotice,
    _ now: Date,
    at time: ContinuousClock.Instant
  ) throws(HostError) {
    let offset = state.withLock { $0.clockOffset }
    let date = min(max(notice.origin.date + offset, now - Self.age), now)
    let expiry = notice.expiry.map { $0 + offset }
    if let expiry, expiry <= now { return }
    let isTaken = state.withLock { state in
      let isTaken = state.allowance.take("", at: time)
      if !isTaken {
        state.omitted.add(of: notice.content.application)
        // It is not asked for again.
        state.note(notice.origin, nil, now)
      }
      return isTaken
    }
    guard isTaken else { return }
    let id = try store.post(
      notice.content,
      expiresAfter: expiry.map { $0.timeIntervalSince(date) },
      now: date
    )
    state.withLock { $0.note(notice.origin, id, now) }
  }

  /// What became of a notice there became of it here too.
  private func end(_ id: Int, _ notice: HostNotice, _ now: Date) throws(HostError) {
    guard try store.read(now: now)[id]?.state == .waiting else { return }
    try store.note(notice.acted.map { .acted(action: $0) } ?? .dismissed, of: [id], now: now)
  }
}

extension HostNoticeBook.State {
  /// The most numbers that are used up between two notices.
  private static let longestStep = 1_000_000

  fileprivate mutating func note(_ origin: HostNotice.Origin, _ id: Int?, _ now: Date) {
    notices?[origin] = id
    // A number or date far ahead would make all later ones old.
    if origin.id - lastID < Self.longestStep { lastID = max(lastID, origin.id) }
    if origin.date + clockOffset < now.addingTimeInterval(86_400) {
      lastDate = max(lastDate, origin.date)
    }
  }

  /// Whether a notice was never here; one that is no longer kept was.
  fileprivate func isNews(_ origin: HostNotice.Origin) -> Bool {
    !isThisStore && (origin.id > lastID || origin.date > lastDate)
  }
}
