import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Gives transfers whose keeper was killed another one, while a page is open.
///
/// A class because its timer calls it.
final class TransferTakeover {
  private let book: TransferBook
  private let starter: TransferStarter
  private let clock: any HostClock
  private var timer: (any HostTimer)?
  private var takeovers: [String: Takeover] = [:]

  /// When a transfer was given another keeper, and how long it then takes until the next.
  private struct Takeover {
    var last: ContinuousClock.Instant?
    var pause: Duration = .seconds(1)
  }

  /// A keeper that has just been started has no lock yet.
  private static let pause: Duration = .milliseconds(300)
  private static let longestPause: Duration = .seconds(60)

  init(book: TransferBook, starter: TransferStarter, clock: any HostClock) {
    (self.book, self.starter, self.clock) = (book, starter, clock)
  }

  /// Looks in a moment, because a lock has ended.
  func look(after pause: Duration = pause) {
    guard timer == nil else { return }
    timer = clock.schedule(after: pause) { [weak self] in
      self?.timer = nil
      self?.takeOver()
    }
  }

  private func takeOver() {
    let open = book.records().filter { $0.result == nil }.map(\.task)
    takeovers = takeovers.filter { open.contains($0.key) }
    var next: Duration?
    for task in open where !book.isKept(task) {
      var takeover = takeovers[task] ?? Takeover()
      let rest = takeover.last.map { takeover.pause - $0.duration(to: clock.now) } ?? .zero
      if rest > .zero {
        next = min(next ?? rest, rest)
        continue
      }
      takeover.pause = min(takeover.pause * 2, Self.longestPause)
      takeover.last = clock.now
      takeovers[task] = takeover
      try? starter.start(task)
    }
    if let next { look(after: next) }
  }
}
