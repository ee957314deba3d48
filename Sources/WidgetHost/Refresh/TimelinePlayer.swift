import FoundationEssentials
import WidgetKitCore

/// Shows the entries of a timeline at their times, without a process.
final class TimelinePlayer {
  /// The current timeline with its entries in order, or nil if there is none.
  private(set) var timeline: Timeline?
  /// Called with each entry when its time has come.
  var onEntry: ((TimelineEntry) -> Void)?

  private let clock: any HostClock
  private var shownEntry: Date?
  private var timer: (any HostTimer)?

  init(clock: any HostClock) {
    self.clock = clock
  }

  /// Starts to show the entries of a timeline at their times; nil stops the previous one.
  func follow(_ timeline: Timeline?) {
    self.timeline = timeline.map {
      Timeline(entries: $0.entries.sorted { $0.date < $1.date }, policy: $0.policy)
    }
    shownEntry = nil
    advance()
  }

  /// Shows the current entry, and sets a timer for the next.
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

  /// Stops the timer.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}
