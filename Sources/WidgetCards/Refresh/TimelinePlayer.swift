import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The entries of a timeline at their times, without a process.
nonisolated struct TimelinePlayer {
  /// The current timeline with its entries in order, or nil if there is none.
  private(set) var timeline: Timeline?
  /// When the next entry is due; nil if there is none.
  private(set) var due: ContinuousClock.Instant?

  private var shownEntry: Date?

  /// Follows a timeline from now on, nil for none; returns the entry that is to be shown.
  mutating func follow(_ timeline: Timeline?, at moment: Moment) -> TimelineEntry? {
    self.timeline = timeline.map {
      Timeline(entries: $0.entries.sorted { $0.date < $1.date }, policy: $0.policy)
    }
    shownEntry = nil
    return advance(at: moment)
  }

  /// Returns the current entry unless it is shown already.
  mutating func advance(at moment: Moment) -> TimelineEntry? {
    due = timeline?.entries.first { $0.date > moment.date }.map { moment.instant(of: $0.date) }
    guard let entry = timeline?.entries.last(where: { $0.date <= moment.date }),
      entry.date != shownEntry
    else { return nil }
    shownEntry = entry.date
    return entry
  }

  /// Shows no more entries by itself.
  mutating func stop() {
    due = nil
  }
}
