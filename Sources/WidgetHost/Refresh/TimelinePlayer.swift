import FoundationEssentials
import WidgetKitCore

/// Shows the entries of a timeline at their times; no process is needed for that.
///
/// A class because its timer calls it back.
final class TimelinePlayer {
  /// The timeline that is followed, its entries in order; nil where there is none.
  private(set) var timeline: Timeline?
  /// Called with an entry whose time has come.
  var onEntry: ((TimelineEntry) -> Void)?

  private let clock: any HostClock
  private var shownEntry: Date?
  private var timer: (any HostTimer)?

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Shows a timeline's entries at their times from now on; nil ends the one before.
  func follow(_ timeline: Timeline?) {
    self.timeline = timeline.map {
      Timeline(entries: $0.entries.sorted { $0.date < $1.date }, policy: $0.policy)
    }
    shownEntry = nil
    advance()
  }

  /// Shows the entry of this moment, and waits for the next.
  func advance() {
    stop()
    guard let timeline else { return }
    let now = clock.date
    if let entry = timeline.entries.last(where: { $0.date <= now }), entry.date != shownEntry {
      shownEntry = entry.date
      onEntry?(entry)
    }
    guard let next = timeline.entries.first(where: { $0.date > now }) else { return }
    let wait = next.date.timeIntervalSince(now)
    timer = clock.schedule(after: .saturated(seconds: min(wait, 1e7))) { [weak self] in
      self?.advance()
    }
  }

  /// Waits for nothing any more.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}
