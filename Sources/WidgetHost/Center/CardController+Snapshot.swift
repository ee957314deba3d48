import FoundationEssentials
import WidgetKitCore

/// The last picture of a card: shown until there is a live one, and kept on disk.
extension CardController {
  /// Shows the last view that was kept at this width, while there is no live one.
  func showSnapshot() {
    guard card.state != .hidden, let snapshot = page.snapshot(for: snapshotKey) else { return }
    _ = layout.apply(snapshot.content)
    card.view = snapshot.view
    card.contentDate = snapshot.date
    card.bodySize.rows = snapshot.rows
    if card.state == .starting { card.state = .snapshot }
    follow(snapshot.timeline)
    checkAge()
  }

  /// Shows it where it was left for later and nothing came meanwhile.
  func showOwedSnapshot() {
    guard owesSnapshot else { return }
    owesSnapshot = false
    guard !hasAppeared else { return }
    showSnapshot()
    resize(animated: false)
  }

  var snapshotKey: Snapshot.Key {
    Snapshot.Key(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance,
      width: max(0, innerWidth - card.marginInsets.columns),
      displayMode: card.displayMode,
      locale: page.localeIdentifier
    )
  }

  /// Keeps what a widget pushes of its own accord thriftily: twice a minute, and when it goes.
  func keepSnapshotLater() {
    guard snapshotTimer == nil else { return }
    snapshotTimer = page.clock.schedule(after: Self.pushPatience) { [weak self] in
      self?.keepSnapshot()
    }
  }

  func keepSnapshot() {
    snapshotTimer?.cancel()
    snapshotTimer = nil
    guard !keepsNothing, let view = layout.view, let date = card.contentDate else { return }
    page.keep(
      Snapshot(
        key: snapshotKey,
        date: date,
        view: view,
        preferredHeight: layout.preferredHeight,
        rows: card.bodySize.rows,
        timeline: timeline
      )
    )
  }
}
