import FoundationEssentials
import WidgetKitCore

/// The lock for a widget's scheduled updates, from the start of an update until its result is written.
///
/// While updates follow each other closely, as those of a script that runs each second, the lock is kept between
/// them, and their results are written together: a file for each run would cost more than the run, and no other host
/// reads it. If another host wants the lock, it gets the results and the lock at once, and the lock is not kept for a
/// while.
final class RefreshLease {
  /// The lock; nil if another host may make the next update.
  private(set) var lock: RefreshLock?
  /// Whether the lock is kept although no update is in progress.
  private(set) var isKept = false

  private let id: ExtensionIdentity
  private let clock: any HostClock
  private let locks: RefreshLocks
  private let onRequest: () -> Void
  /// When results were last written.
  private(set) var lastWriting: ContinuousClock.Instant?
  /// Until when another host is assumed to make updates too; nil if none was noticed.
  private var sharedUntil: ContinuousClock.Instant?

  /// The longest time in seconds until the next update for which the lock is kept.
  static let longestGap = 5.0
  /// The time between two writings while the lock is kept: what a crash can lose.
  static let writingPause: Duration = .seconds(10)
  /// How long the lock is not kept after another host wanted it.
  static let sharingTime: Duration = .seconds(30)

  /// Creates the lease without a lock.
  ///
  /// - Parameters:
  ///   - id: The widget.
  ///   - clock: The clock.
  ///   - locks: The locks, of which this host keeps some.
  ///   - onRequest: Called when another host wants the lock while it is kept.
  init(
    _ id: ExtensionIdentity,
    clock: any HostClock,
    locks: RefreshLocks,
    onRequest: @escaping () -> Void
  ) {
    self.id = id
    self.clock = clock
    self.locks = locks
    self.onRequest = onRequest
  }

  /// Whether results that were not written yet are due to be written.
  var isWritingDue: Bool {
    guard isKept, let lastWriting else { return true }
    return lastWriting.duration(to: clock.now) >= Self.writingPause
  }

  /// Whether the lock is kept until an update at this date.
  func covers(_ next: Date?) -> Bool {
    next.map { $0.timeIntervalSince(clock.date) <= Self.longestGap } ?? false
  }

  /// Holds a lock for an update.
  func begin(_ lock: RefreshLock) {
    self.lock = lock
  }

  /// Keeps the lock until the next update if that comes soon and no other host wants the lock.
  func keep(until next: Date?) {
    let isShared = sharedUntil.map { clock.now < $0 } ?? false
    guard lock != nil, !isShared, covers(next) else { return end() }
    isKept = locks.keep(id) { [weak self] in self?.isWanted() }
  }

  /// Records that all results are being written.
  func didWrite() {
    lastWriting = clock.now
  }

  /// Does not keep the lock for later updates; it is held until ``release()``.
  func end() {
    guard isKept else { return }
    isKept = false
    locks.end(id)
  }

  /// Releases the lock.
  func release() {
    end()
    lock = nil
  }

  /// Another host makes updates too, so the lock is not kept for a while.
  func noteOtherHost() {
    sharedUntil = clock.now + Self.sharingTime
  }

  private func isWanted() {
    noteOtherHost()
    end()
    onRequest()
  }
}
