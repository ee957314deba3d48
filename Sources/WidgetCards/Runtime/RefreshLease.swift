import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The lock for a widget's scheduled updates, from the start of an update until its result is written.
///
/// While updates follow each other closely, as those of a script that runs each second, the lock is kept between
/// them, and their results are written together: a file for each run would cost more than the run, and no other host
/// reads it. If another host wants the lock, it gets the results and the lock at once, and the lock is not kept for a
/// while.
struct RefreshLease {
  /// Whether this host holds the lock; if not, another host may make the next update.
  private(set) var isHeld = false
  /// Whether the lock is kept although no update is in progress.
  private(set) var isKept = false
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

  /// Whether results that were not written yet are due to be written.
  func isWritingDue(at now: ContinuousClock.Instant) -> Bool {
    guard isKept, let lastWriting else { return true }
    return lastWriting.duration(to: now) >= Self.writingPause
  }

  /// Whether the lock is kept until an update at this date.
  static func covers(_ next: Date?, at now: Date) -> Bool {
    next.map { $0.timeIntervalSince(now) <= longestGap } ?? false
  }

  /// This host has taken the lock for an update.
  mutating func begin() {
    isHeld = true
  }

  /// Keeps the lock until the next update if that comes soon and no other host wants the lock.
  mutating func keep(until next: Date?, _ turn: inout CardTurn) {
    let isShared = sharedUntil.map { turn.now < $0 } ?? false
    guard isHeld, !isShared, Self.covers(next, at: turn.moment.date) else { return end(&turn) }
    isKept = true
    turn.effects.append(.keepLock)
  }

  /// Records that all results are being written; the lock is released then, unless it is kept.
  mutating func didWrite(at now: ContinuousClock.Instant) {
    lastWriting = now
    if !isKept { isHeld = false }
  }

  /// Does not keep the lock for later updates; it is held until the results are written.
  mutating func end(_ turn: inout CardTurn) {
    guard isKept else { return }
    isKept = false
    turn.effects.append(.endKeepingLock)
  }

  /// Releases the lock.
  mutating func release(_ turn: inout CardTurn) {
    end(&turn)
    isHeld = false
    turn.effects.append(.releaseLock)
  }

  /// Another host makes updates too, so the lock is not kept for a while.
  mutating func noteOtherHost(at now: ContinuousClock.Instant) {
    sharedUntil = now + Self.sharingTime
  }
}
