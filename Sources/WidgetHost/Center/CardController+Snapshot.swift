import FoundationEssentials
import WidgetKitCore

/// The last picture of a card: shown until there is a live one, kept on disk, and shared with other
/// hosts.
extension CardController {
  /// Shows the last view that was kept, while there is no live one.
  func showSnapshot() {
    guard card.state != .hidden else { return }
    hasLookedForSnapshot = true
    if card.view == nil, let snapshot = page.snapshot(for: snapshotKey) {
      show(snapshot)
      checkAge()
    }
    settleHistory()
  }

  /// Shows it where it was left for later and nothing came meanwhile.
  func showOwedSnapshot() {
    guard owesSnapshot else { return }
    owesSnapshot = false
    guard !hasAppeared else { return }
    showSnapshot()
    resize(animated: false)
  }

  /// Takes over the picture that another host has kept, where it is newer than what is shown.
  func takeOverSnapshot() {
    guard card.state != .hidden, !keepsNothing,
      let snapshot = page.snapshot(for: snapshotKey, newerThan: pictureDate ?? .distantPast)
    else { return }
    snapshotTimer?.cancel()
    snapshotTimer = nil
    owesSnapshot = false
    hasLookedForSnapshot = true
    isPictureForeign = true
    if show(snapshot) { contentDidChange(resizes: true) }
    page.cardDidChange()
  }

  /// Takes over a picture as it was kept; returns whether anything is different.
  @discardableResult
  private func show(_ snapshot: Snapshot) -> Bool {
    let changed = layout.apply(snapshot.content)
    card.view = snapshot.view
    card.contentDate = snapshot.contentDate
    pictureDate = snapshot.made
    keptPicture = RefreshHistory.Picture(snapshot)
    hasUnkeptPicture = false
    if card.state == .starting { card.state = .snapshot }
    follow(snapshot.timeline)
    return changed
  }

  var snapshotKey: Snapshot.Key {
    Snapshot.Key(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance,
      displayMode: card.displayMode,
      locale: page.localeIdentifier
    )
  }

  /// Notes that the widget has sent something that is to be kept.
  ///
  /// - Parameter source: What it came with. What comes with appearing and disappearing is what the
  ///   process had before, so it is not newer than what another host's process has sent meanwhile.
  func notePicture(from source: ContentSource) {
    guard layout.view != nil else { return }
    switch source {
    case .update, .push, .action:
      isPictureForeign = false
      pictureDate = page.clock.date
    case .appearance:
      if isPictureForeign { return }
      pictureDate = page.clock.date
    case .disappearance:
      if isPictureForeign { return }
      pictureDate = pictureDate ?? page.clock.date
    }
    hasUnkeptPicture = true
  }

  /// Keeps what a widget pushes of its own accord thriftily: soon where nothing was kept for a while,
  /// else twice a minute, and when it goes.
  func keepSnapshotLater() {
    guard snapshotTimer == nil else { return }
    let past = lastKeeping.map { $0.duration(to: page.clock.now) } ?? Self.pushPatience
    let wait = max(Self.firstPushPatience, Self.pushPatience - past)
    snapshotTimer = page.clock.schedule(after: wait) { [weak self] in
      self?.keepSnapshot()
    }
  }

  /// Keeps what is shown, where that is not kept yet, and tells other hosts.
  func keepSnapshot() {
    guard writeSnapshot(), let keptPicture else { return }
    history.picture = keptPicture
    page.announce(keptPicture, of: card.id)
  }

  /// Has what is shown written, where it is not kept yet; returns whether it is being written.
  func writeSnapshot() -> Bool {
    snapshotTimer?.cancel()
    snapshotTimer = nil
    let key = snapshotKey
    guard !keepsNothing, hasUnkeptPicture || keptPicture.map({ $0.key != key.variant }) ?? false,
      let view = layout.view, let contentDate = card.contentDate, let made = pictureDate
    else { return false }
    let snapshot = Snapshot(
      key: key,
      made: made,
      contentDate: contentDate,
      view: view,
      preferredHeight: layout.preferredHeight,
      timeline: timeline
    )
    hasUnkeptPicture = false
    keptPicture = RefreshHistory.Picture(snapshot)
    lastKeeping = page.clock.now
    page.keep(snapshot)
    return true
  }
}

nonisolated extension RefreshHistory.Picture {
  init(_ snapshot: Snapshot) {
    key = snapshot.key.variant
    made = snapshot.made
  }
}
