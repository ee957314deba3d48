import FoundationEssentials
import Notices

/// What a page remembers of the notices, so that it need not keep them.
nonisolated struct NoticeSummary: Sendable {
  /// How many wait.
  var waitingCount = 0
  /// Whether there is any.
  var hasNotices = false
  /// Whether only critical ones are announced, as the user has set it.
  var isQuiet = false
  /// When the next one no longer waits, or quiet time ends; nil if neither ever happens.
  var nextExpiry: Date?
  /// Whether a timer awaits ``nextExpiry``.
  var isAwaited = false
  private var journal: UInt64?
  private var version = 0

  init(_ list: NoticeList, quiet: QuietTime?) {
    (isQuiet, nextExpiry) = (quiet != nil, quiet?.end)
    hasNotices = !list.entries.isEmpty
    (journal, version) = (list.journal, list.lastVersion)
    for entry in list.entries where entry.state == .waiting {
      waitingCount += 1
      if let expiry = entry.expiry { nextExpiry = nextExpiry.map { min($0, expiry) } ?? expiry }
    }
  }

  /// Whether a reader of the notices would find the same.
  func isSame(as other: NoticeSummary) -> Bool {
    journal == other.journal && version == other.version && waitingCount == other.waitingCount
      && hasNotices == other.hasNotices
  }
}
