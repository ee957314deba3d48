import FoundationEssentials
import WidgetKitCore

/// When a card is asked for new data, how old it is, and what of it is kept.
extension CardController {
  func updateEnded(_ outcome: UpdateOutcome) {
    lastUpdate = page.clock.now
    failures = outcome.result == .failed ? failures + 1 : 0
    if outcome.result != .failed { wish = outcome.refreshAfter }
    let pause = page.schedule.pause(wish: wish, failures: failures)
    refreshTimer?.cancel()
    refreshTimer = page.clock.schedule(after: pause) { [weak self] in
      self?.refresh(.schedule)
    }
    checkAge()
    page.cardDidUpdate(card.id, outcome)
  }

  /// Marks the content as stale when its time has come.
  func checkAge() {
    staleTimer?.cancel()
    staleTimer = nil
    guard let date = card.contentDate else { return }
    let age = Duration.seconds(max(0, page.clock.date.timeIntervalSince(date)))
    let isStale = failures > 0 && page.schedule.isStale(age: age, wish: wish)
    if isStale != card.isStale {
      card.isStale = isStale
      page.cardDidChange()
    }
    guard failures > 0, !isStale else { return }
    let rest = page.schedule.interval(wish: wish) * 2 - age + .seconds(1)
    staleTimer = page.clock.schedule(after: rest) { [weak self] in self?.checkAge() }
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
        rows: card.bodySize.rows
      )
    )
  }
}
