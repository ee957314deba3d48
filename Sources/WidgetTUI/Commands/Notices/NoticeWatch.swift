import FoundationEssentials
import Glibc
import Notices
import WidgetKitCore
import WidgetPlatform

/// Waits for changes of the notices.
///
/// A class because it owns the watch on their folder.
final class NoticeWatch {
  let store: NoticeStore
  private let clock = SystemClock()
  private var follower: FolderFollower?
  private var timer: (any HostTimer)?
  /// Whether something has changed since the last wait.
  private var hasChanged = false
  private var waiting: CheckedContinuation<Void, Never>?
  private var lastWake = ContinuousClock.now

  /// How often the notices are read at most, however many are posted.
  private static let shortestPause: Duration = .milliseconds(100)
  /// How often they are read where the folder cannot be watched.
  private static let pauseWithoutWatch: Duration = .seconds(1)
  /// How often a reader of standard output that has gone is noticed.
  private static let pauseOfCheck: Duration = .seconds(30)

  /// Begins to watch.
  init(_ store: NoticeStore) {
    self.store = store
    let follower = FolderFollower(
      [store.folder],
      clock: clock,
      onChange: { [weak self] _ in self?.wake() },
      onTrouble: { _ in }
    )
    self.follower = follower
    follower.start()
  }

  private func wake() {
    hasChanged = true
    waiting?.resume()
    waiting = nil
  }

  /// Waits until something may have changed, or a date has come.
  func change(until date: Date? = nil) async {
    let pause = lastWake + Self.shortestPause - .now
    if pause > .zero { await sleep(pause, endsWithChange: false) }
    if !hasChanged {
      var limit = follower?.isFollowing == true ? Self.pauseOfCheck : Self.pauseWithoutWatch
      if let date { limit = min(limit, .seconds(max(0, date.timeIntervalSinceNow))) }
      await sleep(limit, endsWithChange: true)
    }
    hasChanged = false
    lastWake = .now
  }

  private func sleep(_ limit: Duration, endsWithChange: Bool) async {
    await withCheckedContinuation { continuation in
      let end = {
        let last = self.waiting
        self.waiting = nil
        last?.resume()
      }
      if endsWithChange {
        waiting = continuation
        timer = clock.schedule(after: limit, end)
      } else {
        timer = clock.schedule(after: limit) { continuation.resume() }
      }
    }
    timer = nil
  }

  /// Waits until a notice no longer waits, and prints why.
  func end(of id: Int) async throws(CommandError) -> ExitCode {
    while true {
      let list = try CommandError.from { () throws(HostError) in try store.read() }
      guard let entry = list[id] else {
        StandardStreams.writeLine("replaced")
        return .failure
      }
      if entry.state == .earlier {
        let change = list.change(of: entry)
        StandardStreams.writeLine(NoticeLines.words(for: change))
        return change == nil || change == .waiting ? .failure : .success
      }
      await change(until: entry.expiry)
      guard StandardStreams.hasReader else { return .failure }
    }
  }
}
