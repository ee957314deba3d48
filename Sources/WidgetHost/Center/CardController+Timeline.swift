import FoundationEssentials
import WidgetKitCore

/// Entries that are shown at their times, also while the widget stands still or is gone.
extension CardController {
  /// Whether a timeline says that its widget is not to be asked yet.
  var waitsForTimeline: Bool {
    guard history.failures == 0, timeline != nil, let reload = history.reload else { return false }
    guard case .at(let date) = reload else { return true }
    return date > page.clock.date
  }

  /// Shows a timeline's entries at their times from now on; nil ends the one before.
  func follow(_ timeline: Timeline?) {
    self.timeline = timeline.map {
      Timeline(entries: $0.entries.sorted { $0.date < $1.date }, policy: $0.policy)
    }
    shownEntry = nil
    followTimeline()
  }

  /// Shows the entry of this moment, and waits for the next; no process is needed for that.
  func followTimeline() {
    entryTimer?.cancel()
    entryTimer = nil
    guard let timeline else { return }
    let now = page.clock.date
    if let entry = timeline.entries.last(where: { $0.date <= now }), entry.date != shownEntry {
      shownEntry = entry.date
      let changed = layout.apply(entry.content)
      if let view = entry.content.view { card.view = view }
      card.contentDate = entry.date
      if changed { contentDidChange(resizes: true) } else { page.cardDidChange() }
    }
    guard let next = timeline.entries.first(where: { $0.date > now }) else { return }
    let wait = next.date.timeIntervalSince(now)
    entryTimer = page.clock.schedule(after: .saturated(seconds: min(wait, 1e7))) { [weak self] in
      self?.followTimeline()
    }
  }
}
