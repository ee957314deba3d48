import WidgetKitCore

/// Under which keys the snapshots of a card are stored.
struct SnapshotKeys {
  let id: CardID
  let locale: String

  /// The key of what the card shows in a form.
  func shown(_ form: CardForm) -> Snapshot.Key { key(form.displayMode) }

  /// The key of the expanded form of a card that the page may expand; nil for any other card.
  func expanded(_ form: CardForm) -> Snapshot.Key? {
    let mayGrow = form.offersExpanded && form.chosenMode == nil && form.displayMode == .compact
    return mayGrow ? key(.expanded) : nil
  }

  private func key(_ mode: DisplayMode) -> Snapshot.Key {
    Snapshot.Key(id, displayMode: mode, locale: locale)
  }
}
